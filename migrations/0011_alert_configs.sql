-- Served by: 0.1.0 and later
-- Alert configurations: which deployed version is compared with which releases by which rule, the state of the
-- comparison, and tables that are derived from these rows.

-- `due_at` is the time of the next evaluation: the next time at which time alone changes the result, or immediately
-- when something changed.
CREATE TABLE alert_configs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  scrape_job_id bigint NOT NULL,
  gather_organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  labels jsonb NOT NULL DEFAULT '{}',
  -- The configuration's own labels, and the labels of the scrape job with other keys. Routing, filters, groups, and
  -- displays use the effective labels. Triggers keep them up to date.
  effective_labels jsonb NOT NULL DEFAULT '{}',
  candidate_pattern text,
  -- Distinguishes configurations with the same comparison. Usually 0: only configuration files set another one.
  ordinal integer NOT NULL DEFAULT 0 CHECK (ordinal >= 0),
  ignored_versions text[] NOT NULL DEFAULT '{}',
  -- Releases that are compared although they don't fit the other releases of their line. For each of them,
  -- `counted_since` is the time from which its days are counted.
  counted_versions text[] NOT NULL DEFAULT '{}',
  counted_since timestamptz[] NOT NULL DEFAULT '{}',
  -- `{ends_on, note}`: a purchased extension of the support.
  lifecycle_override jsonb,
  -- `[{id, until, reason, note, at, by}]`. `at` and `by`: when and by whom it was saved.
  ignored_vulnerabilities jsonb NOT NULL DEFAULT '[]',
  is_active boolean NOT NULL DEFAULT true,
  -- True if references or the rule type changed since the last evaluation. The open alert is then resolved as
  -- reconfigured.
  is_reconfigured boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'no_data' CHECK (state IN ('ok', 'alerting', 'no_data', 'stale', 'inactive')),
  state_reason text,
  severity text CHECK (severity IN ('moderate', 'high', 'critical')),
  deployed_version text,
  latest_version text,
  latest_stable_version text,
  -- The gather job that reads a mirror of the upstream, and the highest of the compared releases that it has.
  mirror_job_id bigint,
  mirror_version text,
  behind_by integer,
  -- For rules that count days: the time from which they count. The number of days is computed on each read.
  behind_since timestamptz,
  -- The time at which the threshold of the severity was crossed. It can sort configurations of the same severity, even
  -- if their rules count different units.
  crossed_at timestamptz,
  -- First moment after the end of support.
  ends_at timestamptz,
  -- The vulnerabilities that the last evaluation counted, to recognize new ones.
  vulnerability_ids text[],
  last_evaluated_at timestamptz,
  -- The version reading of the last evaluation. If the first evaluation with another reading changes the result, the
  -- change has the reading as its cause, and each channel receives all such changes in one digest. Null before the
  -- first evaluation.
  version_reading smallint,
  -- The platform words of the last evaluation.
  platform_words text NOT NULL DEFAULT '',
  -- Identifies the stored explanation, so that it can be compared without being read.
  explanation_fingerprint text,
  -- Set when an alert is resolved manually while the version is still behind. No new alert opens until the version
  -- changes or the severity rises.
  muted_version text,
  muted_severity text CHECK (muted_severity IN ('moderate', 'high', 'critical')),
  -- Hash of everything that the last evaluation compared, if it changed nothing. The same input isn't evaluated again
  -- before `steady_until`.
  steady_fingerprint text,
  steady_until timestamptz,
  -- The change that made the configuration due, such as an accepted item, a new rule, or a release. Alerts that it opens
  -- before `opening_cause_until` are sent together. Null once the configuration has been evaluated with releases.
  opening_cause text,
  opening_cause_until timestamptz,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 1,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK (gather_organization_id IN (organization_id, 1)),
  CHECK (cardinality(counted_versions) = cardinality(counted_since)),
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id),
  FOREIGN KEY (gather_organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id),
  FOREIGN KEY (organization_id, rule_id) REFERENCES rules (organization_id, id)
) WITH (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
-- Configurations that are due at the same time are evaluated by groups of 64 gather jobs, so that the releases of each
-- job are read once.
CREATE INDEX alert_configs_due ON alert_configs (due_at, (gather_job_id / 64)) WHERE due_at < 'infinity';
CREATE INDEX alert_configs_in_turn ON alert_configs (organization_id, due_at, (gather_job_id / 64))
  WHERE due_at <> 'infinity';
CREATE INDEX alert_configs_by_opening_cause ON alert_configs (organization_id, opening_cause)
  WHERE opening_cause IS NOT NULL;
CREATE INDEX alert_configs_newest ON alert_configs (organization_id, created_at, id) INCLUDE (is_active);
CREATE INDEX alert_configs_inactive ON alert_configs (organization_id, created_at, id) WHERE NOT is_active;
CREATE INDEX alert_configs_by_name ON alert_configs (organization_id, lower(name), id);
CREATE INDEX alert_configs_by_scrape_job ON alert_configs (organization_id, scrape_job_id, id);
CREATE INDEX alert_configs_by_rule ON alert_configs (organization_id, rule_id, id);
CREATE INDEX alert_configs_by_gather_job
  ON alert_configs (gather_organization_id, gather_job_id, organization_id, id);
CREATE INDEX alert_configs_by_evaluation ON alert_configs (organization_id, last_evaluated_at, id);
CREATE INDEX alert_configs_by_state ON alert_configs (organization_id, state, created_at, id);
CREATE INDEX alert_configs_by_severity ON alert_configs (organization_id, severity, created_at, id)
  WHERE severity IS NOT NULL;
CREATE INDEX alert_configs_by_behind_since ON alert_configs (organization_id, behind_since, id)
  WHERE behind_since IS NOT NULL;
CREATE INDEX alert_configs_by_end ON alert_configs (organization_id, ends_at, id) WHERE ends_at IS NOT NULL;
CREATE INDEX alert_configs_with_ignored_vulnerabilities ON alert_configs (organization_id, id)
  WHERE ignored_vulnerabilities <> '[]';
CREATE INDEX alert_configs_by_labels ON alert_configs USING gin (effective_labels jsonb_path_ops);
-- The worst comes first: by severity, then by the time at which the threshold was crossed.
CREATE INDEX alert_configs_worst ON alert_configs
  (organization_id, coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0) DESC, crossed_at, id);
