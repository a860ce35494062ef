-- Work that comes round by itself: one due row for each kind, shared by all servers.
CREATE TABLE housekeeping_tasks (
  name text PRIMARY KEY,
  state jsonb NOT NULL DEFAULT '{}',
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX housekeeping_tasks_due ON housekeeping_tasks (due_at) WHERE due_at < 'infinity';

-- PostgreSQL's own housekeeping. By itself it cleans a table up when a fifth of its rows is dead: of a million runs
-- that is 200,000, whose entries every index drags along meanwhile, that of the queue too. For what comes and goes, and
-- for what is written again and again, a fiftieth is enough.
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY[
    'runs', 'releases', 'versions', 'alerts', 'audit_entries', 'notification_deliveries', 'delivery_attempts',
    'notification_rule_matches', 'gather_jobs', 'helm_sync_jobs', 'release_fan_outs', 'scrape_jobs', 'alert_configs',
    'alert_config_explanations', 'notification_channels'
  ] LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)', name);
  END LOOP;
END $$;

-- With room on its page a row that is written again stays there, and if no index has what changed (a lease, an explanation,
-- the health of a channel) no index is written. Runs and deliveries have no use for it: whatever changes there is in one.
ALTER TABLE gather_jobs SET (fillfactor = 85);
ALTER TABLE helm_sync_jobs SET (fillfactor = 85);
ALTER TABLE release_fan_outs SET (fillfactor = 75);
ALTER TABLE alert_configs SET (fillfactor = 80);
ALTER TABLE alert_config_explanations SET (fillfactor = 75);
ALTER TABLE notification_channels SET (fillfactor = 75);
