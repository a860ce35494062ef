-- Served by: 0.1.0 and later
-- Agents, the runs of jobs, and the four kinds of jobs of organizations: discovery jobs find what is deployed, scrape
-- jobs read deployed versions, helm sync jobs list the charts of a repository, and gather jobs read releases.
--
-- Pages of these tables keep free space (`fillfactor`): an updated row then stays on its page, and if no index contains
-- the changed columns (leases, the latest version), no index is written.

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
  -- `add_job_kind` adds a column for each kind, which refers to the table of its jobs.
  kind text NOT NULL,
  -- The ID in the column of the kind. A trigger copies it, because adding a kind to a generated column would rewrite the
  -- whole table. The default only lets inserts omit the column; a run of an unknown kind fails the check.
  job_id bigint NOT NULL DEFAULT 0 CHECK (job_id > 0),
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
  CHECK (num_nonnulls(last_run_id, last_finished_at) = CASE checks WHEN 1 THEN 0 ELSE 2 END)
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
CREATE INDEX runs_by_age ON runs (created_at, id);
CREATE UNIQUE INDEX runs_by_id ON runs (id);

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

-- Returns the claimed checks of a kind that agents of one organization and of organization 1 have, or all agents if the
-- organization is null. The function must be volatile: it then reads claims that were committed after the start of the
-- statement that calls it, which a claim does after it has locked its jobs.
CREATE FUNCTION claimed_checks_now(job_kind text, agent_organization bigint)
RETURNS TABLE (organization_id bigint, job_id bigint, due_at timestamptz, requested_seq bigint)
LANGUAGE sql VOLATILE AS $$
  SELECT claimed.*
  FROM check_claims AS claim
  CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs) AS claimed
  WHERE claim.kind = job_kind AND (agent_organization IS NULL OR claim.organization_id IN (agent_organization, 1))
$$;

