-- Hooks: addresses at which a platform tells of a push or a new image, so that the jobs that read it run.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE hooks (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- 128 random bits, the end of its address.
  public_id text NOT NULL UNIQUE,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('github', 'gitlab', 'gitea', 'generic', 'registry', 'docker_hub')),
  -- NULL only within the transaction that creates it: the secret is bound to the row.
  secret_sealed bytea,
  last_received_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX hooks_newest ON hooks (organization_id, created_at, id);

-- What was received in the last hour: a second one of a key has no effect.
CREATE TABLE hook_deliveries (
  organization_id bigint NOT NULL,
  hook_id bigint NOT NULL,
  key bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, hook_id, key),
  FOREIGN KEY (organization_id, hook_id) REFERENCES hooks (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX hook_deliveries_by_age ON hook_deliveries (received_at);

-- Jobs that a hook has named: due when a run is to be requested, at most one a minute.
CREATE TABLE hooked_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('gather', 'scrape', 'discovery')),
  job_id bigint NOT NULL,
  last_run_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, kind, job_id)
);
CREATE INDEX hooked_jobs_due ON hooked_jobs (due_at) WHERE due_at < 'infinity';

ALTER TABLE runs DROP CONSTRAINT runs_trigger_check,
  ADD CONSTRAINT runs_trigger_check
    CHECK (trigger IN ('schedule', 'manual', 'created', 'changed', 'hook')) NOT VALID;

-- Each push looks jobs up by what they read.
CREATE INDEX scrape_jobs_by_repository ON scrape_jobs (organization_id, repository_url) WHERE repository_url IS NOT NULL;
CREATE INDEX discovery_jobs_by_repository ON discovery_jobs (organization_id, repository_url)
  WHERE repository_url IS NOT NULL;
