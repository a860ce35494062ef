-- Served by: 0.1.0 and later
-- Agents, the runs of jobs, and hooks that request runs.

CREATE TABLE agents (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('embedded', 'remote')),
  hostname text NOT NULL,
  version text NOT NULL,
  capabilities text[] NOT NULL,
  credential_names text[] NOT NULL,
  -- For the embedded agent: the credential names that each organization can use.
  credential_names_by_organization jsonb NOT NULL DEFAULT '{}',
  -- The API key of the agent's last heartbeat. Null for the embedded agent. It isn't a foreign key, which would lock
  -- the API key, so queries check whether the key still exists.
  api_key_id bigint,
  last_heartbeat_at timestamptz NOT NULL,
  offline_notified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, name)
);
CREATE INDEX agents_by_heartbeat ON agents (last_heartbeat_at);

-- One execution of a job, and the scheduled checks after it that changed nothing. An agent claims a queued run and renews
-- the lease while it works. The agent can belong to another organization, so `agent_id` isn't a foreign key.
CREATE TABLE runs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('gather', 'scrape', 'helm_sync', 'discovery', 'reference')),
  gather_job_id bigint,
  scrape_job_id bigint,
  helm_sync_job_id bigint,
  discovery_job_id bigint,
  reference_source_id bigint,
  -- The one of the IDs above that is set. A trigger copies it, because adding a kind to a generated column would
  -- rewrite the whole table. The default only lets inserts omit the column.
  job_id bigint NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'in_progress', 'succeeded', 'failed', 'canceled')),
  trigger text NOT NULL CHECK (trigger IN ('schedule', 'manual', 'created', 'changed', 'hook')),
  credential_name text,
  -- Capability that the agent needs: `gather:` with the source type, `scrape`, or `helm_sync`.
  capability text NOT NULL,
  -- The earliest time at which an agent can claim the run.
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- True if a gather run requests the complete list from the agent. The job's `last_full_at` can't show this
  -- afterwards, because clearing the releases of a job clears that time.
  is_full boolean NOT NULL DEFAULT false,
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
  -- The number of runs that the row counts: this run, and the following scheduled runs of the job on the same UTC day,
  -- which found no changes and have no rows. Their IDs are between `id` and `last_run_id`. Both columns for the last of
  -- them are null until a run is counted. The runs of the newest row are counted in the row of the job.
  checks integer NOT NULL DEFAULT 1,
  last_run_id bigint,
  last_finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK (num_nonnulls(last_run_id, last_finished_at) = CASE checks WHEN 1 THEN 0 ELSE 2 END),
  CHECK (num_nonnulls(gather_job_id, scrape_job_id, helm_sync_job_id, discovery_job_id, reference_source_id) = 1),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, helm_sync_job_id) REFERENCES helm_sync_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT runs_reference_source_fkey
    FOREIGN KEY (organization_id, reference_source_id) REFERENCES reference_sources (organization_id, id) ON DELETE CASCADE
) WITH (
  -- Counting a run changes no indexed column. With free space on the page, it writes no index entries.
  fillfactor = 70,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
-- A job has at most one open run. A second request succeeds but doesn't create another run.
CREATE UNIQUE INDEX runs_open ON runs (organization_id, kind, job_id) WHERE status IN ('queued', 'in_progress');
-- The queues: runs that the same agents can claim. The run that has waited longest comes first.
CREATE INDEX runs_queued ON runs (organization_id, capability, coalesce(credential_name, ''), due_at, id)
  WHERE status = 'queued';
CREATE INDEX runs_leased ON runs (lease_until) WHERE status = 'in_progress';
CREATE INDEX runs_by_gather_job ON runs (organization_id, gather_job_id, id) WHERE gather_job_id IS NOT NULL;
CREATE INDEX runs_by_scrape_job ON runs (organization_id, scrape_job_id, id) WHERE scrape_job_id IS NOT NULL;
CREATE INDEX runs_by_helm_sync_job ON runs (organization_id, helm_sync_job_id, id) WHERE helm_sync_job_id IS NOT NULL;
CREATE INDEX runs_by_discovery_job ON runs (organization_id, discovery_job_id, id) WHERE discovery_job_id IS NOT NULL;
CREATE INDEX runs_by_reference_source ON runs (organization_id, reference_source_id, id)
  WHERE reference_source_id IS NOT NULL;
CREATE INDEX runs_by_age ON runs (created_at, id);
CREATE UNIQUE INDEX runs_by_id ON runs (id);

CREATE FUNCTION runs_set_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.job_id := coalesce(
    NEW.gather_job_id, NEW.scrape_job_id, NEW.helm_sync_job_id, NEW.discovery_job_id, NEW.reference_source_id);
  RETURN NEW;
END
$$;
CREATE TRIGGER runs_set_job BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION runs_set_job();

-- Scheduled checks that an agent has claimed from the due rows of their jobs, one row for each claim and kind. A check is in
-- progress while its job has the same `due_at` and `requested_seq` as in the claim. Completing the check, or giving it a
-- row in `runs`, moves `due_at` and raises `requested_seq`, so the row of the job is written once per check. Claims are
-- deleted when all their checks have been completed together, or after the end of their lease.
CREATE TABLE check_claims (
  -- The organization of the agent, whose tasks can belong to other organizations.
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  lease_token uuid NOT NULL,
  kind text NOT NULL,
  agent_id bigint NOT NULL,
  started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  lease_until timestamptz NOT NULL,
  -- Each check has the same place in these arrays. `run_ids` are reserved from the sequence of `runs`.
  organization_ids bigint[] NOT NULL,
  job_ids bigint[] NOT NULL,
  run_ids bigint[] NOT NULL,
  due_ats timestamptz[] NOT NULL,
  requested_seqs bigint[] NOT NULL,
  -- The checks that request the complete list from the agent.
  full_run_ids bigint[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (organization_id, lease_token)
);
CREATE INDEX check_claims_by_token ON check_claims (lease_token);
CREATE INDEX check_claims_by_lease ON check_claims (lease_until);

-- Returns a run in JSON. The other arguments are columns of its job, which can count more runs for this row.
CREATE FUNCTION run_json(
  run runs, counted_in bigint, counted integer, last_counted_id bigint, last_counted_at timestamptz
) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('id', run.id, 'status', run.status, 'trigger', run.trigger, 'created_at', run.created_at,
    'started_at', run.started_at, 'finished_at', run.finished_at,
    'checks', run.checks + CASE counted_in WHEN run.id THEN counted ELSE 0 END,
    'last_run_id', CASE counted_in WHEN run.id THEN last_counted_id ELSE run.last_run_id END,
    'last_finished_at', CASE counted_in WHEN run.id THEN last_counted_at ELSE run.last_finished_at END,
    'agent_id', run.agent_id, 'attempt', run.attempt, 'error_code', run.error_code, 'error_message', run.error_message,
    'summary', run.summary, 'due_at', run.due_at, 'credential_name', run.credential_name)
$$;

-- Returns the check in progress of a job as a run in JSON, or null. The arguments are columns of the job. Only the agents
-- of the organization and those of organization 1 claim its jobs.
CREATE FUNCTION check_in_progress(
  job_kind text, organization bigint, job bigint, job_due_at timestamptz, job_requested_seq bigint
) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT json_build_object('id', claimed.run_id, 'status', 'in_progress', 'trigger', 'schedule', 'created_at', claimed.due_at,
    'started_at', claim.started_at, 'finished_at', NULL, 'checks', 1, 'last_run_id', NULL, 'last_finished_at', NULL,
    'agent_id', claim.agent_id, 'attempt', 1, 'error_code', NULL, 'error_message', NULL, 'summary', NULL,
    'due_at', claimed.due_at, 'credential_name', NULL)
  FROM check_claims AS claim
  CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.run_ids, claim.due_ats, claim.requested_seqs)
    AS claimed (organization_id, job_id, run_id, due_at, requested_seq)
  WHERE claim.organization_id IN (organization, 1) AND claim.kind = job_kind AND job = ANY(claim.job_ids)
    AND claimed.organization_id = organization
    AND claimed.job_id = job AND claimed.due_at = job_due_at AND claimed.requested_seq = job_requested_seq
  LIMIT 1
$$;

-- Returns the jobs of an organization with a check in progress.
CREATE FUNCTION in_check(job_kind text, organization bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT claimed.job_id
  FROM check_claims AS claim
  CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
    AS claimed (organization_id, job_id, due_at, requested_seq)
  WHERE claim.organization_id IN (organization, 1) AND claim.kind = job_kind AND claimed.organization_id = organization
    AND CASE job_kind
    WHEN 'gather' THEN EXISTS (
      SELECT FROM gather_jobs AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
        AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    WHEN 'scrape' THEN EXISTS (
      SELECT FROM scrape_jobs AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
        AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    WHEN 'helm_sync' THEN EXISTS (
      SELECT FROM helm_sync_jobs AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
        AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    ELSE false END
$$;

-- Results that an agent has sent and that aren't applied yet. A part that is sent again replaces the previous one. The
-- bytes of the parts are limited, so that no agent fills the disk.
CREATE TABLE run_parts (
  organization_id bigint NOT NULL,
  run_id bigint NOT NULL,
  lease_token uuid NOT NULL,
  sequence integer NOT NULL,
  items jsonb NOT NULL,
  bytes integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, run_id, lease_token, sequence),
  FOREIGN KEY (organization_id, run_id) REFERENCES runs (organization_id, id) ON DELETE CASCADE
);

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
