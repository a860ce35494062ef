-- Reference data: known vulnerabilities, of the packages that gather jobs and the catalog follow. The same for all
-- organizations, so it belongs to organization 1.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE reference_sources
  DROP CONSTRAINT reference_sources_name_check,
  ADD CONSTRAINT reference_sources_name_check CHECK (name IN ('end_of_life', 'vulnerabilities'));
INSERT INTO reference_sources (name) VALUES ('vulnerabilities');

-- Packages without records aren't stored: whether they have no vulnerability or don't exist isn't known.
CREATE TABLE vulnerability_packages (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  -- Ecosystem and name, such as `Go/k8s.io/kubernetes`. One for all major versions of a Go module.
  key text NOT NULL,
  -- Normalized, as those of gather jobs.
  purls text[] NOT NULL,
  -- Of the artifacts that the catalog maps to the package: their package URLs, or their source types and names.
  catalog_keys text[] NOT NULL,
  -- Of all its records.
  fingerprint text NOT NULL,
  record_count integer NOT NULL,
  -- When its records were known to be current.
  as_of timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX vulnerability_packages_by_purl ON vulnerability_packages USING gin (purls);
CREATE INDEX vulnerability_packages_by_catalog_key ON vulnerability_packages USING gin (catalog_keys);

CREATE TABLE vulnerabilities (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1),
  package_key text NOT NULL,
  -- Of the OSV record.
  id text NOT NULL,
  aliases text[] NOT NULL,
  is_withdrawn boolean NOT NULL,
  -- Null: not rated.
  severity text CHECK (severity IN ('low', 'moderate', 'high', 'critical')),
  summary text NOT NULL,
  -- What the record says about this package: names, ranges, and versions.
  affected jsonb NOT NULL,
  fingerprint text NOT NULL,
  PRIMARY KEY (organization_id, package_key, id),
  FOREIGN KEY (organization_id, package_key) REFERENCES vulnerability_packages (organization_id, key) ON DELETE CASCADE
);

-- The keys of packages; empty: none. Null: those that the catalog names, or those of the package URLs.
ALTER TABLE gather_jobs ADD COLUMN vulnerability_packages text[];

DROP TRIGGER gather_jobs_raise_revision ON gather_jobs;
CREATE TRIGGER gather_jobs_raise_revision
  BEFORE UPDATE OF name, source_type, artifact_name, source_options, version_scheme, version_pattern,
    include_prereleases, max_releases, ignored_versions, counted_versions, purls, purls_source, project_url,
    project_url_source, version_of, lifecycle_product, vulnerability_packages, changelog_path, credential_name,
    cron_expression, cron_timezone, is_active
  ON gather_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.source_type, OLD.artifact_name, OLD.source_options, OLD.version_scheme, OLD.version_pattern,
      OLD.include_prereleases, OLD.max_releases, OLD.ignored_versions, OLD.counted_versions,
      CASE WHEN OLD.purls_source = 'set' THEN OLD.purls END,
      CASE WHEN OLD.project_url_source = 'set' THEN OLD.project_url END,
      OLD.version_of, OLD.lifecycle_product, OLD.vulnerability_packages, OLD.changelog_path, OLD.credential_name,
      OLD.cron_expression, OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.source_type, NEW.artifact_name, NEW.source_options, NEW.version_scheme, NEW.version_pattern,
      NEW.include_prereleases, NEW.max_releases, NEW.ignored_versions, NEW.counted_versions,
      CASE WHEN NEW.purls_source = 'set' THEN NEW.purls END,
      CASE WHEN NEW.project_url_source = 'set' THEN NEW.project_url END,
      NEW.version_of, NEW.lifecycle_product, NEW.vulnerability_packages, NEW.changelog_path, NEW.credential_name,
      NEW.cron_expression, NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
