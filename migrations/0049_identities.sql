-- What a gather job follows, in words that other data uses: package URLs, the project's repository, and whose version a
-- release is.
SET LOCAL lock_timeout = '500ms';

-- purls: normalized. Null until derived: a running server of the earlier version creates jobs without them, and housekeeping
-- derives those.
ALTER TABLE gather_jobs
  ADD COLUMN purls text[] CHECK (cardinality(purls) <= 20),
  ADD COLUMN purls_source text NOT NULL DEFAULT 'derived' CHECK (purls_source IN ('derived', 'set')),
  ADD COLUMN project_url text,
  ADD COLUMN project_url_source text
    CHECK (project_url_source IN ('set', 'source', 'annotation', 'label', 'chart', 'catalog')),
  ADD COLUMN version_of text NOT NULL DEFAULT 'artifact' CHECK (version_of IN ('artifact', 'application')),
  ADD CHECK ((project_url IS NULL) = (project_url_source IS NULL)),
  ADD CHECK (version_of = 'artifact' OR source_type = 'helm_repository');
CREATE INDEX gather_jobs_by_purl ON gather_jobs USING gin (purls);
CREATE INDEX gather_jobs_without_purls ON gather_jobs (organization_id, id) WHERE purls IS NULL;

-- As before, and for what people set of the new ones: runs find the others.
DROP TRIGGER gather_jobs_raise_revision ON gather_jobs;
CREATE TRIGGER gather_jobs_raise_revision
  BEFORE UPDATE OF name, source_type, artifact_name, source_options, version_scheme, version_pattern,
    include_prereleases, max_releases, ignored_versions, counted_versions, purls, purls_source, project_url,
    project_url_source, version_of, credential_name, cron_expression, cron_timezone, is_active
  ON gather_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.source_type, OLD.artifact_name, OLD.source_options, OLD.version_scheme, OLD.version_pattern,
      OLD.include_prereleases, OLD.max_releases, OLD.ignored_versions, OLD.counted_versions,
      CASE WHEN OLD.purls_source = 'set' THEN OLD.purls END,
      CASE WHEN OLD.project_url_source = 'set' THEN OLD.project_url END,
      OLD.version_of, OLD.credential_name, OLD.cron_expression, OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.source_type, NEW.artifact_name, NEW.source_options, NEW.version_scheme, NEW.version_pattern,
      NEW.include_prereleases, NEW.max_releases, NEW.ignored_versions, NEW.counted_versions,
      CASE WHEN NEW.purls_source = 'set' THEN NEW.purls END,
      CASE WHEN NEW.project_url_source = 'set' THEN NEW.project_url END,
      NEW.version_of, NEW.credential_name, NEW.cron_expression, NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
