-- Releases that all configurations of a gather job ignore or count, and the platform words of the organization, with which
-- the versions of its jobs are read in addition to the built-in ones.
SET LOCAL lock_timeout = '500ms';

-- counted_since: as in alert_configs, the time from which the days of each counted version count.
-- platform_words: with which the job is read now; sorted, separated by spaces.
ALTER TABLE gather_jobs
  ADD COLUMN ignored_versions text[] NOT NULL DEFAULT '{}',
  ADD COLUMN counted_versions text[] NOT NULL DEFAULT '{}',
  ADD COLUMN counted_since timestamptz[] NOT NULL DEFAULT '{}',
  ADD COLUMN platform_words text NOT NULL DEFAULT '',
  ADD CHECK (cardinality(counted_versions) = cardinality(counted_since));

-- The platform words of the last evaluation.
ALTER TABLE alert_configs ADD COLUMN platform_words text NOT NULL DEFAULT '';

-- Since when jobs of the organization may still be read with other platform words than those of its setting.
ALTER TABLE organizations ADD COLUMN platform_words_changed_at timestamptz;
CREATE INDEX organizations_platform_words_changed ON organizations (id) WHERE platform_words_changed_at IS NOT NULL;

-- As before, and for ignored and counted versions too.
DROP TRIGGER gather_jobs_raise_revision ON gather_jobs;
CREATE TRIGGER gather_jobs_raise_revision
  BEFORE UPDATE OF name, source_type, artifact_name, source_options, version_scheme, version_pattern,
    include_prereleases, max_releases, ignored_versions, counted_versions, credential_name, cron_expression, cron_timezone,
    is_active
  ON gather_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.source_type, OLD.artifact_name, OLD.source_options, OLD.version_scheme, OLD.version_pattern,
      OLD.include_prereleases, OLD.max_releases, OLD.ignored_versions, OLD.counted_versions, OLD.credential_name,
      OLD.cron_expression, OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.source_type, NEW.artifact_name, NEW.source_options, NEW.version_scheme, NEW.version_pattern,
      NEW.include_prereleases, NEW.max_releases, NEW.ignored_versions, NEW.counted_versions, NEW.credential_name,
      NEW.cron_expression, NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
