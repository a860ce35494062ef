-- Which run of a job is the newest was marked on the runs, so each new run wrote the one before once more, and three indexes of
-- runs were only about that. Lists by status read the newest runs of all jobs. How the newest run that has ended did end is
-- written on the job now, when that changes: a job that succeeds again and again isn't written for it. While a run is open, a
-- success of the run before stays, and a failure doesn't.
SET LOCAL lock_timeout = '500ms';

DROP TRIGGER runs_take_newest ON runs;
DROP FUNCTION runs_take_newest();
DROP TRIGGER runs_count_failed_added ON runs;
DROP TRIGGER runs_count_failed_removed ON runs;
DROP TRIGGER runs_count_failed_changed ON runs;
DROP FUNCTION count_failed_jobs();

DO $$
DECLARE
  kind text;
  jobs text;
BEGIN
  FOR kind, jobs IN VALUES ('gather', 'gather_jobs'), ('scrape', 'scrape_jobs'), ('helm_sync', 'helm_sync_jobs'),
    ('discovery', 'discovery_jobs'), ('reference', 'reference_sources')
  LOOP
    EXECUTE format($sql$
      ALTER TABLE %1$I
        ADD COLUMN last_outcome text NOT NULL DEFAULT 'none' CHECK (last_outcome IN ('none', 'succeeded', 'failed')),
        ADD COLUMN last_outcome_at timestamptz
    $sql$, jobs);
    EXECUTE format($sql$
      UPDATE %1$I AS job SET last_outcome = ended.status, last_outcome_at = ended.finished_at
      FROM runs AS newest CROSS JOIN LATERAL (
        SELECT status, finished_at FROM runs
        WHERE runs.organization_id = newest.organization_id AND runs.kind = newest.kind AND runs.job_id = newest.job_id
          AND runs.%2$I = newest.job_id AND runs.status NOT IN ('queued', 'in_progress')
        ORDER BY runs.id DESC LIMIT 1
      ) AS ended
      WHERE newest.kind = %3$L AND newest.is_newest AND job.organization_id = newest.organization_id AND job.id = newest.job_id
        AND (ended.status = 'succeeded' OR ended.status = 'failed' AND newest.status = 'failed')
    $sql$, jobs, CASE kind WHEN 'reference' THEN 'reference_source_id' ELSE kind || '_job_id' END, kind);
    CONTINUE WHEN kind = 'reference';
    -- Jobs that failed, the last failure first.
    EXECUTE format('CREATE INDEX %1$I ON %2$I (organization_id, last_outcome_at DESC, id) WHERE last_outcome = ''failed''',
      jobs || '_failed', jobs);
  END LOOP;
END
$$;

-- With its indexes.
ALTER TABLE runs DROP COLUMN is_newest;

-- One index of open runs instead of one for each kind.
CREATE UNIQUE INDEX runs_open ON runs (organization_id, kind, job_id) WHERE status IN ('queued', 'in_progress');
DROP INDEX runs_open_by_gather_job;
DROP INDEX runs_open_by_scrape_job;
DROP INDEX runs_open_by_helm_sync_job;
DROP INDEX runs_open_by_discovery_job;
DROP INDEX runs_open_by_reference_source;

-- Active jobs whose newest run failed. The argument of its triggers is the kind of the jobs.
CREATE FUNCTION count_failed_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  amount bigint := -1;
  organization bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN organization := OLD.organization_id; ELSE organization := NEW.organization_id; END IF;
  IF TG_OP <> 'DELETE' AND NEW.is_active AND NEW.last_outcome = 'failed' THEN amount := 1; END IF;
  INSERT INTO row_counts (organization_id, subject, kind, amount)
  SELECT id, 'failed_jobs', TG_ARGV[0], amount FROM organizations WHERE id = organization;
  RETURN NULL;
END
$$;

DO $$
DECLARE
  kind text;
  jobs text;
BEGIN
  FOR kind, jobs IN VALUES ('gather', 'gather_jobs'), ('scrape', 'scrape_jobs'), ('helm_sync', 'helm_sync_jobs'),
    ('discovery', 'discovery_jobs')
  LOOP
    EXECUTE format($sql$
      CREATE TRIGGER %1$I AFTER INSERT ON %2$I
        FOR EACH ROW WHEN (NEW.is_active AND NEW.last_outcome = 'failed') EXECUTE FUNCTION count_failed_jobs(%3$L)
    $sql$, jobs || '_count_failed_added', jobs, kind);
    EXECUTE format($sql$
      CREATE TRIGGER %1$I AFTER DELETE ON %2$I
        FOR EACH ROW WHEN (OLD.is_active AND OLD.last_outcome = 'failed') EXECUTE FUNCTION count_failed_jobs(%3$L)
    $sql$, jobs || '_count_failed_removed', jobs, kind);
    EXECUTE format($sql$
      CREATE TRIGGER %1$I AFTER UPDATE OF is_active, last_outcome ON %2$I
        FOR EACH ROW WHEN ((OLD.is_active AND OLD.last_outcome = 'failed') <> (NEW.is_active AND NEW.last_outcome = 'failed'))
        EXECUTE FUNCTION count_failed_jobs(%3$L)
    $sql$, jobs || '_count_failed_changed', jobs, kind);
  END LOOP;
END
$$;

-- The triggers hold the tables of jobs until the end of this transaction: nobody changes what is counted here.
DELETE FROM row_counts WHERE subject = 'failed_jobs';
INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
SELECT organization_id, 'failed_jobs', kind, count(*), true
FROM (SELECT organization_id, is_active, last_outcome, 'gather' AS kind FROM gather_jobs
  UNION ALL SELECT organization_id, is_active, last_outcome, 'scrape' FROM scrape_jobs
  UNION ALL SELECT organization_id, is_active, last_outcome, 'helm_sync' FROM helm_sync_jobs
  UNION ALL SELECT organization_id, is_active, last_outcome, 'discovery' FROM discovery_jobs) AS jobs
WHERE is_active AND last_outcome = 'failed' GROUP BY 1, 3;