-- The worst configuration of a job comes first: by severity, then by state.
CREATE INDEX alert_configs_worst_of_job ON alert_configs (organization_id, scrape_job_id,
  coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0) DESC,
  array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state) DESC, crossed_at, id);
-- Contains the hash of the pattern, because the pattern itself can be too long for an index entry.
CREATE UNIQUE INDEX alert_configs_by_parts ON alert_configs
  (organization_id, scrape_job_id, gather_job_id, rule_id, md5(coalesce(candidate_pattern, '')), ordinal);
CALL raise_revision_on_change('alert_configs', ARRAY[
  'name', 'scrape_job_id', 'gather_organization_id', 'gather_job_id', 'rule_id', 'labels', 'candidate_pattern',
  'ordinal', 'ignored_versions', 'counted_versions', 'lifecycle_override', 'ignored_vulnerabilities', 'is_active']);

-- Remembers the software of scrape jobs whose last alert configurations are deleted, for their exposures. A new
-- configuration replaces it, because the former one could have been a mistake.
CREATE FUNCTION follow_software() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    DELETE FROM former_software AS former USING added
    WHERE former.organization_id = added.organization_id AND former.scrape_job_id = added.scrape_job_id;
  ELSE
    INSERT INTO former_software (organization_id, scrape_job_id, gather_job_id)
    SELECT DISTINCT organization_id, scrape_job_id, gather_job_id FROM removed
    WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = removed.organization_id)
      AND NOT EXISTS (
        SELECT FROM alert_configs AS others
        WHERE others.organization_id = removed.organization_id AND others.scrape_job_id = removed.scrape_job_id)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_software_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION follow_software();
CREATE TRIGGER alert_configs_software_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION follow_software();

