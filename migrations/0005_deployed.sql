-- What is deployed: scrape jobs and the versions they found.

CREATE TABLE scrape_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  parser_type text NOT NULL CHECK (parser_type IN ('yq', 'jq', 'regex', 'manual')),
  repository_url text,
  ref text,
  target_file text,
  parse_expression text,
  version_transform text NOT NULL DEFAULT 'none'
    CHECK (version_transform IN ('none', 'add_v_lower', 'add_v_upper', 'strip_v_lower', 'strip_v_upper')),
  credential_name text,
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC',
  history_limit integer NOT NULL DEFAULT 100,
  -- Kept with the versions, so that a version that is set need not count them.
  version_count integer NOT NULL DEFAULT 0,
  is_active boolean NOT NULL DEFAULT true,
  latest_version text,
  latest_version_at timestamptz,
  -- The version before the latest one: releases that these two name are never dropped.
  previous_version text,
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
  CHECK ((parser_type = 'manual') = (repository_url IS NULL))
-- A version that is set changes no indexed column: with room on its page it costs no index anything.
) WITH (fillfactor = 85);
CREATE INDEX scrape_jobs_due ON scrape_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX scrape_jobs_newest ON scrape_jobs (organization_id, created_at, id) INCLUDE (is_active);
-- Jobs with a schedule that might be failing: those that succeeded longest ago come first.
CREATE INDEX scrape_jobs_by_success ON scrape_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE INDEX scrape_jobs_by_name ON scrape_jobs (organization_id, name, id);
CREATE INDEX scrape_jobs_inactive ON scrape_jobs (organization_id, created_at, id) WHERE NOT is_active;
CREATE INDEX scrape_jobs_by_parser ON scrape_jobs (organization_id, parser_type, created_at, id);

-- Every successful run and every version set by hand stores one snapshot.
CREATE TABLE versions (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  scrape_job_id bigint NOT NULL,
  version text NOT NULL,
  raw_version text NOT NULL,
  version_transform text NOT NULL,
  source text NOT NULL CHECK (source IN ('agent', 'manual')),
  commit_sha text,
  is_change boolean NOT NULL,
  discovered_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id) ON DELETE CASCADE
);
-- In the order in which they go.
CREATE INDEX versions_by_scrape_job ON versions (organization_id, scrape_job_id, is_change, id);
CREATE INDEX versions_newest ON versions (organization_id, created_at, id);
CREATE INDEX versions_changes ON versions (organization_id, created_at, id) WHERE is_change;
