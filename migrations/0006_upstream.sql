-- Served by: 0.1.0 and later
-- Upstream: the charts of helm repositories, and the releases that gather jobs read.

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
CREATE INDEX helm_charts_by_name ON helm_charts (organization_id, name);

CREATE TABLE releases (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  gather_job_id bigint NOT NULL,
  tag text NOT NULL,
  version text NOT NULL,
  -- The sort key, whose byte order is the order of precedence. Null if the version can't be parsed.
  sort_key text COLLATE "C",
  variant text NOT NULL DEFAULT '',
  app_version text,
  -- The digest of the image with this tag, or of the archive of the chart.
  digest text,
  -- The commit that the tag points to. Null: unknown, or not in a Git repository.
  commit_id text,
  -- The last change of the commit or digest: the previous value, when a run noticed the change, and the habit that
  -- explains it. Null: none was noticed.
  moved_from text,
  move_noticed_at timestamptz,
  move_habit text CHECK (move_habit IN ('moving_tag', 'official_image', 'observed')),
  move_count integer NOT NULL DEFAULT 0,
  -- The changes that no habit explains, oldest first: at_ms, from, to. At most 100, of which the last one is the newest.
  -- Null: none was noticed.
  moves jsonb,
  released_at timestamptz,
  is_prerelease boolean NOT NULL,
  is_yanked boolean NOT NULL DEFAULT false,
  is_withdrawn boolean NOT NULL DEFAULT false,
  url text,
  notes text,
  -- The release's section of the changelog. It's used only while the release itself has no notes.
  changelog_notes text,
  discovered_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, gather_job_id, tag),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX releases_by_precedence ON releases (organization_id, gather_job_id, sort_key DESC NULLS LAST);
CREATE INDEX releases_newest ON releases (organization_id, (coalesce(released_at, discovered_at)), id)
  INCLUDE (is_prerelease);
CREATE INDEX releases_by_digest ON releases (organization_id, gather_job_id, digest) WHERE digest IS NOT NULL;
-- The highest releases, for an image without a known version, which can be older than these.
CREATE INDEX releases_counted ON releases (organization_id, gather_job_id, sort_key DESC)
  INCLUDE (released_at, discovered_at)
  WHERE variant = '' AND NOT is_prerelease AND NOT is_yanked AND NOT is_withdrawn AND sort_key IS NOT NULL;

-- Changed commits and digests of a gather job that no habit explains, until they are reported. One row for each run that
-- noticed changes.
CREATE TABLE release_moves (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  gather_job_id bigint NOT NULL,
  -- Copied, because the artifact of the job can change, and its releases can be deleted, before the report.
  artifact_name text NOT NULL,
  noticed_at timestamptz NOT NULL,
  -- The releases, highest first.
  releases jsonb NOT NULL,
  release_count integer NOT NULL,
  due_at timestamptz NOT NULL,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX release_moves_due ON release_moves (due_at) WHERE due_at < 'infinity';
CREATE INDEX release_moves_by_gather_job ON release_moves (organization_id, gather_job_id);

-- Gather jobs whose set of releases changed. A fan-out marks the alert configurations that use the job. It works in
-- steps, each from the cursor on. A change during the fan-out restarts it.
CREATE TABLE release_fan_outs (
  organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  cursor_organization_id bigint NOT NULL DEFAULT 0,
  cursor_alert_config_id bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, gather_job_id),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE
) WITH (
  fillfactor = 75,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX release_fan_outs_due ON release_fan_outs (due_at) WHERE due_at < 'infinity';
CREATE INDEX release_fan_outs_in_turn ON release_fan_outs (organization_id, due_at, gather_job_id)
  WHERE due_at <> 'infinity';

-- Gather jobs whose releases have new digests. A fan-out finds the discovered items with these digests. It works in
-- steps, each from the cursor on. A change during the fan-out restarts it only after its last step, because frequent
-- changes would otherwise keep it at the beginning.
CREATE TABLE digest_fan_outs (
  organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  -- The organization whose items are searched. For the organization of the job, these are the items of all
  -- organizations that can see the job. For a global job, other organizations also have separate rows, so that the
  -- comparisons of one organization don't slow down the others.
  for_organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  cursor_organization_id bigint NOT NULL DEFAULT 0,
  cursor_item_id bigint NOT NULL DEFAULT 0,
  -- The value of `requested_seq` at the start of the current pass.
  pass_requested_seq bigint NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, gather_job_id, for_organization_id),
  FOREIGN KEY (organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX digest_fan_outs_due ON digest_fan_outs (due_at) WHERE due_at < 'infinity';
CREATE INDEX digest_fan_outs_in_turn
  ON digest_fan_outs (for_organization_id, due_at, organization_id, gather_job_id)
  WHERE due_at <> 'infinity';