-- The input and reasons of the last evaluation. They're in a separate table, so that configurations stay small.
CREATE TABLE alert_config_explanations (
  organization_id bigint NOT NULL,
  alert_config_id bigint NOT NULL,
  explanation jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, alert_config_id),
  FOREIGN KEY (organization_id, alert_config_id) REFERENCES alert_configs (organization_id, id) ON DELETE CASCADE
) WITH (
  fillfactor = 75,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

-- Starts a fan-out for a configuration that is compared with a registry and whose scrape job has no version, because
-- one of the releases may have the digest of the job.
CREATE FUNCTION find_digests_of_configs() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE compared alert_configs[];
BEGIN
  IF TG_LEVEL = 'ROW' THEN compared := ARRAY[NEW];
  ELSE compared := ARRAY(SELECT changed FROM changed);
  END IF;
  INSERT INTO digest_fan_outs (organization_id, gather_job_id, for_organization_id, due_at, requested_seq)
  SELECT DISTINCT jobs.organization_id, jobs.id, configs.organization_id, pacekeeper_now(), 1
  FROM unnest(compared) AS configs
  JOIN scrape_jobs AS fed ON fed.organization_id = configs.organization_id AND fed.id = configs.scrape_job_id
  JOIN gather_jobs AS jobs ON jobs.organization_id = configs.gather_organization_id AND jobs.id = configs.gather_job_id
  WHERE fed.discovery_job_id IS NOT NULL AND fed.latest_version IS NULL AND jobs.source_type = 'oci_registry'
  ORDER BY jobs.organization_id, jobs.id
  ON CONFLICT (organization_id, gather_job_id, for_organization_id) DO UPDATE
  SET requested_seq = digest_fan_outs.requested_seq + 1, due_at = least(digest_fan_outs.due_at, EXCLUDED.due_at);
  -- Without the notification, polling would find the fan-out up to 5 seconds later.
  IF FOUND THEN PERFORM pg_notify('pacekeeper_wake', 'digest_fan_outs'); END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_find_digests_of_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION find_digests_of_configs();
CREATE TRIGGER alert_configs_find_digests_of_changed AFTER UPDATE OF scrape_job_id, gather_organization_id, gather_job_id
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id)
    IS DISTINCT FROM (NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id)
  ) EXECUTE FUNCTION find_digests_of_configs();

-- Labels ---------------------------------------------------------------------------------------------------------

-- Adding or moving a configuration to a job and changing the labels of that job wait for each other. A change of the
-- configuration's own labels doesn't wait: it uses the stored labels of the job, and a concurrent change of the job's
-- labels updates the configuration afterwards.
CREATE FUNCTION inherit_labels() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE inherited jsonb;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.scrape_job_id <> OLD.scrape_job_id THEN
    PERFORM FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id FOR KEY SHARE;
  END IF;
  SELECT labels INTO inherited FROM scrape_jobs
  WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id;
  NEW.effective_labels := coalesce(inherited, '{}') || NEW.labels;
  RETURN NEW;
END
$$;
CREATE TRIGGER alert_configs_inherit_labels BEFORE INSERT OR UPDATE OF labels, scrape_job_id, effective_labels
  ON alert_configs FOR EACH ROW EXECUTE FUNCTION inherit_labels();

CREATE FUNCTION hand_on_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.id FOR UPDATE;
  PERFORM FROM alert_configs
  WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
  UPDATE alert_configs SET effective_labels = NEW.labels || labels
  WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER scrape_jobs_hand_on_labels AFTER UPDATE OF labels ON scrape_jobs
  FOR EACH ROW WHEN (OLD.labels IS DISTINCT FROM NEW.labels) EXECUTE FUNCTION hand_on_labels();

