-- What exists: gather jobs, helm sync jobs and their charts, releases.
--
-- Due columns (here: the schedule) are the same in every table that has them. A trigger raises `wanted` and
-- pulls `due_at` forward; a claim sets the lease; finishing writes `done`, and the next time only when
-- nothing was wanted meanwhile.

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
  -- What the last answer of the repository said about itself, for the next conditional request.
  validators jsonb,
  chart_count integer NOT NULL DEFAULT 0,
  -- When a whole list of charts last came in: those that were seen then are listed until another one says otherwise.
  charts_listed_at timestamptz,
  last_success_at timestamptz,
  -- Set when it has not succeeded for so long that what hangs on it is stale; cleared by the next success.
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX helm_sync_jobs_due ON helm_sync_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX helm_sync_jobs_newest ON helm_sync_jobs (organization_id, created_at, id);
-- Jobs with a schedule that might be failing: those that succeeded longest ago come first.
CREATE INDEX helm_sync_jobs_by_success ON helm_sync_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;

CREATE TABLE gather_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  source_type text NOT NULL,
  artifact_name text NOT NULL,
  source_options jsonb NOT NULL DEFAULT '{}',
  version_scheme text NOT NULL CHECK (version_scheme IN ('auto', 'semver')),
  version_pattern text,
  include_prereleases boolean NOT NULL DEFAULT true,
  max_releases integer,
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC',
  is_active boolean NOT NULL DEFAULT true,
  -- The sync that feeds this job; it then has no schedule of its own.
  helm_sync_job_id bigint,
  validators jsonb,
  last_full_at timestamptz,
  -- Raised when the set of releases changes, so that what was read of it can be kept until then.
  releases_revision bigint NOT NULL DEFAULT 0,
  release_count integer NOT NULL DEFAULT 0,
  stable_count integer NOT NULL DEFAULT 0,
  latest_version text,
  latest_stable_version text,
  latest_released_at timestamptz,
  first_released_at timestamptz,
  last_success_at timestamptz,
  -- Set when it has not succeeded for so long that what hangs on it is stale; cleared by the next success.
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, helm_sync_job_id) REFERENCES helm_sync_jobs (organization_id, id)
);
CREATE INDEX gather_jobs_due ON gather_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX gather_jobs_newest ON gather_jobs (organization_id, created_at, id) INCLUDE (is_active);
-- Jobs with a schedule that might be failing: those that succeeded longest ago come first.
CREATE INDEX gather_jobs_by_success ON gather_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE INDEX gather_jobs_by_name ON gather_jobs (organization_id, name, id);
CREATE INDEX gather_jobs_by_artifact ON gather_jobs (organization_id, artifact_name);
CREATE INDEX gather_jobs_inactive ON gather_jobs (organization_id, created_at, id) WHERE NOT is_active;
CREATE INDEX gather_jobs_by_source ON gather_jobs (organization_id, source_type, created_at, id);
CREATE INDEX gather_jobs_by_helm_sync_job ON gather_jobs (organization_id, helm_sync_job_id);

CREATE TABLE helm_charts (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  helm_sync_job_id bigint NOT NULL,
  name text NOT NULL,
  latest_version text NOT NULL,
  app_version text,
  description text,
  deprecated boolean NOT NULL DEFAULT false,
  version_count integer NOT NULL,
  gather_job_id bigint,
  last_seen_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, helm_sync_job_id, name),
  FOREIGN KEY (organization_id, helm_sync_job_id) REFERENCES helm_sync_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id)
);
CREATE INDEX helm_charts_by_gather_job ON helm_charts (organization_id, gather_job_id);

CREATE TABLE releases (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  gather_job_id bigint NOT NULL,
  tag text NOT NULL,
  version text NOT NULL,
  -- Byte order is the order of precedence; null when the version is unparseable.
  sort_key text COLLATE "C",
  variant text NOT NULL DEFAULT '',
  app_version text,
  released_at timestamptz,
  is_prerelease boolean NOT NULL,
  is_yanked boolean NOT NULL DEFAULT false,
  is_withdrawn boolean NOT NULL DEFAULT false,
  url text,
  notes text,
  discovered_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, gather_job_id, tag),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX releases_by_precedence ON releases (organization_id, gather_job_id, sort_key DESC NULLS LAST);
CREATE INDEX releases_newest ON releases (organization_id, (coalesce(released_at, discovered_at)), id) INCLUDE (is_prerelease);

-- A gather job whose set of releases changed. A fan-out marks the alert configurations that use it in
-- steps, from the cursor on; a change meanwhile starts it again.
CREATE TABLE release_fan_outs (
  organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  cursor_organization_id bigint NOT NULL DEFAULT 0,
  cursor_alert_config_id bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, gather_job_id),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX release_fan_outs_due ON release_fan_outs (due_at) WHERE due_at < 'infinity';
-- To take the organizations in turn: how many of its own are before one.
CREATE INDEX release_fan_outs_in_turn ON release_fan_outs (organization_id, due_at, gather_job_id) WHERE due_at < 'infinity';
