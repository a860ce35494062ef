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
