-- Who does the work, and each piece of it.

CREATE TABLE agents (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('embedded', 'remote')),
  hostname text NOT NULL,
  version text NOT NULL,
  capabilities text[] NOT NULL,
  credential_names text[] NOT NULL,
  -- Of the embedded agent: which credential names serve which organization.
  credential_names_by_organization jsonb NOT NULL DEFAULT '{}',
  last_heartbeat_at timestamptz NOT NULL,
  offline_told_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name)
);
CREATE INDEX agents_by_heartbeat ON agents (last_heartbeat_at);

-- One execution of a job. A queued run is claimed by an agent (agents may live in another organization's
-- server, so the agent is named without a foreign key); the lease is renewed while it works.
CREATE TABLE runs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('gather', 'scrape', 'helm_sync')),
  gather_job_id bigint,
  scrape_job_id bigint,
  helm_sync_job_id bigint,
  job_id bigint NOT NULL GENERATED ALWAYS AS (coalesce(gather_job_id, scrape_job_id, helm_sync_job_id)) STORED,
  -- The last one of its job, whose state is the state of the job.
  is_newest boolean NOT NULL DEFAULT true,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'in_progress', 'succeeded', 'failed', 'canceled')),
  trigger text NOT NULL CHECK (trigger IN ('schedule', 'manual', 'created', 'changed')),
  credential_name text,
  -- What an agent must be able to do: `gather:` with the source type, `scrape`, `helm_sync`.
  capability text NOT NULL,
  -- Not to be claimed before.
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  attempt integer NOT NULL DEFAULT 0,
  agent_id bigint,
  agent_organization_id bigint,
  lease_token uuid,
  lease_until timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  error_code text,
  error_message text,
  summary jsonb,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK (num_nonnulls(gather_job_id, scrape_job_id, helm_sync_job_id) = 1),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, helm_sync_job_id) REFERENCES helm_sync_jobs (organization_id, id) ON DELETE CASCADE
);
-- At most one open run of a job; asking for a second one is no error and no run.
CREATE UNIQUE INDEX runs_open_by_gather_job ON runs (organization_id, gather_job_id)
  WHERE gather_job_id IS NOT NULL AND status IN ('queued', 'in_progress');
CREATE UNIQUE INDEX runs_open_by_scrape_job ON runs (organization_id, scrape_job_id)
  WHERE scrape_job_id IS NOT NULL AND status IN ('queued', 'in_progress');
CREATE UNIQUE INDEX runs_open_by_helm_sync_job ON runs (organization_id, helm_sync_job_id)
  WHERE helm_sync_job_id IS NOT NULL AND status IN ('queued', 'in_progress');
-- The queues: runs that the same agents may take, the longest waiting first.
CREATE INDEX runs_queued ON runs (organization_id, capability, coalesce(credential_name, ''), due_at, id)
  WHERE status = 'queued';
CREATE INDEX runs_leased ON runs (lease_until) WHERE status = 'in_progress';
CREATE INDEX runs_by_gather_job ON runs (organization_id, gather_job_id, id) WHERE gather_job_id IS NOT NULL;
CREATE INDEX runs_by_scrape_job ON runs (organization_id, scrape_job_id, id) WHERE scrape_job_id IS NOT NULL;
CREATE INDEX runs_by_helm_sync_job ON runs (organization_id, helm_sync_job_id, id) WHERE helm_sync_job_id IS NOT NULL;
CREATE INDEX runs_newest ON runs (organization_id, kind, job_id) WHERE is_newest;
CREATE INDEX runs_newest_by_status ON runs (organization_id, kind, status, job_id) WHERE is_newest;
CREATE INDEX runs_by_age ON runs (created_at, id);
CREATE UNIQUE INDEX runs_by_id ON runs (id);

-- Lists and the overview ask for jobs by the state of their last run. Finding it job by job takes as long as there are
-- jobs; so whatever adds a run takes the mark from the one before.
CREATE FUNCTION runs_take_newest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE runs SET is_newest = false
  FROM (SELECT organization_id, kind, job_id, max(id) AS id FROM added GROUP BY organization_id, kind, job_id) AS added
  WHERE runs.organization_id = added.organization_id AND runs.kind = added.kind AND runs.job_id = added.job_id
    AND runs.is_newest AND runs.id < added.id;
  RETURN NULL;
END $$;
CREATE TRIGGER runs_take_newest AFTER INSERT ON runs REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION runs_take_newest();

-- What an agent has sent of a run and is not applied yet. A part that is sent again replaces the former.
CREATE TABLE run_parts (
  organization_id bigint NOT NULL,
  run_id bigint NOT NULL,
  lease_token uuid NOT NULL,
  sequence integer NOT NULL,
  items jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, run_id, lease_token, sequence),
  FOREIGN KEY (organization_id, run_id) REFERENCES runs (organization_id, id) ON DELETE CASCADE
);
