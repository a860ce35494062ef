-- Discovery jobs read what describes a fleet, such as a Git repository. What they find are items; an item that was
-- accepted feeds a scrape job.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE discovery_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('git_repository', 'kubernetes_cluster')),
  repository_url text,
  ref text,
  include text[] NOT NULL DEFAULT '{}',
  exclude text[] NOT NULL DEFAULT '{}',
  -- Empty: all.
  extractors text[] NOT NULL DEFAULT '{}',
  label_rules jsonb NOT NULL DEFAULT '[]',
  accept text NOT NULL DEFAULT 'ask' CHECK (accept IN ('ask', 'known', 'all')),
  -- The rule of configurations that are made without a person. Who deletes a rule sets it to null.
  default_rule_id bigint,
  credential_name text,
  -- `[{"host", "credential_name"}]`, for the gather jobs of accepted items.
  source_credentials jsonb NOT NULL DEFAULT '[]',
  cron_expression text,
  cron_timezone text NOT NULL DEFAULT 'UTC',
  is_active boolean NOT NULL DEFAULT true,
  -- What was read at the last success, for the next run; null: everything is read again.
  validators jsonb,
  -- A scan found less than half of the items, so it changed nothing about those that it missed, `missing_since` neither:
  -- since when, and how many items that is. A scan that finds enough clears both.
  gone_held_at timestamptz,
  gone_held_count integer,
  -- The next scan may find less than half: a person said so, or changed what is read. That scan clears it.
  is_loss_expected boolean NOT NULL DEFAULT false,
  last_success_at timestamptz,
  -- Set when it has not succeeded for so long that what hangs on it is stale; cleared by the next success.
  failing_since timestamptz,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, default_rule_id) REFERENCES rules (organization_id, id),
  CHECK ((kind = 'git_repository') = (repository_url IS NOT NULL)),
  CHECK ((repository_url IS NULL) = (ref IS NULL)),
  CHECK ((gone_held_at IS NULL) = (gone_held_count IS NULL))
) WITH (fillfactor = 85);
CREATE INDEX discovery_jobs_due ON discovery_jobs (due_at) WHERE due_at < 'infinity';
CREATE INDEX discovery_jobs_newest ON discovery_jobs (organization_id, created_at, id);
CREATE INDEX discovery_jobs_by_name ON discovery_jobs (organization_id, lower(name), id);
CREATE INDEX discovery_jobs_by_rule ON discovery_jobs (organization_id, default_rule_id) WHERE default_rule_id IS NOT NULL;
-- Jobs with a schedule that might be failing: those that succeeded longest ago come first.
CREATE INDEX discovery_jobs_by_success ON discovery_jobs ((greatest(coalesce(last_success_at, created_at), updated_at)))
  WHERE is_active AND cron_expression IS NOT NULL AND failing_since IS NULL;
CREATE TRIGGER discovery_jobs_raise_revision
  BEFORE UPDATE OF name, kind, repository_url, ref, include, exclude, extractors, label_rules, accept, default_rule_id,
    credential_name, source_credentials, cron_expression, cron_timezone, is_active
  ON discovery_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.kind, OLD.repository_url, OLD.ref, OLD.include, OLD.exclude, OLD.extractors, OLD.label_rules,
      OLD.accept, OLD.default_rule_id, OLD.credential_name, OLD.source_credentials, OLD.cron_expression,
      OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.kind, NEW.repository_url, NEW.ref, NEW.include, NEW.exclude, NEW.extractors, NEW.label_rules,
      NEW.accept, NEW.default_rule_id, NEW.credential_name, NEW.source_credentials, NEW.cron_expression,
      NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

-- Fed jobs have no schedule: a scan of their discovery job hands in their versions.
ALTER TABLE scrape_jobs
  ADD COLUMN discovery_job_id bigint,
  ADD COLUMN labels jsonb NOT NULL DEFAULT '{}',
  DROP CONSTRAINT scrape_jobs_parser_type_check,
  ADD CONSTRAINT scrape_jobs_parser_type_check
    CHECK (parser_type IN ('yq', 'jq', 'regex', 'manual', 'discovered')),
  DROP CONSTRAINT scrape_jobs_check,
  ADD CONSTRAINT scrape_jobs_check
    CHECK (parser_type = 'discovered' OR (parser_type = 'manual') = (repository_url IS NULL)),
  ADD CONSTRAINT scrape_jobs_discovered_check CHECK ((parser_type = 'discovered') = (discovery_job_id IS NOT NULL)),
  ADD CONSTRAINT scrape_jobs_schedule_check CHECK (discovery_job_id IS NULL OR cron_expression IS NULL),
  ADD FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id);
