-- A manual scrape job has no runs and is completed once it has a version. That was a condition beside those on its runs, which no
-- index served: who asked for pending jobs read all of them. Now its first version is kept like the success of a run.
SET LOCAL lock_timeout = '500ms';

-- A trigger, as the previous version still sets versions, too, and a job that was discovered becomes a manual one.
CREATE FUNCTION complete_manual_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.last_outcome := 'succeeded';
  NEW.last_outcome_at := NEW.latest_version_at;
  RETURN NEW;
END
$$;
CREATE TRIGGER scrape_jobs_complete_manual BEFORE INSERT OR UPDATE ON scrape_jobs
  FOR EACH ROW WHEN (NEW.parser_type = 'manual' AND NEW.latest_version IS NOT NULL AND NEW.last_outcome = 'none')
  EXECUTE FUNCTION complete_manual_job();

UPDATE scrape_jobs SET last_outcome = 'succeeded', last_outcome_at = latest_version_at
WHERE parser_type = 'manual' AND latest_version IS NOT NULL AND last_outcome = 'none';

-- Neither costs a job that succeeds again and again anything.
CREATE INDEX scrape_jobs_by_outcome ON scrape_jobs (organization_id, last_outcome, created_at, id);
CREATE INDEX gather_jobs_by_outcome ON gather_jobs (organization_id, last_outcome, created_at, id)
  WHERE helm_sync_job_id IS NULL;
