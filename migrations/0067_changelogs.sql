-- Release notes from the changelog in a repository.
SET LOCAL lock_timeout = '500ms';

-- The file, from the root of the repository. NULL: none is read.
ALTER TABLE gather_jobs ADD COLUMN changelog_path text;

-- The section of the changelog about the release. It counts only while the release has no notes of its own.
ALTER TABLE releases ADD COLUMN changelog_notes text;

DROP TRIGGER gather_jobs_raise_revision ON gather_jobs;
CREATE TRIGGER gather_jobs_raise_revision
  BEFORE UPDATE OF name, source_type, artifact_name, source_options, version_scheme, version_pattern,
    include_prereleases, max_releases, ignored_versions, counted_versions, purls, purls_source, project_url,
    project_url_source, version_of, lifecycle_product, changelog_path, credential_name, cron_expression, cron_timezone,
    is_active
  ON gather_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.source_type, OLD.artifact_name, OLD.source_options, OLD.version_scheme, OLD.version_pattern,
      OLD.include_prereleases, OLD.max_releases, OLD.ignored_versions, OLD.counted_versions,
      CASE WHEN OLD.purls_source = 'set' THEN OLD.purls END,
      CASE WHEN OLD.project_url_source = 'set' THEN OLD.project_url END,
      OLD.version_of, OLD.lifecycle_product, OLD.changelog_path, OLD.credential_name, OLD.cron_expression,
      OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.source_type, NEW.artifact_name, NEW.source_options, NEW.version_scheme, NEW.version_pattern,
      NEW.include_prereleases, NEW.max_releases, NEW.ignored_versions, NEW.counted_versions,
      CASE WHEN NEW.purls_source = 'set' THEN NEW.purls END,
      CASE WHEN NEW.project_url_source = 'set' THEN NEW.project_url END,
      NEW.version_of, NEW.lifecycle_product, NEW.changelog_path, NEW.credential_name, NEW.cron_expression,
      NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
