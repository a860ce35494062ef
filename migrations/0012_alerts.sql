-- Served by: 0.1.0 and later
-- Alerts, and silences that keep alerts from sending notifications.

-- An alert is open until `resolved_at` is set. A configuration has at most one open alert. The data about the compared
-- sources is a copy, because the configuration can refer to other sources later.
CREATE TABLE alerts (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  alert_config_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  rule_type text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('moderate', 'high', 'critical')),
  reason text NOT NULL CHECK (reason IN (
    'behind', 'end_of_life', 'fix_available', 'known_vulnerabilities', 'release_moved', 'upstream_silent', 'version_not_found',
    'version_unparseable')),
  discovered_version text NOT NULL,
  latest_version text,
  behind_by integer,
  behind_since timestamptz,
  -- The time at which the threshold of the severity was crossed.
  crossed_at timestamptz,
  -- First moment after the end of support.
  ends_at timestamptz,
  is_estimate boolean NOT NULL DEFAULT false,
  artifact_name text NOT NULL,
  repository_url text,
  target_file text,
  release_url text,
  labels jsonb NOT NULL DEFAULT '{}',
  -- The member who is assigned to the alert. Cleared when the membership ends.
  assignee_member_id bigint,
  acknowledged_at timestamptz,
  acknowledged_by_type text,
  acknowledged_by_id bigint,
  acknowledged_by_name text,
  escalated_at timestamptz,
  snoozed_until timestamptz,
  is_snoozed_until_version_changes boolean NOT NULL DEFAULT false,
  resolved_at timestamptz,
  resolved_by_type text,
  resolved_by_id bigint,
  resolved_by_name text,
  resolution text CHECK (resolution IN ('caught_up', 'manual', 'disabled', 'reconfigured', 'gone', 'replaced')),
  -- The sequence number of the alert's last event.
  last_sequence integer NOT NULL DEFAULT 0,
  -- The time at which a notification was last planned. Null before the first one.
  last_notified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, alert_config_id) REFERENCES alert_configs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, rule_id) REFERENCES rules (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT alerts_assignee_fkey FOREIGN KEY (organization_id, assignee_member_id)
    REFERENCES memberships (organization_id, id) ON DELETE SET NULL (assignee_member_id),
  CHECK ((resolved_at IS NULL) = (resolution IS NULL))
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE UNIQUE INDEX alerts_one_open_by_config ON alerts (organization_id, alert_config_id) WHERE resolved_at IS NULL;
CREATE INDEX alerts_by_config ON alerts (organization_id, alert_config_id, id);
CREATE INDEX alerts_by_assignee ON alerts (organization_id, assignee_member_id, created_at, id)
  WHERE assignee_member_id IS NOT NULL;
CREATE INDEX alerts_to_remind ON alerts (organization_id, last_notified_at)
  WHERE resolved_at IS NULL AND acknowledged_at IS NULL AND last_notified_at IS NOT NULL;

-- Indexes for the list of open alerts, one for each sort order and filter.
CREATE INDEX alerts_open_newest ON alerts (organization_id, created_at, id) WHERE resolved_at IS NULL;
CREATE INDEX alerts_open_by_rule ON alerts (organization_id, rule_id) WHERE resolved_at IS NULL;
CREATE INDEX alerts_open_by_severity ON alerts (organization_id, severity, created_at, id) WHERE resolved_at IS NULL;
CREATE INDEX alerts_open_by_rank ON alerts
  (organization_id, array_position(ARRAY['moderate', 'high', 'critical'], severity), id)
  WHERE resolved_at IS NULL;
-- The worst comes first: by severity, then by the time at which the threshold was crossed.
CREATE INDEX alerts_open_worst ON alerts
  (organization_id, array_position(ARRAY['moderate', 'high', 'critical'], severity) DESC, crossed_at, id)
  WHERE resolved_at IS NULL;
-- All numbers of days grow at the same rate, so sorting by `behind_since` is the same as sorting by days.
CREATE INDEX alerts_open_by_days ON alerts (organization_id, behind_since DESC, id)
  WHERE resolved_at IS NULL AND behind_since IS NOT NULL;
-- Sorted by unit first, because majors and minors can't be compared with each other.
CREATE INDEX alerts_open_by_unit ON alerts (organization_id, rule_type, coalesce(behind_by, 2147483647), id)
  WHERE resolved_at IS NULL AND behind_since IS NULL;
-- An end of support without a known day is in the past, so it's sorted as the earliest.
CREATE INDEX alerts_open_by_end ON alerts (organization_id, coalesce(ends_at, '-infinity') DESC, id)
  WHERE resolved_at IS NULL AND behind_since IS NULL AND rule_type = 'end_of_life';
CREATE INDEX alerts_open_acknowledged ON alerts (organization_id, created_at, id)
  WHERE resolved_at IS NULL AND acknowledged_at IS NOT NULL;
CREATE INDEX alerts_open_unacknowledged ON alerts (organization_id, created_at, id)
  WHERE resolved_at IS NULL AND acknowledged_at IS NULL;
-- Separate indexes for open and resolved alerts, because a shared index would also return alerts of the other list.
CREATE INDEX alerts_open_by_labels ON alerts USING gin (labels jsonb_path_ops) WHERE resolved_at IS NULL;

-- Indexes for the list of resolved alerts, one for each sort order and filter.
CREATE INDEX alerts_resolved_newest ON alerts (organization_id, resolved_at, id) WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_resolved_by_creation ON alerts (organization_id, created_at, id) WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_resolved_by_severity ON alerts (organization_id, severity, resolved_at, id)
  WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_resolved_by_rank ON alerts
  (organization_id, array_position(ARRAY['moderate', 'high', 'critical'], severity), id)
  WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_resolved_by_labels ON alerts USING gin (labels jsonb_path_ops) WHERE resolved_at IS NOT NULL;
-- Finds the resolved alerts of a rule in their order, and all alerts of a rule.
CREATE INDEX alerts_by_rule_and_resolution ON alerts (organization_id, rule_id, resolved_at, id);

-- Later events of an open alert are routed by the current labels. An alert whose configuration moves to another scrape
-- job keeps its old labels, because it is resolved and the resolution must reach the channels that were notified.
CREATE FUNCTION relabel_open_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alerts SET labels = NEW.effective_labels, updated_at = pacekeeper_now()
  WHERE organization_id = NEW.organization_id AND alert_config_id = NEW.id AND resolved_at IS NULL
    AND labels <> NEW.effective_labels;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_relabel_alert AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (OLD.effective_labels IS DISTINCT FROM NEW.effective_labels AND OLD.scrape_job_id = NEW.scrape_job_id)
  EXECUTE FUNCTION relabel_open_alert();

-- Counts of alerts: by kind, by day, and by label ----------------------------------------------------------------

CREATE FUNCTION alert_kind(severity text, acknowledged_at timestamptz, resolved_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged ' || severity
    ELSE 'unacknowledged ' || severity END
$$;

CREATE FUNCTION alert_day(at timestamptz, what text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD ') || what
$$;

CREATE FUNCTION count_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT NEW.organization_id, subject, kind, sum(amount) FROM (VALUES
      ('alerts', alert_kind(OLD.severity, OLD.acknowledged_at, OLD.resolved_at), -1),
      ('alerts', alert_kind(NEW.severity, NEW.acknowledged_at, NEW.resolved_at), 1),
      ('alert_days', alert_day(OLD.created_at, 'opened'), -1),
      ('alert_days', alert_day(NEW.created_at, 'opened'), 1),
      ('alert_days', alert_day(OLD.resolved_at, 'resolved'), -1),
      ('alert_days', alert_day(NEW.resolved_at, 'resolved'), 1)) AS counted (subject, kind, amount)
    WHERE kind IS NOT NULL GROUP BY 2, 3 HAVING sum(amount) <> 0;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, subject, kind, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed CROSS JOIN LATERAL (VALUES
      ('alerts', alert_kind(severity, acknowledged_at, resolved_at)),
      ('alert_days', alert_day(created_at, 'opened')),
      ('alert_days', alert_day(resolved_at, 'resolved'))) AS counted (subject, kind)
    WHERE kind IS NOT NULL AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 2, 3;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alerts_count_added AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_count_removed AFTER DELETE ON alerts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_count_changed AFTER UPDATE OF severity, acknowledged_at, resolved_at, created_at ON alerts
  FOR EACH ROW WHEN (OLD.resolved_at IS DISTINCT FROM NEW.resolved_at OR OLD.created_at <> NEW.created_at OR
    alert_kind(OLD.severity, OLD.acknowledged_at, OLD.resolved_at)
    <> alert_kind(NEW.severity, NEW.acknowledged_at, NEW.resolved_at)) EXECUTE FUNCTION count_alerts();

CREATE FUNCTION count_alert_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.labels = NEW.labels THEN
    -- The alert was resolved, or opened again.
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts)
    VALUES (NEW.organization_id, NEW.labels, CASE WHEN NEW.resolved_at IS NULL THEN 1 ELSE -1 END,
      CASE WHEN NEW.resolved_at IS NULL THEN -1 ELSE 1 END);
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts) VALUES
      (NEW.organization_id, OLD.labels, -(OLD.resolved_at IS NULL)::integer, -(OLD.resolved_at IS NOT NULL)::integer),
      (NEW.organization_id, NEW.labels, (NEW.resolved_at IS NULL)::integer, (NEW.resolved_at IS NOT NULL)::integer);
  ELSE
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts)
    SELECT organization_id, labels,
      count(*) FILTER (WHERE resolved_at IS NULL) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END,
      count(*) FILTER (WHERE resolved_at IS NOT NULL) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM changed
    WHERE labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY organization_id, labels;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alerts_count_labels_added AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_labels();