-- The configurations with each label. Lists that are filtered by a label find their configurations here: 5,000
-- configurations with one label take 70 pages of this index, but their wide rows can be scattered over 5,000 pages of
-- `alert_configs`. The transaction that changes a configuration also writes its rows here, so readers see consistent
-- data.
CREATE TABLE labeled_configs (
  organization_id bigint NOT NULL,
  -- `key=value`. A key has no equals sign.
  label text COLLATE "C" NOT NULL,
  alert_config_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  PRIMARY KEY (organization_id, label, alert_config_id) INCLUDE (scrape_job_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

CREATE FUNCTION keep_labeled_configs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM labeled_configs
    WHERE organization_id = OLD.organization_id AND alert_config_id = OLD.id
      AND label = ANY(ARRAY(
        SELECT key || '=' || value FROM jsonb_each_text(OLD.effective_labels)
        WHERE OLD.scrape_job_id <> NEW.scrape_job_id OR NOT NEW.effective_labels @> jsonb_build_object(key, value)));
    INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
    SELECT NEW.organization_id, key || '=' || value, NEW.id, NEW.scrape_job_id FROM jsonb_each_text(NEW.effective_labels)
    WHERE OLD.scrape_job_id <> NEW.scrape_job_id OR NOT OLD.effective_labels @> jsonb_build_object(key, value)
    -- An incorrect row that the nightly recount hasn't corrected yet must not cause an edit to fail.
    ON CONFLICT (organization_id, label, alert_config_id) DO UPDATE SET scrape_job_id = EXCLUDED.scrape_job_id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
    SELECT organization_id, key || '=' || value, id, scrape_job_id FROM changed, jsonb_each_text(effective_labels)
    ON CONFLICT (organization_id, label, alert_config_id) DO UPDATE SET scrape_job_id = EXCLUDED.scrape_job_id;
  ELSE
    -- Use EXECUTE, because it plans for the number of rows that are deleted now. A stored plan would fit only the first
    -- deletion.
    EXECUTE $sql$DELETE FROM labeled_configs USING changed, jsonb_each_text(effective_labels)
      WHERE labeled_configs.organization_id = changed.organization_id AND label = key || '=' || value AND alert_config_id = id$sql$;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_add_labeled AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_labeled_configs();
CREATE TRIGGER alert_configs_delete_labeled AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_labeled_configs();
-- Includes `labels` and `scrape_job_id`, because the trigger `alert_configs_inherit_labels` derives the effective
-- labels from them.
CREATE TRIGGER alert_configs_change_labeled AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (OLD.effective_labels <> NEW.effective_labels OR OLD.scrape_job_id <> NEW.scrape_job_id)
  EXECUTE FUNCTION keep_labeled_configs();

-- Software: the worst configuration of each scrape job -----------------------------------------------------------

-- The list of software is filtered and sorted by the worst alert configuration of each scrape job. Finding it among all
-- configurations took a second for 100,000 jobs, so triggers store it here. The rows have no foreign key to
-- `scrape_jobs`, because its check runs once per row with a stored plan, which made adding 10,000 jobs at once take 100
-- times as long as adding 1,000. Triggers add and delete the rows with their jobs.
CREATE TABLE software (
  organization_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  -- Null: the job isn't monitored.
  alert_config_id bigint,
  state text NOT NULL DEFAULT 'unmonitored',
  severity_rank integer NOT NULL DEFAULT 0,
  crossed_at timestamptz,
  PRIMARY KEY (organization_id, scrape_job_id)
) WITH (
  fillfactor = 80,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX software_worst ON software (organization_id, severity_rank DESC, crossed_at, alert_config_id)
  WHERE alert_config_id IS NOT NULL;
CREATE INDEX software_by_state ON software (organization_id, state, severity_rank DESC, crossed_at, alert_config_id);

-- These functions must sort in the order of the index `alert_configs_worst_of_job`.
CREATE FUNCTION rank_of_severity(severity text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0)
$$;
CREATE FUNCTION rank_of_state(state text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state)
$$;
CREATE FUNCTION worst_of_job(organization bigint, job bigint)
RETURNS TABLE (alert_config_id bigint, state text, severity_rank integer, crossed_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT id, state, coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0), crossed_at
  FROM alert_configs WHERE organization_id = organization AND scrape_job_id = job
  ORDER BY coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0) DESC,
    array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state) DESC, crossed_at, id
  LIMIT 1
$$;

-- Transactions that change configurations of an organization acquire this lock one after another, and each sees the
-- commits of the previous ones. They acquire it just before they commit, so a transaction that holds the lock never
-- waits for a client or for another lock.
CREATE FUNCTION lock_software(organization bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('pacekeeper software'), (organization % 2147483647)::integer)
$$;

-- Searches for the worst configuration of a job only if the change can affect it, because a search after each changed
-- row took 1.5 s for 4,000 configurations of one job. The triggers run after all changes, so the search runs once for
-- each job.
CREATE FUNCTION keep_worst() RETURNS trigger LANGUAGE plpgsql AS $$
-- An assignment takes less time than PERFORM.
DECLARE locked text;
BEGIN
  IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND NEW.scrape_job_id <> OLD.scrape_job_id THEN
    locked := lock_software(OLD.organization_id);
    UPDATE software
    SET (alert_config_id, state, severity_rank, crossed_at) = (
      SELECT worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at
      FROM (SELECT) AS one LEFT JOIN worst_of_job(OLD.organization_id, OLD.scrape_job_id) AS worst ON true)
    WHERE organization_id = OLD.organization_id AND scrape_job_id = OLD.scrape_job_id AND alert_config_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    locked := lock_software(NEW.organization_id);
    -- Updates the row if this configuration was the worst and has changed, if the job had no configuration, or if this
    -- configuration is now worse than the previous worst one.
    UPDATE software
    SET (alert_config_id, state, severity_rank, crossed_at) = (
      SELECT worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at
      FROM (SELECT) AS one LEFT JOIN worst_of_job(NEW.organization_id, NEW.scrape_job_id) AS worst ON true)
    WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.scrape_job_id AND CASE
      WHEN alert_config_id = NEW.id THEN (state, severity_rank, crossed_at) IS DISTINCT FROM
        (NEW.state, rank_of_severity(NEW.severity), NEW.crossed_at)
      WHEN alert_config_id IS NULL THEN true
      WHEN severity_rank <> rank_of_severity(NEW.severity) THEN severity_rank < rank_of_severity(NEW.severity)
      WHEN state <> NEW.state THEN rank_of_state(state) < rank_of_state(NEW.state)
      ELSE (coalesce(NEW.crossed_at, 'infinity'), NEW.id) < (coalesce(crossed_at, 'infinity'), alert_config_id)
    END;
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER alert_configs_keep_worst_of_added AFTER INSERT OR DELETE ON alert_configs
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_worst();
CREATE CONSTRAINT TRIGGER alert_configs_keep_worst_of_changed AFTER UPDATE OF scrape_job_id, state, severity, crossed_at
  ON alert_configs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (
    (OLD.scrape_job_id, OLD.state, OLD.severity, OLD.crossed_at) IS DISTINCT FROM
    (NEW.scrape_job_id, NEW.state, NEW.severity, NEW.crossed_at)
  ) EXECUTE FUNCTION keep_worst();

CREATE FUNCTION add_software() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO software (organization_id, scrape_job_id) SELECT organization_id, id FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER scrape_jobs_add_software AFTER INSERT ON scrape_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_software();

CREATE FUNCTION delete_software() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Use EXECUTE, because it plans for the number of rows that are deleted now. A stored plan would fit only the first
  -- deletion.
  EXECUTE 'DELETE FROM software USING changed
    WHERE software.organization_id = changed.organization_id AND software.scrape_job_id = changed.id';
  RETURN NULL;
END
$$;
CREATE TRIGGER scrape_jobs_delete_software AFTER DELETE ON scrape_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION delete_software();

-- Counts of alert configurations: by state, by rule, and by label ------------------------------------------------

CREATE FUNCTION alert_config_kind(state text, state_reason text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN state = 'ok'
      AND coalesce(state_reason IN ('ahead_of_upstream', 'variant_ended', 'numbering_ended'), false)
    THEN 'warning' ELSE state END
$$;

CREATE FUNCTION count_alert_configs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'alert_configs', alert_config_kind(OLD.state, OLD.state_reason), -1),
      (NEW.organization_id, 'alert_configs', alert_config_kind(NEW.state, NEW.state_reason), 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'alert_configs', alert_config_kind(state, state_reason),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_count_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_configs();
CREATE TRIGGER alert_configs_count_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_configs();
CREATE TRIGGER alert_configs_count_changed AFTER UPDATE OF state, state_reason ON alert_configs
  FOR EACH ROW WHEN (alert_config_kind(OLD.state, OLD.state_reason) <> alert_config_kind(NEW.state, NEW.state_reason))
  EXECUTE FUNCTION count_alert_configs();

CREATE FUNCTION count_rule_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'rule_uses', OLD.rule_id::text, -1),
      (NEW.organization_id, 'rule_uses', NEW.rule_id::text, 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'rule_uses', rule_id::text, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_count_uses_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_rule_uses();
CREATE TRIGGER alert_configs_count_uses_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_rule_uses();
CREATE TRIGGER alert_configs_count_uses_changed AFTER UPDATE OF rule_id ON alert_configs
  FOR EACH ROW WHEN (OLD.rule_id <> NEW.rule_id) EXECUTE FUNCTION count_rule_uses();

CREATE FUNCTION count_alert_config_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO label_changes (organization_id, labels, alert_configs)
    VALUES (NEW.organization_id, OLD.effective_labels, -1), (NEW.organization_id, NEW.effective_labels, 1);
  ELSE
    INSERT INTO label_changes (organization_id, labels, alert_configs)
    SELECT organization_id, effective_labels, count(*) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM changed
    WHERE effective_labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY organization_id, effective_labels;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_count_labels_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_config_labels();
CREATE TRIGGER alert_configs_count_labels_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_config_labels();
-- Includes `labels` and `scrape_job_id`, because the trigger `alert_configs_inherit_labels` derives the effective
-- labels from them.
CREATE TRIGGER alert_configs_count_labels_changed AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (OLD.effective_labels <> NEW.effective_labels) EXECUTE FUNCTION count_alert_config_labels();
