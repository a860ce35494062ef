-- Each success of a job wrote an entry into every index of its table, because one of them was about the last success. That index is
-- now about a success that is noted when the one noted before is older than a day and a half. Who searches for jobs that
-- might be failing finds those that succeeded after it as well, and looks at `last_success_at`.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE scrape_jobs ADD COLUMN success_noted_at timestamptz;
ALTER TABLE gather_jobs ADD COLUMN success_noted_at timestamptz;
DROP INDEX scrape_jobs_by_success;
DROP INDEX gather_jobs_by_success;
CREATE INDEX scrape_jobs_by_success ON scrape_jobs ((greatest(coalesce(success_noted_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE INDEX gather_jobs_by_success ON gather_jobs ((greatest(coalesce(success_noted_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;

CREATE FUNCTION note_success() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.success_noted_at := NEW.last_success_at;
  RETURN NEW;
END
$$;
-- A noted success is never later than the last one, also when a clock that was ahead is set back.
CREATE TRIGGER scrape_jobs_note_success BEFORE UPDATE OF last_success_at ON scrape_jobs FOR EACH ROW
  WHEN ((NEW.last_success_at IS NULL AND OLD.success_noted_at IS NOT NULL) OR NEW.last_success_at < OLD.success_noted_at
    OR NEW.last_success_at - interval '36 hours' > greatest(coalesce(OLD.success_noted_at, OLD.created_at), OLD.updated_at))
  EXECUTE FUNCTION note_success();
CREATE TRIGGER gather_jobs_note_success BEFORE UPDATE OF last_success_at ON gather_jobs FOR EACH ROW
  WHEN ((NEW.last_success_at IS NULL AND OLD.success_noted_at IS NOT NULL) OR NEW.last_success_at < OLD.success_noted_at
    OR NEW.last_success_at - interval '36 hours' > greatest(coalesce(OLD.success_noted_at, OLD.created_at), OLD.updated_at))
  EXECUTE FUNCTION note_success();