-- Adds a kind of jobs with an existing table: the column in `runs` that refers to the table, and the function
-- `<kind>_in_check`, which returns the jobs of an organization with a check in progress.
CREATE FUNCTION add_job_kind(kind text, jobs text, job_column text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format($statements$
    ALTER TABLE runs ADD COLUMN %2$I bigint,
      ADD CHECK ((kind = %1$L) = (%2$I IS NOT NULL)),
      ADD FOREIGN KEY (organization_id, %2$I) REFERENCES %3$I (organization_id, id) ON DELETE CASCADE;
    CREATE INDEX %4$I ON runs (organization_id, %2$I, id) WHERE %2$I IS NOT NULL;

    CREATE FUNCTION %5$I() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      NEW.job_id := NEW.%2$I;
      RETURN NEW;
    END
    $body$;
    CREATE TRIGGER %5$I BEFORE INSERT ON runs FOR EACH ROW WHEN (NEW.%2$I IS NOT NULL) EXECUTE FUNCTION %5$I();

    CREATE FUNCTION %6$I(organization bigint) RETURNS SETOF bigint LANGUAGE sql STABLE PARALLEL SAFE AS $body$
      SELECT claimed.job_id
      FROM check_claims AS claim
      CROSS JOIN LATERAL unnest(claim.organization_ids, claim.job_ids, claim.due_ats, claim.requested_seqs)
        AS claimed (organization_id, job_id, due_at, requested_seq)
      WHERE claim.organization_id IN (organization, 1) AND claim.kind = %1$L AND claimed.organization_id = organization
        AND EXISTS (
          SELECT FROM %3$I AS jobs WHERE jobs.organization_id = organization AND jobs.id = claimed.job_id
            AND jobs.due_at = claimed.due_at AND jobs.requested_seq = claimed.requested_seq)
    $body$
  $statements$, kind, job_column, jobs, 'runs_by_' || regexp_replace(job_column, '_id$', ''), 'runs_set_' || job_column,
    kind || '_in_check');
END
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

-- Discovery jobs read descriptions of deployed software, such as a Git repository or a cluster. They find items, and
-- each accepted item feeds a scrape job.
CREATE TABLE discovery_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('git_repository', 'kubernetes_cluster', 'container_host', 'repository_group')),
  repository_url text,
  ref text,
  -- The value of the label `cluster` of all items. Items of repositories with the same label are compared with the
  -- items of the cluster.
  cluster_name text,
  helm_secrets boolean NOT NULL DEFAULT false,
  -- The cluster that the first scan found. Scans of another cluster fail.
  cluster_uid text,
  -- The value of the label `host` of all items, and the host that the first scan found. Both work as for clusters.
  host_name text,
  host_uid text,
  -- A repository group lists the repositories of an organization on a forge. Each of these repositories has a separate
  -- job.
  group_url text,
  forge text CHECK (forge IN ('github', 'gitlab', 'gitea')),
  -- `{"include", "exclude", "topics", "languages", "archived", "forks"}`
  repository_filter jsonb,
  -- The job of the group that the repository is in. It sets the fields of this job and requests its runs.
  group_job_id bigint,
  -- The ID of the repository on the forge, which a new name doesn't change.
  forge_id text,
  -- The time of the last push, from the list of the forge.
  pushed_at timestamptz,
  -- The `pushed_at` that a requested scan includes. Null: the next list requests a scan.
  read_push timestamptz,
  -- Set by the first complete list without the repository, with the reason if the filter excludes it.
  unlisted_since timestamptz,
  unlisted_reason text,
  -- The URL of a repository that was moved out of the group (`unlisted_reason` is `moved`).
  moved_to text,
  -- `held` after a second list without the repository, and `confirmed` after a person has confirmed the removals that
  -- were held at that time. The next list without the repository removes it only if the removal is `confirmed`. A list
  -- with the repository clears this column.
  removal text CHECK (removal IN ('held', 'confirmed')),
  -- True after a person has confirmed that the repository was removed. Its items are gone, and the job is inactive.
  is_removed boolean NOT NULL DEFAULT false,
  include text[] NOT NULL DEFAULT '{}',
  exclude text[] NOT NULL DEFAULT '{}',
  -- Empty: all extractors.
  extractors text[] NOT NULL DEFAULT '{}',
  label_rules jsonb NOT NULL DEFAULT '[]',
  -- `[{"name", "path", "pattern", "templates"}]`, patterns for versions that no extractor reads.
  custom_extractors jsonb NOT NULL DEFAULT '[]',
  -- `[{"artifact", "key", "path", "reason", "is_ignored"}]`, items that are ignored also before a scan finds them.
  ignore_rules jsonb NOT NULL DEFAULT '[]',
  accept text NOT NULL DEFAULT 'ask' CHECK (accept IN ('ask', 'known', 'all')),
  -- Roles of the items that are accepted automatically. A request to accept items by a filter without roles uses the
  -- same roles.
  accept_roles text[] NOT NULL DEFAULT '{deployed}'
    CHECK (cardinality(accept_roles) > 0 AND accept_roles <@ '{deployed,build,ci}'),
  -- The rule for alert configurations that are created automatically. Deleting the rule sets this to null.
  default_rule_id bigint,
  credential_name text,
  -- `[{"host", "credential_name"}]`, for the gather jobs of accepted items.
  source_credentials jsonb NOT NULL DEFAULT '[]',
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC',
  is_active boolean NOT NULL DEFAULT true,
  -- State of the source at the last success, for the next run. Null: the next run reads everything.
  validators jsonb,
  -- Coverage of the last scan that read the repository: its files, those without versions, and skipped directories.
  coverage jsonb,
  -- Set while more than three accepted items, and more than half of them, are missing. The missing items don't change
  -- until a person confirms the loss. `gone_held_count` is the number of missing accepted items. A scan that finds
  -- enough items clears both columns.
  gone_held_at timestamptz,
  gone_held_count integer,
  -- True if the next scan can miss any number of items, because a person confirmed the loss or changed what the job
  -- reads. That scan sets it to false.
  is_loss_expected boolean NOT NULL DEFAULT false,
  -- The time of the last scan that found all accepted items, or whose loss a person confirmed. `gone_held_at` considers
  -- only items that were first found before this time.
  confirmed_at timestamptz,
  -- The found items are considered running until this time, and each success extends it. Null: they aren't considered
  -- running.
  live_until timestamptz,
  last_success_at timestamptz,
  -- The result of the newest run that has ended. It's written only when it changes, so that a job that succeeds again
  -- and again causes no writes. A new run keeps a success and clears a failure.
  last_outcome text NOT NULL DEFAULT 'none' CHECK (last_outcome IN ('none', 'succeeded', 'failed')),
  last_outcome_at timestamptz,
  -- Set when the job hasn't succeeded for so long that dependent data is stale. The next success clears it.
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- The scheduled runs without changes that the newest row in `runs` doesn't count yet: the ID of that row, their number,
  -- and the ID and the end of the last of them. They are added to the row when a run is counted in a later row.
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, default_rule_id) REFERENCES rules (organization_id, id),
  CHECK ((kind = 'git_repository') = (repository_url IS NOT NULL)),
  CHECK ((repository_url IS NULL) = (ref IS NULL)),
  CHECK ((gone_held_at IS NULL) = (gone_held_count IS NULL)),
  CONSTRAINT discovery_jobs_cluster_check CHECK ((kind = 'kubernetes_cluster') = (cluster_name IS NOT NULL)),
  CONSTRAINT discovery_jobs_host_check CHECK ((kind = 'container_host') = (host_name IS NOT NULL)),
  FOREIGN KEY (organization_id, group_job_id) REFERENCES discovery_jobs (organization_id, id),
  CONSTRAINT discovery_jobs_group_check
    CHECK ((kind = 'repository_group') = (group_url IS NOT NULL) AND (group_url IS NULL) = (forge IS NULL)
      AND (group_url IS NULL) = (repository_filter IS NULL)),
  CONSTRAINT discovery_jobs_grouped_check CHECK ((group_job_id IS NULL) = (forge_id IS NULL)
    AND (group_job_id IS NULL OR kind = 'git_repository')),
  CHECK (NOT is_removed OR (unlisted_since IS NOT NULL AND NOT is_active)),
  CHECK (removal IS NULL OR (unlisted_since IS NOT NULL AND NOT is_removed)),
  CHECK ((moved_to IS NOT NULL) = (coalesce(unlisted_reason, '') = 'moved')),
  CHECK (num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0 THEN 0 ELSE 3 END)
) WITH (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX discovery_jobs_due ON discovery_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX discovery_jobs_in_turn ON discovery_jobs (organization_id, due_at) WHERE due_at <> 'infinity';
-- Lists exclude the jobs of a group's repositories, which are listed separately.
CREATE INDEX discovery_jobs_newest ON discovery_jobs (organization_id, created_at, id) WHERE group_job_id IS NULL;
CREATE INDEX discovery_jobs_by_name ON discovery_jobs (organization_id, lower(name), id) WHERE group_job_id IS NULL;
CREATE INDEX discovery_jobs_of_group ON discovery_jobs (organization_id, group_job_id, lower(name), id)
  WHERE group_job_id IS NOT NULL;
CREATE INDEX discovery_jobs_by_rule ON discovery_jobs (organization_id, default_rule_id)
  WHERE default_rule_id IS NOT NULL;
-- Scheduled jobs that may be failing: the one whose last success is longest ago comes first.
CREATE INDEX discovery_jobs_by_success
  ON discovery_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE INDEX discovery_jobs_failed ON discovery_jobs (organization_id, last_outcome_at DESC, id)
  WHERE last_outcome = 'failed';
CREATE INDEX discovery_jobs_live ON discovery_jobs (live_until) WHERE live_until < 'infinity';
CREATE UNIQUE INDEX discovery_jobs_by_group ON discovery_jobs (organization_id, group_job_id, forge_id)
  WHERE group_job_id IS NOT NULL;
CREATE INDEX discovery_jobs_groups ON discovery_jobs (organization_id, id) WHERE kind = 'repository_group';
-- Each push that a hook receives looks up the jobs that read the repository.
CREATE INDEX discovery_jobs_by_repository ON discovery_jobs (organization_id, repository_url)
  WHERE repository_url IS NOT NULL;
CALL raise_revision_on_change('discovery_jobs', ARRAY[
  'name', 'kind', 'repository_url', 'ref', 'cluster_name', 'helm_secrets', 'host_name', 'group_url', 'forge',
  'repository_filter', 'include', 'exclude', 'extractors', 'label_rules', 'custom_extractors', 'ignore_rules', 'accept', 'accept_roles', 'default_rule_id', 'credential_name',
  'source_credentials',
  'cron_expression', 'cron_timezone', 'is_active']);

-- The repositories of a group have no schedules, because each list of the group requests their scans. They keep the
-- cron expression of the group, which determines when data is stale without a success.
CREATE FUNCTION leave_schedule_to_group() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.due_at := 'infinity';
  RETURN NEW;
END
$$;
CREATE TRIGGER discovery_jobs_leave_schedule_to_group BEFORE INSERT OR UPDATE OF due_at ON discovery_jobs
  FOR EACH ROW WHEN (NEW.group_job_id IS NOT NULL AND NEW.due_at > pacekeeper_now())
  EXECUTE FUNCTION leave_schedule_to_group();

CREATE TABLE scrape_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  parser_type text NOT NULL CHECK (parser_type IN ('yq', 'jq', 'regex', 'sbom', 'manual', 'discovered')),
  source text NOT NULL DEFAULT 'git' CHECK (source IN ('git', 'http', 'prometheus')),
  repository_url text,
  ref text,
  target_file text,
  url text,
  query text,
  label text,
  series jsonb NOT NULL DEFAULT '{}',
  parse_expression text,
  version_transform text NOT NULL DEFAULT 'none'
    CHECK (version_transform IN ('none', 'add_v_lower', 'add_v_upper', 'strip_v_lower', 'strip_v_upper')),
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC',
  -- A job that a discovery job feeds has no schedule: the scan sets its versions.
  discovery_job_id bigint,
  labels jsonb NOT NULL DEFAULT '{}',
  history_limit integer NOT NULL DEFAULT 100,
  is_active boolean NOT NULL DEFAULT true,
  -- The number of unchanged snapshots. Updated when a version is set, so that setting a version doesn't have to count
  -- them all.
  unchanged_count integer NOT NULL DEFAULT 0,
  latest_version text,
  latest_version_at timestamptz,
  -- The time at which the latest version was deployed, according to its report. Null: `latest_version_at`.
  latest_deployed_at timestamptz,
  -- The version before the latest one. Releases with either version are never dropped.
  previous_version text,
  -- The method that derived the latest version. Null: the version was read directly or set.
  match text,
  -- The time of the last reading that confirmed the latest version. Scans that find no change don't update it: while no
  -- gap is open, the last success of the discovery job confirms the version as well.
  last_read_at timestamptz,
  -- The last confirmed reading before reads failed or stopped. The next reading ends the gap. Null: no gap is open.
  gap_since timestamptz,
  gap_reason text CHECK (gap_reason IN ('read_failed', 'not_read', 'unread_item', 'missing_item', 'disabled', 'detached')),
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none' CHECK (last_outcome IN ('none', 'succeeded', 'failed')),
  last_outcome_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- As in `discovery_jobs`.
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id),
  CHECK (parser_type = 'discovered' OR CASE source
    WHEN 'git' THEN (parser_type = 'manual') = (repository_url IS NULL) AND url IS NULL
    ELSE parser_type <> 'manual' AND repository_url IS NULL AND url IS NOT NULL END),
  CONSTRAINT scrape_jobs_query_check
    CHECK ((source = 'prometheus') = (query IS NOT NULL) AND (query IS NULL) = (label IS NULL)),
  CONSTRAINT scrape_jobs_discovered_check CHECK ((parser_type = 'discovered') = (discovery_job_id IS NOT NULL)),
  CONSTRAINT scrape_jobs_schedule_check CHECK (discovery_job_id IS NULL OR cron_expression IS NULL),
  CHECK (num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0 THEN 0 ELSE 3 END)
) WITH (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX scrape_jobs_due ON scrape_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX scrape_jobs_in_turn ON scrape_jobs (organization_id, due_at) WHERE due_at <> 'infinity';
CREATE INDEX scrape_jobs_newest ON scrape_jobs (organization_id, created_at, id) INCLUDE (is_active);
CREATE INDEX scrape_jobs_inactive ON scrape_jobs (organization_id, created_at, id) WHERE NOT is_active;
CREATE INDEX scrape_jobs_by_name ON scrape_jobs (organization_id, lower(name), id);
CREATE INDEX scrape_jobs_by_parser ON scrape_jobs (organization_id, parser_type, created_at, id);
CREATE INDEX scrape_jobs_by_success ON scrape_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE INDEX scrape_jobs_by_outcome ON scrape_jobs (organization_id, last_outcome, created_at, id);
CREATE INDEX scrape_jobs_failed ON scrape_jobs (organization_id, last_outcome_at DESC, id)
  WHERE last_outcome = 'failed';
CREATE INDEX scrape_jobs_by_discovery_job ON scrape_jobs (organization_id, discovery_job_id, id)
  WHERE discovery_job_id IS NOT NULL;
CREATE INDEX scrape_jobs_by_repository ON scrape_jobs (organization_id, repository_url)
  WHERE repository_url IS NOT NULL;
CREATE INDEX scrape_jobs_by_labels ON scrape_jobs USING gin (labels jsonb_path_ops) WHERE labels <> '{}';
-- The matrix of environments in its order, unless the settings specify other labels.
CREATE INDEX scrape_jobs_by_service ON scrape_jobs
  (organization_id, (labels ->> 'service') COLLATE "C", (coalesce(labels ->> 'component', '')) COLLATE "C", id)
  WHERE labels ->> 'service' IS NOT NULL;
CREATE INDEX scrape_jobs_by_environment ON scrape_jobs (organization_id, (labels ->> 'environment') COLLATE "C")
  WHERE labels ->> 'environment' IS NOT NULL;
CALL raise_revision_on_change('scrape_jobs', ARRAY[
  'name', 'parser_type', 'source', 'repository_url', 'ref', 'target_file', 'url', 'query', 'label', 'series',
  'parse_expression', 'version_transform', 'credential_name', 'cron_expression', 'cron_timezone', 'history_limit',
  'is_active', 'labels']);

-- A manual job has no runs, so its first version is recorded as the success of a run. Versions are set in several
-- places, and a discovered job can become a manual one, so a trigger does this.
CREATE FUNCTION complete_manual_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.last_outcome := 'succeeded';
  NEW.last_outcome_at := NEW.latest_version_at;
  RETURN NEW;
END
$$;
CREATE TRIGGER scrape_jobs_complete_manual BEFORE INSERT OR UPDATE ON scrape_jobs
  FOR EACH ROW WHEN (NEW.parser_type = 'manual' AND NEW.latest_version IS NOT NULL AND NEW.last_outcome = 'none')
  EXECUTE FUNCTION complete_manual_job();

CREATE TABLE helm_sync_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  repository_url text NOT NULL,
  chart_filter text[],
  create_gather_jobs boolean NOT NULL DEFAULT true,
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC',
  is_active boolean NOT NULL DEFAULT true,
  -- Headers of the repository's last response, for the next conditional request.
  validators jsonb,
  chart_count integer NOT NULL DEFAULT 0,
  -- The discovery job whose accepted items created this job. Null if no discovery job created it.
  discovery_job_id bigint,
  -- The time of the last complete list of charts. The charts of that list are shown until the next one.
  charts_listed_at timestamptz,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none' CHECK (last_outcome IN ('none', 'succeeded', 'failed')),
  last_outcome_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- As in `discovery_jobs`.
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id)
    ON DELETE SET NULL (discovery_job_id),
  CHECK (num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0 THEN 0 ELSE 3 END)
) WITH (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX helm_sync_jobs_due ON helm_sync_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX helm_sync_jobs_in_turn ON helm_sync_jobs (organization_id, due_at) WHERE due_at <> 'infinity';
CREATE INDEX helm_sync_jobs_newest ON helm_sync_jobs (organization_id, created_at, id);
CREATE INDEX helm_sync_jobs_by_success
  ON helm_sync_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE INDEX helm_sync_jobs_failed ON helm_sync_jobs (organization_id, last_outcome_at DESC, id)
  WHERE last_outcome = 'failed';
CREATE INDEX helm_sync_jobs_by_discovery_job ON helm_sync_jobs (organization_id, discovery_job_id)
  WHERE discovery_job_id IS NOT NULL;
CALL raise_revision_on_change('helm_sync_jobs', ARRAY[
  'name', 'repository_url', 'chart_filter', 'create_gather_jobs', 'credential_name', 'cron_expression',
  'cron_timezone', 'is_active']);

-- Returns an artifact name without its scheme, its user, and the port of SSH, like the function in
-- `repository-address.ts`. The planner inlines this function and the next one, because they are single expressions.
CREATE FUNCTION artifact_address(artifact_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(
    regexp_replace(artifact_name, '^ssh://([^/@]*@)?([^/:]+):[0-9]+/', '\2/', 'i'), '^[a-z+]+://([^/@]*@)?', '', 'i')
$$;

-- Returns one address for all spellings of an artifact name, like the function in `repository-address.ts`. A Git
-- repository can be a source with a URL, or one of a forge. Functions in indexes can't use other functions of the schema.
CREATE FUNCTION repository_address(artifact_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT regexp_replace(
    regexp_replace(
      regexp_replace(
        CASE
          WHEN artifact_name ~* '^([a-z+]+://)?([^/@]*@)?((www\.)?(github\.com|gitlab\.com)|codeberg\.org|bitbucket\.org|(ssh\.)?dev\.azure\.com|(gitlab|gitea|forgejo)\.[^/:]+)(:[0-9]+)?/'
            THEN lower(artifact_name)
          ELSE artifact_name
        END,
        '^ssh://([^/@]*@)?([^/:]+):[0-9]+/', '\2/', 'i'),
      '^[a-z+]+://([^/@]*@)?', '', 'i'),
    '^www\.|(\.git)?/*$', '', 'g')
$$;

CREATE TABLE gather_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  source_type text NOT NULL,
  artifact_name text NOT NULL,
  source_options jsonb NOT NULL DEFAULT '{}',
  version_scheme text NOT NULL CHECK (version_scheme IN ('auto', 'semver', 'odd_minor', 'minor_90', 'patch_99', 'ceph')),
  version_pattern text,
  include_prereleases boolean NOT NULL DEFAULT true,
  max_releases integer,
  -- Releases that all alert configurations of the job ignore, and releases that they compare although these don't fit
  -- the other releases of their line. For each compared release, `counted_since` is the time from which its days are
  -- counted.
  ignored_versions text[] NOT NULL DEFAULT '{}',
  counted_versions text[] NOT NULL DEFAULT '{}',
  counted_since timestamptz[] NOT NULL DEFAULT '{}',
  -- Identifiers of the job's artifact in other data: normalized package URLs, and the repository of the project.
  purls text[] NOT NULL DEFAULT '{}' CHECK (cardinality(purls) <= 20),
  purls_source text NOT NULL DEFAULT 'derived' CHECK (purls_source IN ('derived', 'set')),
  project_url text,
  project_url_source text
    CHECK (project_url_source IN ('set', 'source', 'annotation', 'label', 'chart', 'catalog')),
  -- The upstream if an alias says that the artifact is a mirror of it.
  mirror_of text,
  -- The version that a release represents: a chart can be compared by its own version or by that of its application.
  version_of text NOT NULL DEFAULT 'artifact' CHECK (version_of IN ('artifact', 'application')),
  -- The name of a lifecycle product, or `none`. Null: the product that the catalog names, or the one with a package URL
  -- of the job.
  lifecycle_product text,
  -- The keys of the packages whose vulnerabilities apply. Empty: none. Null: the packages that the catalog names, or
  -- those of the package URLs.
  vulnerability_packages text[],
  -- The changelog file, from the root of the repository. Null: no changelog is read.
  changelog_path text,
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC',
  is_active boolean NOT NULL DEFAULT true,
  -- The sync that feeds the job, which then has no schedule.
  helm_sync_job_id bigint,
  -- The discovery job whose accepted items created this job. Null if no discovery job created it.
  discovery_job_id bigint,
  -- The scrape job whose versions are the releases of a `deployed_versions` job.
  scrape_job_id bigint,
  validators jsonb,
  last_full_at timestamptz,
  -- Completeness of the job's copy of the source's list, as of the last run that could determine it. Null before the
  -- first such run.
  list_completeness text CHECK (list_completeness IN ('complete', 'complete_at_top', 'incomplete')),
  -- Set while the list is incomplete. States that depend on a complete list are stale some time later.
  list_incomplete_since timestamptz,
  -- The time at which the dates of tags without a date are requested again. Null: with the next run.
  dates_due_at timestamptz,
  -- True if the forge marks the repository as archived. Null: unknown, or not in a forge.
  is_archived boolean,
  archived_checked_at timestamptz,
  -- True if the latest version of the chart is marked as deprecated. Null: unknown, or not a chart.
  is_deprecated boolean,
  -- The number of days with changed digests of versions, and the last of them, from which habitual rebuilds are
  -- recognized.
  rebuild_count integer NOT NULL DEFAULT 0,
  last_rebuilt_at timestamptz,
  -- The version reading with which the sort keys and variants of the releases were stored. 0: releases of the job were
  -- stored with different readings. A server with another reading parses the releases again in batches, and continues
  -- after the tag in `version_reading_after`.
  version_reading smallint NOT NULL DEFAULT 1,
  version_reading_after text,
  -- The platform words that the version parser recognizes in addition to the built-in ones. Sorted and separated by
  -- spaces.
  platform_words text NOT NULL DEFAULT '',
  -- Raised when the set of releases changes, so that data derived from it can be cached until then.
  releases_revision bigint NOT NULL DEFAULT 0,
  release_count integer NOT NULL DEFAULT 0,
  stable_count integer NOT NULL DEFAULT 0,
  latest_version text,
  latest_stable_version text,
  latest_released_at timestamptz,
  first_released_at timestamptz,
  last_success_at timestamptz,
  last_outcome text NOT NULL DEFAULT 'none' CHECK (last_outcome IN ('none', 'succeeded', 'failed')),
  last_outcome_at timestamptz,
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- As in `discovery_jobs`.
  counted_in_run_id bigint,
  counted_checks integer NOT NULL DEFAULT 0,
  last_counted_run_id bigint,
  last_counted_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, helm_sync_job_id) REFERENCES helm_sync_jobs (organization_id, id),
  FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id)
    ON DELETE SET NULL (discovery_job_id),
  -- The scrape job can't be deleted while it's used.
  CONSTRAINT gather_jobs_scrape_job_id_fkey
    FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id),
  CHECK (cardinality(counted_versions) = cardinality(counted_since)),
  CHECK ((project_url IS NULL) = (project_url_source IS NULL)),
  CHECK (version_of = 'artifact' OR source_type = 'helm_repository'),
  -- A job of this type has a product, and neither an address nor runs.
  CONSTRAINT gather_jobs_lifecycle_check CHECK (source_type <> 'lifecycle' OR (
    lifecycle_product IS NOT DISTINCT FROM artifact_name AND lifecycle_product <> 'none' AND version_pattern IS NULL
    AND max_releases IS NULL AND credential_name IS NULL AND cron_expression IS NULL AND helm_sync_job_id IS NULL
    AND changelog_path IS NULL AND release_count = 0 AND due_at = 'infinity')),
  CHECK (num_nonnulls(counted_in_run_id, last_counted_run_id, last_counted_at) = CASE counted_checks WHEN 0 THEN 0 ELSE 3 END)
) WITH (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX gather_jobs_due ON gather_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX gather_jobs_in_turn ON gather_jobs (organization_id, due_at) WHERE due_at <> 'infinity';
CREATE INDEX gather_jobs_newest ON gather_jobs (organization_id, created_at, id) INCLUDE (is_active);
CREATE INDEX gather_jobs_inactive ON gather_jobs (organization_id, created_at, id) WHERE NOT is_active;
CREATE INDEX gather_jobs_by_name ON gather_jobs (organization_id, lower(name), id);
CREATE INDEX gather_jobs_by_source ON gather_jobs (organization_id, source_type, created_at, id);
CREATE INDEX gather_jobs_by_success ON gather_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE INDEX gather_jobs_by_outcome ON gather_jobs (organization_id, last_outcome, created_at, id)
  WHERE helm_sync_job_id IS NULL;
CREATE INDEX gather_jobs_failed ON gather_jobs (organization_id, last_outcome_at DESC, id)
  WHERE last_outcome = 'failed';
CREATE INDEX gather_jobs_by_artifact ON gather_jobs (organization_id, artifact_name);
-- Find the jobs that read mirrors of an artifact, and the jobs that read the originals of mirrors.
CREATE INDEX gather_jobs_by_original ON gather_jobs (organization_id, repository_address(mirror_of), id)
  WHERE mirror_of IS NOT NULL;
CREATE INDEX gather_jobs_by_address ON gather_jobs (organization_id, repository_address(artifact_name));
CREATE INDEX gather_jobs_by_chart ON gather_jobs (organization_id, (split_part(artifact_name, '/', -1)))
  WHERE source_type = 'helm_repository';
CREATE INDEX gather_jobs_by_discovery_job ON gather_jobs (organization_id, discovery_job_id)
  WHERE discovery_job_id IS NOT NULL;
CREATE INDEX gather_jobs_by_helm_sync_job ON gather_jobs (organization_id, helm_sync_job_id);
-- Finds the gather jobs that follow a scrape job, each time that job records a version.
CREATE INDEX gather_jobs_by_scrape_job ON gather_jobs (organization_id, scrape_job_id) WHERE scrape_job_id IS NOT NULL;
CREATE INDEX gather_jobs_by_version_reading ON gather_jobs (version_reading, organization_id, id);
CREATE INDEX gather_jobs_by_purl ON gather_jobs USING gin (purls);
CALL raise_revision_on_change('gather_jobs', ARRAY[
  'name', 'source_type', 'artifact_name', 'source_options', 'version_scheme', 'version_pattern',
  'include_prereleases', 'max_releases', 'ignored_versions', 'counted_versions', 'purls', 'project_url', 'version_of',
  'lifecycle_product', 'vulnerability_packages', 'changelog_path', 'credential_name', 'cron_expression',
  'cron_timezone', 'is_active'],
  set_or_found => ARRAY['purls', 'project_url']);

-- Counts of jobs -------------------------------------------------------------------------------------------------

CREATE FUNCTION job_kind(kind text, is_active boolean) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN is_active THEN 'active ' ELSE 'inactive ' END || kind
$$;

-- The argument of the triggers is the kind of the jobs.
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

-- Counts active jobs whose newest run failed. The argument of the triggers is the kind of the jobs.
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
      CREATE TRIGGER %1$s_count_added AFTER INSERT ON %1$s REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_jobs(%2$L);
      CREATE TRIGGER %1$s_count_removed AFTER DELETE ON %1$s REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_jobs(%2$L);
      CREATE TRIGGER %1$s_count_changed AFTER UPDATE OF is_active ON %1$s
        FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_jobs(%2$L);
      CREATE TRIGGER %1$s_count_failed_added AFTER INSERT ON %1$s
        FOR EACH ROW WHEN (NEW.is_active AND NEW.last_outcome = 'failed') EXECUTE FUNCTION count_failed_jobs(%2$L);
      CREATE TRIGGER %1$s_count_failed_removed AFTER DELETE ON %1$s
        FOR EACH ROW WHEN (OLD.is_active AND OLD.last_outcome = 'failed') EXECUTE FUNCTION count_failed_jobs(%2$L);
      CREATE TRIGGER %1$s_count_failed_changed AFTER UPDATE OF is_active, last_outcome ON %1$s
        FOR EACH ROW WHEN ((OLD.is_active AND OLD.last_outcome = 'failed') <> (NEW.is_active AND NEW.last_outcome = 'failed'))
        EXECUTE FUNCTION count_failed_jobs(%2$L);
    $sql$, jobs, kind);
  END LOOP;
END
$$;

SELECT add_job_kind('gather', 'gather_jobs', 'gather_job_id');
SELECT add_job_kind('scrape', 'scrape_jobs', 'scrape_job_id');
SELECT add_job_kind('helm_sync', 'helm_sync_jobs', 'helm_sync_job_id');
SELECT add_job_kind('discovery', 'discovery_jobs', 'discovery_job_id');