CREATE TRIGGER alerts_count_labels_removed AFTER DELETE ON alerts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_labels();
CREATE TRIGGER alerts_count_labels_changed AFTER UPDATE OF labels, resolved_at ON alerts
  FOR EACH ROW WHEN (OLD.labels <> NEW.labels OR (NEW.labels <> '{}' AND (OLD.resolved_at IS NULL) <> (NEW.resolved_at IS NULL)))
  EXECUTE FUNCTION count_alert_labels();

-- Silences -------------------------------------------------------------------------------------------------------

-- While a silence is active, the alerts that it matches send no notifications.
CREATE TABLE silences (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  label_matchers jsonb NOT NULL DEFAULT '[]',
  -- Not foreign keys, because a silence that lost the ID of a deleted rule could match more alerts than before. The
  -- alerts of a deleted rule are deleted with it.
  rule_ids bigint[] NOT NULL DEFAULT '{}',
  severities text[] NOT NULL DEFAULT '{}',
  starts_at timestamptz NOT NULL,
  -- Equal to starts_at if the silence was ended in the millisecond in which it started.
  ends_at timestamptz NOT NULL CHECK (ends_at >= starts_at),
  reason text NOT NULL,
  created_by_type text NOT NULL,
  created_by_id bigint,
  created_by_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX silences_newest ON silences (organization_id, created_at, id);
-- Finds silences that haven't ended, because most of the stored silences have.
CREATE INDEX silences_by_end ON silences (organization_id, ends_at, id);
-- Finds silences of all organizations whose retention has ended.
CREATE INDEX silences_oldest_ends ON silences (ends_at);
CALL raise_revision_on_change('silences', ARRAY[
  'label_matchers', 'rule_ids', 'severities', 'starts_at', 'ends_at', 'reason']);

-- Open alerts whose opening or escalation wasn't reported because of a silence. They're due when the last silence that
-- matches them ends.
CREATE TABLE silenced_alerts (
  organization_id bigint NOT NULL,
  alert_id bigint NOT NULL,
  -- The severity before the first escalation that wasn't reported. Null: the opening wasn't reported.
  reported_severity text CHECK (reported_severity IN ('moderate', 'high', 'critical')),
  due_at timestamptz NOT NULL,
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, alert_id),
  FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX silenced_alerts_due ON silenced_alerts (due_at) WHERE due_at < 'infinity';

-- Counts the transactions that change alert configurations, open alerts, the names of gather jobs, or the types of rules,
-- so that a server knows whether the upgrades that it has read are still valid. A transaction that changes many rows of
-- an organization adds one row.
CREATE FUNCTION count_upgrade_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF current_setting('pacekeeper.upgrades_changed_in', true) IS DISTINCT FROM NEW.organization_id::text THEN
      INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES (NEW.organization_id, 'upgrade_changes', 'all', 1);
      PERFORM set_config('pacekeeper.upgrades_changed_in', NEW.organization_id::text, true);
    END IF;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT DISTINCT organization_id, 'upgrade_changes', 'all', 1 FROM changed
    WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_upgrades_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alert_configs_upgrades_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_upgrade_changes();
-- Includes `labels`, because the trigger `alert_configs_inherit_labels` derives the effective labels from them.
CREATE TRIGGER alert_configs_upgrades_changed AFTER UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id,
    rule_id, labels, effective_labels, state, severity, deployed_version, latest_version, behind_since, crossed_at
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.name, OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id, OLD.rule_id, OLD.effective_labels, OLD.state,
      OLD.severity, OLD.deployed_version, OLD.latest_version, OLD.behind_since, OLD.crossed_at)
    IS DISTINCT FROM
    (NEW.name, NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id, NEW.rule_id, NEW.effective_labels, NEW.state,
      NEW.severity, NEW.deployed_version, NEW.latest_version, NEW.behind_since, NEW.crossed_at))
  EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alerts_upgrades_added AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alerts_upgrades_removed AFTER DELETE ON alerts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER alerts_upgrades_changed AFTER UPDATE OF severity, reason, latest_version, crossed_at, ends_at, release_url,
    acknowledged_at, escalated_at, snoozed_until, is_snoozed_until_version_changes, resolved_at, created_at
  ON alerts FOR EACH ROW WHEN (
    (OLD.severity, OLD.reason, OLD.latest_version, OLD.crossed_at, OLD.ends_at, OLD.release_url, OLD.acknowledged_at,
      OLD.escalated_at, OLD.snoozed_until, OLD.is_snoozed_until_version_changes, OLD.resolved_at, OLD.created_at)
    IS DISTINCT FROM
    (NEW.severity, NEW.reason, NEW.latest_version, NEW.crossed_at, NEW.ends_at, NEW.release_url, NEW.acknowledged_at,
      NEW.escalated_at, NEW.snoozed_until, NEW.is_snoozed_until_version_changes, NEW.resolved_at, NEW.created_at))
  EXECUTE FUNCTION count_upgrade_changes();
CREATE TRIGGER gather_jobs_upgrades_changed AFTER UPDATE OF name, artifact_name, version_scheme, platform_words ON gather_jobs
  FOR EACH ROW WHEN (
    (OLD.name, OLD.artifact_name, OLD.version_scheme, OLD.platform_words)
    IS DISTINCT FROM (NEW.name, NEW.artifact_name, NEW.version_scheme, NEW.platform_words))
  EXECUTE FUNCTION count_upgrade_changes();
-- Includes the rule type, because it determines which versions the alerts of a place suggest.
CREATE TRIGGER rules_upgrades_changed AFTER UPDATE OF rule_type ON rules
  FOR EACH ROW WHEN (OLD.rule_type IS DISTINCT FROM NEW.rule_type)
  EXECUTE FUNCTION count_upgrade_changes();
