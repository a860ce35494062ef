-- Scrape jobs that read a version from an HTTP address or from Prometheus instead of a file in a Git repository.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE scrape_jobs
  -- A server of an earlier version only creates jobs that read from Git.
  ADD COLUMN source text NOT NULL DEFAULT 'git',
  ADD COLUMN url text,
  ADD COLUMN query text,
  ADD COLUMN label text,
  ADD COLUMN series jsonb NOT NULL DEFAULT '{}',
  -- The new lists only add values, so rows needn't be checked again while the table is locked.
  ADD CONSTRAINT scrape_jobs_source_check CHECK (source IN ('git', 'http', 'prometheus')) NOT VALID,
  DROP CONSTRAINT scrape_jobs_check,
  ADD CONSTRAINT scrape_jobs_check CHECK (parser_type = 'discovered' OR CASE source
    WHEN 'git' THEN (parser_type = 'manual') = (repository_url IS NULL) AND url IS NULL
    ELSE parser_type <> 'manual' AND repository_url IS NULL AND url IS NOT NULL END) NOT VALID,
  ADD CONSTRAINT scrape_jobs_query_check
    CHECK ((source = 'prometheus') = (query IS NOT NULL) AND (query IS NULL) = (label IS NULL)) NOT VALID;

DROP TRIGGER scrape_jobs_raise_revision ON scrape_jobs;
CREATE TRIGGER scrape_jobs_raise_revision
  BEFORE UPDATE OF name, parser_type, source, repository_url, ref, target_file, url, query, label, series,
    parse_expression, version_transform, credential_name, cron_expression, cron_timezone, history_limit, is_active, labels
  ON scrape_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.parser_type, OLD.source, OLD.repository_url, OLD.ref, OLD.target_file, OLD.url, OLD.query, OLD.label,
      OLD.series, OLD.parse_expression, OLD.version_transform, OLD.credential_name, OLD.cron_expression,
      OLD.cron_timezone, OLD.history_limit, OLD.is_active, OLD.labels)
    IS DISTINCT FROM
    (NEW.name, NEW.parser_type, NEW.source, NEW.repository_url, NEW.ref, NEW.target_file, NEW.url, NEW.query, NEW.label,
      NEW.series, NEW.parse_expression, NEW.version_transform, NEW.credential_name, NEW.cron_expression,
      NEW.cron_timezone, NEW.history_limit, NEW.is_active, NEW.labels)
  ) EXECUTE FUNCTION raise_revision();