CREATE INDEX scrape_jobs_by_discovery_job ON scrape_jobs (organization_id, discovery_job_id, id)
  WHERE discovery_job_id IS NOT NULL;
DROP TRIGGER scrape_jobs_raise_revision ON scrape_jobs;
CREATE TRIGGER scrape_jobs_raise_revision
  BEFORE UPDATE OF name, parser_type, repository_url, ref, target_file, parse_expression, version_transform,
    credential_name, cron_expression, cron_timezone, history_limit, is_active, labels
  ON scrape_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.parser_type, OLD.repository_url, OLD.ref, OLD.target_file, OLD.parse_expression,
      OLD.version_transform, OLD.credential_name, OLD.cron_expression, OLD.cron_timezone, OLD.history_limit,
      OLD.is_active, OLD.labels)
    IS DISTINCT FROM
    (NEW.name, NEW.parser_type, NEW.repository_url, NEW.ref, NEW.target_file, NEW.parse_expression,
      NEW.version_transform, NEW.credential_name, NEW.cron_expression, NEW.cron_timezone, NEW.history_limit,
      NEW.is_active, NEW.labels)
  ) EXECUTE FUNCTION raise_revision();

-- Texts that an index has are limited by their bytes, because a longer entry couldn't be stored.
CREATE TABLE discovered_items (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  discovery_job_id bigint NOT NULL,
  extractor text NOT NULL,
  -- What the item is, without its path. Items that share one have another discriminator, which they keep: the path where
  -- the item was found first, then an ordinal.
  key text COLLATE "C" NOT NULL CHECK (octet_length(key) <= 1500),
  discriminator text COLLATE "C" NOT NULL DEFAULT '' CHECK (octet_length(discriminator) <= 600),
  -- Where it is now.
  path text COLLATE "C" NOT NULL CHECK (octet_length(path) <= 1024),
  line integer NOT NULL DEFAULT 1,
  document integer NOT NULL DEFAULT 0,
  kind text,
  namespace text,
  name text,
  field text NOT NULL DEFAULT '',
  -- The content of the file in which it was last found.
  blob_id text,
  artifact_kind text NOT NULL,
  artifact_name text NOT NULL,
  artifact_purl text,
  -- By which artifacts are grouped and corrected: one that isn't published anywhere known is the same by its name.
  artifact_key text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (coalesce(artifact_purl, artifact_kind || ':' || artifact_name)) STORED
    CHECK (octet_length(artifact_key) <= 1200),
  version text,
  version_state text NOT NULL
    CHECK (version_state IN ('exact', 'range', 'floating', 'digest', 'commit', 'templated', 'overridden')),
  digest text,
  -- How the version was found, where that isn't obvious.
  note text,
  -- What runs, by a cluster, and since when it differs from what is declared.
  live_version text,
  live_since timestamptz,
  -- From the path, from CODEOWNERS, or guessed; and those that a person set, which win.
  labels jsonb NOT NULL DEFAULT '{}',
  set_labels jsonb NOT NULL DEFAULT '{}',
  environment text COLLATE "C"
    GENERATED ALWAYS AS (left(coalesce(set_labels ->> 'environment', labels ->> 'environment'), 200)) STORED,
  -- The upstream as the file says: source_type, artifact_name, source_options, version_pattern, version_scheme, why.
  proposal jsonb,
  -- What a person chose for this place alone, `{"source_type", "artifact_name", "source_options"}`; a choice for the
  -- artifact is in `artifact_choices`. Both count more than the proposal, this one most.
  set_source jsonb,
  set_name text,
  -- Of the upstream that counts, `certain` where a person chose one.
  confidence text NOT NULL DEFAULT 'none' CHECK (confidence IN ('certain', 'likely', 'none')),
  status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'accepted', 'ignored', 'gone')),
  -- Why it can't be accepted as it is, one of the codes of `reasons.ts`; and why a person ignored it.
  reason text,
  ignore_reason text,
  -- The item of another discovery job that is the same. It is ignored then.
  duplicate_of_id bigint,
  -- What an accepted item feeds. It stays while the item is gone.
  scrape_job_id bigint,
  -- The first successful scan that missed it; null: the last one found it.
  missing_since timestamptz,
  first_seen_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- While it isn't missing, it was also seen by the last successful scan, which doesn't write this.
  last_seen_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  revision integer NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, discovery_job_id, key, discriminator),
  FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id)
) WITH (fillfactor = 85);
-- Lists are in the order of places, newest first, or by artifact; each by job, by status, by environment, and by extractor.
CREATE INDEX discovered_items_by_place ON discovered_items (organization_id, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_status ON discovered_items (organization_id, status, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_environment ON discovered_items (organization_id, environment, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_extractor ON discovered_items (organization_id, extractor, discovery_job_id, path, id);
CREATE INDEX discovered_items_by_artifact ON discovered_items (organization_id, artifact_key, discovery_job_id, status);
CREATE INDEX discovered_items_by_job ON discovered_items (organization_id, discovery_job_id, id);
CREATE UNIQUE INDEX discovered_items_by_scrape_job ON discovered_items (organization_id, scrape_job_id)
  WHERE scrape_job_id IS NOT NULL;
CREATE INDEX discovered_items_missing ON discovered_items (organization_id, discovery_job_id, id)
  WHERE missing_since IS NOT NULL;
CREATE INDEX discovered_items_duplicates ON discovered_items (organization_id, duplicate_of_id)
  WHERE duplicate_of_id IS NOT NULL;
CREATE TRIGGER discovered_items_raise_revision
  BEFORE UPDATE OF set_labels, set_source, set_name
  ON discovered_items FOR EACH ROW WHEN (
    (OLD.set_labels, OLD.set_source, OLD.set_name) IS DISTINCT FROM (NEW.set_labels, NEW.set_source, NEW.set_name)
  ) EXECUTE FUNCTION raise_revision();

-- What people chose as the upstream of an artifact, for all places and all later scans. Nothing else writes it.
CREATE TABLE artifact_choices (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  artifact_key text COLLATE "C" NOT NULL CHECK (octet_length(artifact_key) <= 1200),
  -- Null: it has no upstream, as one's own services.
  source_type text,
  artifact_name text,
  source_options jsonb NOT NULL DEFAULT '{}',
  is_confirmed boolean NOT NULL DEFAULT true,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, artifact_key),
  CHECK ((source_type IS NULL) = (artifact_name IS NULL))
);

-- The new checks of runs aren't validated: the rows that are there passed stricter ones, and reading millions of them would
-- hold up every agent.
-- An expression can't be changed without writing the whole table again, so a trigger sets the job from now on.
CREATE FUNCTION runs_set_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.job_id := coalesce(NEW.gather_job_id, NEW.scrape_job_id, NEW.helm_sync_job_id, NEW.discovery_job_id);
  RETURN NEW;
END
$$;
ALTER TABLE runs
  ADD COLUMN discovery_job_id bigint,
  ALTER COLUMN job_id DROP EXPRESSION,
  DROP CONSTRAINT runs_kind_check,
  ADD CONSTRAINT runs_kind_check CHECK (kind IN ('gather', 'scrape', 'helm_sync', 'discovery')) NOT VALID,
  DROP CONSTRAINT runs_check,
  ADD CONSTRAINT runs_check
    CHECK (num_nonnulls(gather_job_id, scrape_job_id, helm_sync_job_id, discovery_job_id) = 1) NOT VALID,
  ADD FOREIGN KEY (organization_id, discovery_job_id) REFERENCES discovery_jobs (organization_id, id) ON DELETE CASCADE
    NOT VALID;
-- Only so that nobody has to name it.
ALTER TABLE runs ALTER COLUMN job_id SET DEFAULT 0;
CREATE TRIGGER runs_set_job BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION runs_set_job();
CREATE UNIQUE INDEX runs_open_by_discovery_job ON runs (organization_id, discovery_job_id)
  WHERE discovery_job_id IS NOT NULL AND status IN ('queued', 'in_progress');
CREATE INDEX runs_by_discovery_job ON runs (organization_id, discovery_job_id, id) WHERE discovery_job_id IS NOT NULL;

-- How many items of each status a job has. New ones without an upstream count apart.
ALTER TABLE row_counts
  DROP CONSTRAINT row_counts_subject_check,
  ADD CONSTRAINT row_counts_subject_check CHECK (subject IN ('alerts', 'alert_days', 'alert_configs', 'jobs', 'failed_jobs', 'discovered_items'));

CREATE TRIGGER discovery_jobs_count_added AFTER INSERT ON discovery_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('discovery');
CREATE TRIGGER discovery_jobs_count_removed AFTER DELETE ON discovery_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_jobs('discovery');
CREATE TRIGGER discovery_jobs_count_changed AFTER UPDATE OF is_active ON discovery_jobs
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_jobs('discovery');

CREATE FUNCTION discovered_item_kind(discovery_job_id bigint, status text, confidence text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT discovery_job_id || CASE WHEN status = 'new' AND confidence = 'none' THEN ' unresolved' ELSE ' ' || status END
$$;

-- Of an organization that is being deleted nothing is counted.
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

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['discovery_jobs', 'discovered_items'] LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05)', name);
  END LOOP;
END $$;
