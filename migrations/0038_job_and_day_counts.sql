-- Jobs, failed newest runs, and alerts opened and resolved on each day are counted like alerts and alert configurations.
-- Whether a job is active and how its newest run ended are counted on their own: each trigger sees only its own row, so
-- that no change of one has to wait for a change of the other.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE row_counts DROP CONSTRAINT row_counts_subject_check;
ALTER TABLE row_counts ADD CONSTRAINT row_counts_subject_check
  CHECK (subject IN ('alerts', 'alert_days', 'alert_configs', 'jobs', 'failed_jobs'));
CREATE INDEX row_counts_by_kind ON row_counts (organization_id, subject, kind);
-- Jobs whose newest run failed, the last failure first.
CREATE INDEX runs_newest_failed ON runs (organization_id, kind, finished_at DESC, job_id)
  WHERE is_newest AND status = 'failed';

CREATE FUNCTION alert_day(at timestamptz, what text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD ') || what
$$;

CREATE FUNCTION job_kind(kind text, is_active boolean) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN is_active THEN 'active ' ELSE 'inactive ' END || kind
$$;

CREATE OR REPLACE FUNCTION count_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT NEW.organization_id, subject, kind, sum(amount) FROM (VALUES
      ('alerts', alert_kind(OLD.severity, OLD.acknowledged_at, OLD.resolved_at), -1),
      ('alerts', alert_kind(NEW.severity, NEW.acknowledged_at, NEW.resolved_at), 1),
      ('alert_days', alert_day(OLD.created_at, 'opened'), -1),
      ('alert_days', alert_day(NEW.created_at, 'opened'), 1),
      ('alert_days', alert_day(OLD.resolved_at, 'resolved'), -1),
      ('alert_days', alert_day(NEW.resolved_at, 'resolved'), 1)) AS counted (subject, kind, amount)
    WHERE kind IS NOT NULL GROUP BY 2, 3 HAVING sum(amount) <> 0;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, subject, kind, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed CROSS JOIN LATERAL (VALUES
      ('alerts', alert_kind(severity, acknowledged_at, resolved_at)),
      ('alert_days', alert_day(created_at, 'opened')),
      ('alert_days', alert_day(resolved_at, 'resolved'))) AS counted (subject, kind)
    WHERE kind IS NOT NULL AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 2, 3;
  END IF;
  RETURN NULL;
END
$$;

DROP TRIGGER alerts_count_changed ON alerts;
CREATE TRIGGER alerts_count_changed AFTER UPDATE OF severity, acknowledged_at, resolved_at, created_at ON alerts
  FOR EACH ROW WHEN (OLD.resolved_at IS DISTINCT FROM NEW.resolved_at OR OLD.created_at <> NEW.created_at OR
    alert_kind(OLD.severity, OLD.acknowledged_at, OLD.resolved_at)
    <> alert_kind(NEW.severity, NEW.acknowledged_at, NEW.resolved_at)) EXECUTE FUNCTION count_alerts();

-- The argument of its triggers is the kind of the jobs.
CREATE FUNCTION count_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'jobs', job_kind(TG_ARGV[0], OLD.is_active), -1),
      (NEW.organization_id, 'jobs', job_kind(TG_ARGV[0], NEW.is_active), 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'jobs', job_kind(TG_ARGV[0], is_active),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER gather_jobs_count_added AFTER INSERT ON gather_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('gather');
CREATE TRIGGER gather_jobs_count_removed AFTER DELETE ON gather_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('gather');
CREATE TRIGGER gather_jobs_count_changed AFTER UPDATE OF is_active ON gather_jobs
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_jobs('gather');
CREATE TRIGGER scrape_jobs_count_added AFTER INSERT ON scrape_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('scrape');
CREATE TRIGGER scrape_jobs_count_removed AFTER DELETE ON scrape_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('scrape');
CREATE TRIGGER scrape_jobs_count_changed AFTER UPDATE OF is_active ON scrape_jobs
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_jobs('scrape');
CREATE TRIGGER helm_sync_jobs_count_added AFTER INSERT ON helm_sync_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_count_removed AFTER DELETE ON helm_sync_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('helm_sync');
CREATE TRIGGER helm_sync_jobs_count_changed AFTER UPDATE OF is_active ON helm_sync_jobs
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_jobs('helm_sync');

-- Runs are many and few fail, so each is counted on its own: nothing is collected of a statement that changes others.
CREATE FUNCTION count_failed_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  run runs;
  amount bigint := -1;
BEGIN
  IF TG_OP = 'DELETE' THEN run := OLD; ELSE run := NEW; END IF;
  IF TG_OP <> 'DELETE' AND run.is_newest AND run.status = 'failed' THEN amount := 1; END IF;
  INSERT INTO row_counts (organization_id, subject, kind, amount)
  SELECT id, 'failed_jobs', run.kind, amount FROM organizations WHERE id = run.organization_id;
  RETURN NULL;
END
$$;

CREATE TRIGGER runs_count_failed_added AFTER INSERT ON runs
  FOR EACH ROW WHEN (NEW.is_newest AND NEW.status = 'failed') EXECUTE FUNCTION count_failed_jobs();
CREATE TRIGGER runs_count_failed_removed AFTER DELETE ON runs
  FOR EACH ROW WHEN (OLD.is_newest AND OLD.status = 'failed') EXECUTE FUNCTION count_failed_jobs();
CREATE TRIGGER runs_count_failed_changed AFTER UPDATE OF is_newest, status ON runs
  FOR EACH ROW WHEN ((OLD.is_newest AND OLD.status = 'failed') <> (NEW.is_newest AND NEW.status = 'failed'))
  EXECUTE FUNCTION count_failed_jobs();

-- The triggers hold these tables until the end of this transaction: nobody changes what is counted here.
INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
SELECT organization_id, 'alert_days', kind, count(*), true
FROM alerts CROSS JOIN LATERAL (VALUES (alert_day(created_at, 'opened')), (alert_day(resolved_at, 'resolved'))) AS days (kind)
WHERE kind IS NOT NULL GROUP BY 1, 3
UNION ALL
SELECT organization_id, 'jobs', job_kind(kind, is_active), count(*), true
FROM (SELECT organization_id, is_active, 'gather' AS kind FROM gather_jobs
  UNION ALL SELECT organization_id, is_active, 'scrape' FROM scrape_jobs
  UNION ALL SELECT organization_id, is_active, 'helm_sync' FROM helm_sync_jobs) AS jobs GROUP BY 1, 3
UNION ALL
SELECT organization_id, 'failed_jobs', kind, count(*), true FROM runs WHERE is_newest AND status = 'failed' GROUP BY 1, 3;
