-- Counts the changes of what is deployed and where, so that a server knows whether what it computed of it still holds. Like
-- all counts, it is a sum of rows, so no change waits for another, and a reader sees a change and its row together. Only
-- scrape jobs with labels are in the matrix of environments; others cost nothing.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE row_counts
  DROP CONSTRAINT row_counts_subject_check,
  ADD CONSTRAINT row_counts_subject_check CHECK (subject IN ('alerts', 'alert_days', 'alert_configs', 'jobs', 'failed_jobs',
    'discovered_items', 'deployed_changes'));

CREATE FUNCTION count_deployed_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES (NEW.organization_id, 'deployed_changes', 'all', 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT DISTINCT organization_id, 'deployed_changes', 'all', 1 FROM changed
    WHERE labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER scrape_jobs_deployed_added AFTER INSERT ON scrape_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deployed_changes();
CREATE TRIGGER scrape_jobs_deployed_removed AFTER DELETE ON scrape_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deployed_changes();
CREATE TRIGGER scrape_jobs_deployed_changed AFTER UPDATE OF labels, latest_version, is_active ON scrape_jobs
  FOR EACH ROW WHEN ((OLD.labels <> '{}' OR NEW.labels <> '{}') AND
    (OLD.labels, OLD.latest_version, OLD.is_active) IS DISTINCT FROM (NEW.labels, NEW.latest_version, NEW.is_active))
  EXECUTE FUNCTION count_deployed_changes();
