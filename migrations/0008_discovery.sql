-- Served by: 0.1.0 and later
-- Discovery: the items that discovery jobs find, and what people chose for them.

-- The size of texts in indexes is limited in bytes, because PostgreSQL can't store longer index entries.
CREATE TABLE discovered_items (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  discovery_job_id bigint NOT NULL,
  extractor text NOT NULL,
  -- Identifies the item without its path. Items with the same key have different discriminators, which they keep: the
  -- path where the item was found first, then an ordinal.
  key text COLLATE "C" NOT NULL CHECK (octet_length(key) <= 1500),
  discriminator text COLLATE "C" NOT NULL DEFAULT '' CHECK (octet_length(discriminator) <= 600),
  -- The current path of the item.
  path text COLLATE "C" NOT NULL CHECK (octet_length(path) <= 1024),
  line integer NOT NULL DEFAULT 1,
  document integer NOT NULL DEFAULT 0,
  kind text,
  namespace text,
  name text,
  field text NOT NULL DEFAULT '',
  -- Identifies the content of the file in which the item was last found.
  blob_id text,
  artifact_kind text NOT NULL,
  artifact_name text NOT NULL,
  artifact_purl text,
  -- Identifies the artifact, to group items and to apply corrections. An artifact without a known place of publication
  -- is identified by its name.
  artifact_key text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (coalesce(artifact_purl, artifact_kind || ':' || artifact_name)) STORED
    CHECK (octet_length(artifact_key) <= 1200),
  version text,
  version_state text NOT NULL
    CHECK (version_state IN ('exact', 'range', 'floating', 'digest', 'commit', 'templated', 'overridden')),
  digest text,
  -- The time at which the digest was first seen here.
  digest_since timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- The version of the release with the same digest. It's kept when the release's tag moves to another image, because
  -- the content of a digest never changes.
  matched_version text,
  -- Explains how the version was found, if that isn't obvious.
  note text,
  -- The version that a cluster or host runs, the time since which it differs from the declared version, the discovery
  -- job that found it, and the method that derived it. Null method: the cluster or host reported the version itself.
  live_version text,
  live_since timestamptz,
  live_job_id bigint,
  live_match text,
  -- From the path, from CODEOWNERS, or guessed. Labels that a person set take precedence.
  labels jsonb NOT NULL DEFAULT '{}',
  -- The source of each of the `labels`, by its key.
  label_sources jsonb NOT NULL DEFAULT '{}',
  set_labels jsonb NOT NULL DEFAULT '{}',
  environment text COLLATE "C"
    GENERATED ALWAYS AS (left(coalesce(set_labels ->> 'environment', labels ->> 'environment'), 200)) STORED,
  -- The upstream according to the file: source_type, artifact_name, source_options, version_pattern, version_scheme,
  -- why.
  proposal jsonb,
  -- The confidence of the proposal, which applies again when a person's correction is deleted.
  proposal_confidence text NOT NULL DEFAULT 'none' CHECK (proposal_confidence IN ('certain', 'likely', 'none')),
  -- The package URL and the proposal according to the file, `{"purl", "proposal", "is_read"}`, if an alias says that the
  -- file names a mirror. `artifact_purl` and `proposal` are then those of the upstream. With `is_read`, a second gather job
  -- reads the mirror.
  mirror jsonb,
  -- The address that aliases are compared with. A longer one isn't compared.
  address text COLLATE "C" GENERATED ALWAYS AS (
    left(lower(artifact_address(coalesce(mirror #>> '{proposal,artifact_name}', proposal ->> 'artifact_name'))), 300)) STORED,
  -- The upstream according to other items and jobs of the organization, with its `confidence`. The proposal takes
  -- precedence. Helm, for example, doesn't record the repository of a chart.
  suggestion jsonb,
  -- The repository of the software in a chart, from the metadata of the chart.
  project_url text,
  -- A person's choice for this place alone, `{"source_type", "artifact_name", "source_options"}`, which takes
  -- precedence over a choice for the artifact in `artifact_corrections`, which takes precedence over the proposal.
  set_source jsonb,
  set_name text,
  -- The confidence in the selected upstream. `certain` if a person chose it.
  confidence text NOT NULL DEFAULT 'none' CHECK (confidence IN ('certain', 'likely', 'none')),
  status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'accepted', 'ignored', 'gone', 'replaced')),
  -- A code in `reasons.ts` if the item can't be accepted as it is, and the reason that a person gave for ignoring the
  -- item.
  reason text,
  ignore_reason text,
  -- The entry of the repository's Renovate configuration that ignores the item. Such an item is accepted only by its ID.
  renovate_ignore text,
  -- True if an ignore rule of the discovery job ignores the item, instead of a person. It follows the rules.
  ignored_by_rule boolean NOT NULL DEFAULT false,
  -- The item of another discovery job that this item duplicates. This item is then ignored, unless a rule of its job
  -- keeps it as new.
  duplicate_of_id bigint,
  -- The item that was at this place before with another artifact, and the one that is there now.
  replaces_id bigint,
  replaced_by_id bigint,
  -- The scrape job that an accepted item feeds. It's kept even if the item disappears.
  scrape_job_id bigint,
  -- The rule that a person selected when accepting the item. If it's null or has been deleted, the default rule of the
  -- discovery job applies. It isn't a foreign key, because deleting a rule would then have to lock items after alert
  -- configurations.
  rule_id bigint,
  -- The alert configuration that Pacekeeper created for the item and keeps up to date.
  alert_config_id bigint,
  -- True if a person deleted the alert configuration of the item, or accepted the item without one. Pacekeeper doesn't
  -- create another one until a person requests it.
  not_monitored boolean NOT NULL DEFAULT false,
  -- The values from which the resources of an accepted item were derived last: `rule_id`, `source`, `mirror`, `name`,
  -- and `labels`. If they differ from the current ones, the next reconciliation derives the resources again.
  derived_from jsonb,
  -- The last derived values: `{"name", "labels", "given", "config": {"name", "rule_id", "gather_job_id",
  -- "is_active"}, "gather_job_id", "mirror_job_id"}`, with the name and the labels of the scrape job, the labels that
  -- were given when the item was accepted, and the gather jobs that read its source and its mirror. If the current value
  -- of a resource differs from the derived one, a person set it, so it's kept.
  derived jsonb,
  -- Why the resources couldn't be derived.
  derive_problem text,
  -- True if Pacekeeper disabled the job because the item disappeared. The job is enabled when the item returns. A job
  -- that a person disabled stays disabled.
  pauses_job boolean NOT NULL DEFAULT false,
  -- The time of the first successful scan that didn't find the item. Null: the last scan found it.
  missing_since timestamptz,
  -- The time of the first scan that couldn't read the item's file, the reason, and the exact error.
  unread_since timestamptz,
  unread_reason text,
  unread_message text,
  -- The time of the first scan that couldn't determine the version of an accepted item. The scrape job keeps the last
  -- known version.
  version_unknown_since timestamptz,
  -- Set when a person restored the item, so that neither a rule nor a duplicate ignores it again.
  restored_at timestamptz,
  first_seen_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- The last successful scan also saw every item that isn't missing, but it doesn't update this time.
  last_seen_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  revision integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, discovery_job_id, key, discriminator),
  FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id)
) WITH (
  fillfactor = 85,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
-- Lists are sorted by place, newest first, or by artifact, and filtered by job, status, environment, and extractor.
CREATE INDEX discovered_items_by_place ON discovered_items (organization_id, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_status ON discovered_items (organization_id, status, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_environment
  ON discovered_items (organization_id, environment, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_extractor
  ON discovered_items (organization_id, extractor, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_artifact
  ON discovered_items (organization_id, artifact_key, discovery_job_id, status);
CREATE INDEX discovered_items_by_job ON discovered_items (organization_id, discovery_job_id, id);
CREATE UNIQUE INDEX discovered_items_by_scrape_job ON discovered_items (organization_id, scrape_job_id)
  WHERE scrape_job_id IS NOT NULL;
CREATE INDEX discovered_items_by_alert_config ON discovered_items (organization_id, alert_config_id)
  WHERE alert_config_id IS NOT NULL;
-- Each scan compares all accepted items with their resources.
CREATE INDEX discovered_items_accepted ON discovered_items (organization_id, discovery_job_id, id)
  WHERE status = 'accepted' AND missing_since IS NULL;
CREATE INDEX discovered_items_missing ON discovered_items (organization_id, discovery_job_id, id)
  WHERE missing_since IS NOT NULL;
CREATE INDEX discovered_items_unread ON discovered_items (organization_id, discovery_job_id, id)
  WHERE unread_since IS NOT NULL OR version_unknown_since IS NOT NULL;
CREATE INDEX discovered_items_duplicates ON discovered_items (organization_id, duplicate_of_id)
  WHERE duplicate_of_id IS NOT NULL;
-- What people decided about items without a scrape job. Configuration files contain it as ignore rules.
CREATE INDEX discovered_items_decided ON discovered_items (organization_id, discovery_job_id, id)
  WHERE scrape_job_id IS NULL AND (
    status = 'ignored' AND duplicate_of_id IS NULL AND NOT ignored_by_rule OR status = 'new' AND restored_at IS NOT NULL);
-- What the ignore rules of a job decided. It's decided again in each scan, and when the rules change.
CREATE INDEX discovered_items_by_ignore_rule ON discovered_items (organization_id, discovery_job_id)
  WHERE scrape_job_id IS NULL AND (
    status = 'ignored' AND ignored_by_rule OR status = 'new' AND duplicate_of_id IS NOT NULL);
CREATE INDEX discovered_items_live ON discovered_items (organization_id, live_job_id) WHERE live_job_id IS NOT NULL;
CREATE INDEX discovered_items_by_chart ON discovered_items (organization_id, artifact_name)
  WHERE artifact_kind = 'chart' AND proposal IS NOT NULL;
-- Finds the items of a mirror, and the addresses that can belong to one.
CREATE INDEX discovered_items_by_address ON discovered_items (organization_id, address) WHERE address IS NOT NULL;
-- Finds items of all organizations, because global gather jobs serve all of them.
CREATE INDEX discovered_items_by_digest ON discovered_items (digest, organization_id, id) WHERE digest IS NOT NULL;
-- Items whose digest doesn't match that of any known release.
CREATE INDEX discovered_items_unmatched ON discovered_items (organization_id, discovery_job_id, id)
  WHERE digest IS NOT NULL AND matched_version IS NULL;
CALL raise_revision_on_change('discovered_items', ARRAY['set_labels', 'set_source', 'set_name']);

-- A match and its time belong to a digest, so each change of the digest clears them.
CREATE FUNCTION forget_match_of_digest() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.matched_version := NULL;
  NEW.digest_since := pacekeeper_now();
  RETURN NEW;
END
$$;
CREATE TRIGGER discovered_items_forget_match BEFORE UPDATE OF digest ON discovered_items
  FOR EACH ROW WHEN (OLD.digest IS DISTINCT FROM NEW.digest) EXECUTE FUNCTION forget_match_of_digest();

-- Counts the items of each job by status. New items without an upstream are counted separately.
CREATE FUNCTION discovered_item_kind(discovery_job_id bigint, status text, confidence text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT discovery_job_id || CASE WHEN status = 'new' AND confidence = 'none' THEN ' unresolved' ELSE ' ' || status END
$$;

CREATE FUNCTION count_discovered_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'discovered_items', kind, sum(amount) FROM (
      SELECT organization_id, discovered_item_kind(discovery_job_id, status, confidence) AS kind, 1 AS amount FROM changed
      UNION ALL
      SELECT organization_id, discovered_item_kind(discovery_job_id, status, confidence), -1 FROM former
    ) AS difference GROUP BY organization_id, kind HAVING sum(amount) <> 0;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'discovered_items', discovered_item_kind(discovery_job_id, status, confidence),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER discovered_items_count_added AFTER INSERT ON discovered_items REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_discovered_items();
CREATE TRIGGER discovered_items_count_removed AFTER DELETE ON discovered_items REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_discovered_items();
CREATE TRIGGER discovered_items_count_changed AFTER UPDATE ON discovered_items
  REFERENCING OLD TABLE AS former NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_discovered_items();

-- People's corrections of the upstream of an artifact, for all places and all later scans.
CREATE TABLE artifact_corrections (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  artifact_key text COLLATE "C" NOT NULL CHECK (octet_length(artifact_key) <= 1200),
  -- Null: the artifact has no upstream, such as an organization's own service.
  source_type text,
  artifact_name text,
  source_options jsonb NOT NULL DEFAULT '{}',
  -- The last person who changed it.
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK ((source_type IS NULL) = (artifact_name IS NULL))
);
CREATE INDEX artifact_corrections_newest ON artifact_corrections (organization_id, created_at, id);
CREATE UNIQUE INDEX artifact_corrections_by_artifact ON artifact_corrections (organization_id, artifact_key);
CALL raise_revision_on_change('artifact_corrections', ARRAY['source_type', 'artifact_name', 'source_options']);

-- Mirrors of the organization: everything below a prefix of addresses is a copy of what is below another prefix.
CREATE TABLE artifact_aliases (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  prefix text NOT NULL,
  upstream_prefix text NOT NULL,
  -- True if accepted items get a second gather job that reads the mirror.
  reads_mirror boolean NOT NULL DEFAULT false,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX artifact_aliases_newest ON artifact_aliases (organization_id, created_at, id);
CREATE UNIQUE INDEX artifact_aliases_by_prefix ON artifact_aliases (organization_id, lower(prefix));
CALL raise_revision_on_change('artifact_aliases', ARRAY['name', 'prefix', 'upstream_prefix', 'reads_mirror']);

-- Organizations whose gather jobs and items are still following changed aliases. A request changes only the first of
-- them.
CREATE TABLE alias_changes (
  organization_id bigint PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  -- The prefixes of the changed aliases. An alias that was deleted is still among them.
  prefixes text[] NOT NULL,
  -- Gather jobs up to this ID have followed. Null once all of them have. Then the items follow.
  cursor_gather_job_id bigint,
  -- Items up to this ID have followed.
  cursor_item_id bigint NOT NULL,
  done integer NOT NULL,
  total integer NOT NULL,
  -- Number of failures since the last batch. Organizations without failures are first.
  attempts integer NOT NULL DEFAULT 0,
  -- The time of the last batch or failure. Organizations take turns.
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now()
);
CREATE INDEX alias_changes_oldest ON alias_changes (attempts, updated_at);

-- Opens gaps for the scrape jobs that a discovery job feeds when its scans fail or stop. The running version of an item
-- comes from the scans of another job. The next scan that confirms an item ends its gap.
CREATE FUNCTION open_gaps_of_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE scrape_jobs AS fed
  SET gap_since = greatest(fed.last_read_at, OLD.last_success_at),
    gap_reason = CASE
      WHEN NOT NEW.is_active THEN 'disabled'
      WHEN NEW.last_outcome = 'failed' THEN 'read_failed'
      ELSE 'not_read'
    END
  FROM (
    SELECT jobs.organization_id, jobs.id
    FROM discovered_items AS items
    JOIN scrape_jobs AS jobs ON jobs.organization_id = items.organization_id AND jobs.id = items.scrape_job_id
    WHERE items.organization_id = NEW.organization_id
      AND (items.discovery_job_id = NEW.id AND items.live_job_id IS NULL OR items.live_job_id = NEW.id)
      AND jobs.gap_since IS NULL AND jobs.last_read_at IS NOT NULL
    ORDER BY jobs.id FOR NO KEY UPDATE OF jobs
  ) AS unread
  WHERE fed.organization_id = unread.organization_id AND fed.id = unread.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER discovery_jobs_open_gaps AFTER UPDATE OF last_outcome, failing_since, is_active ON discovery_jobs
  FOR EACH ROW WHEN (
    NEW.last_outcome = 'failed' AND OLD.last_outcome <> 'failed'
    OR NEW.failing_since IS NOT NULL AND OLD.failing_since IS NULL
    OR NOT NEW.is_active AND OLD.is_active
  ) EXECUTE FUNCTION open_gaps_of_items();
