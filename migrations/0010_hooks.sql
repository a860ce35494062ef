-- Served by: 0.1.0 and later
-- Hooks that request runs.

-- Hooks: URLs that a platform calls after a push or for a new image, so that the jobs that read it run.
CREATE TABLE hooks (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- 128 random bits, the end of the URL.
  public_id text NOT NULL UNIQUE,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN (
    'github', 'gitlab', 'gitea', 'bitbucket', 'azure_devops', 'generic', 'registry', 'docker_hub', 'harbor', 'quay')),
  -- Null only within the transaction that creates the hook: the secret is bound to the row.
  secret_sealed bytea,
  last_received_at timestamptz,
  -- The number of jobs that the last event named. 0 means that the event had no effect.
  last_event_jobs integer,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX hooks_newest ON hooks (organization_id, created_at, id);

-- Deliveries of the last hour. A second delivery with the same key has no effect.
CREATE TABLE hook_deliveries (
  organization_id bigint NOT NULL,
  hook_id bigint NOT NULL,
  key bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, hook_id, key),
  FOREIGN KEY (organization_id, hook_id) REFERENCES hooks (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX hook_deliveries_by_age ON hook_deliveries (received_at);

-- Jobs that a hook event refers to. A job is due when a run is to be requested for it, at most once a minute.
CREATE TABLE hooked_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('gather', 'scrape', 'discovery')),
  job_id bigint NOT NULL,
  last_run_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, kind, job_id)
);
CREATE INDEX hooked_jobs_due ON hooked_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX hooked_jobs_in_turn ON hooked_jobs (organization_id, due_at) WHERE due_at <> 'infinity';
