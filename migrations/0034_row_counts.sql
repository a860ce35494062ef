-- How many alerts and alert configurations of each kind an organization has, as a sum: who changes something adds a row
-- with the difference, and nobody waits for a row that others change. Housekeeping folds these rows into one for each kind.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE row_counts (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  subject text NOT NULL CHECK (subject IN ('alerts', 'alert_configs')),
  kind text NOT NULL,
  amount bigint NOT NULL,
  is_folded boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX row_counts_to_fold ON row_counts (organization_id, id) WHERE NOT is_folded;
ALTER TABLE row_counts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);

CREATE FUNCTION alert_kind(severity text, acknowledged_at timestamptz, resolved_at timestamptz) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN resolved_at IS NOT NULL THEN 'resolved' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged ' || severity
    ELSE 'unacknowledged ' || severity END
$$;

CREATE FUNCTION alert_config_kind(state text, state_reason text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN state = 'ok' AND coalesce(state_reason IN ('ahead_of_upstream', 'variant_ended'), false)
    THEN 'warning' ELSE state END
$$;

-- Of an organization that is being deleted nothing is counted.
CREATE FUNCTION count_alerts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'alerts', alert_kind(OLD.severity, OLD.acknowledged_at, OLD.resolved_at), -1),
      (NEW.organization_id, 'alerts', alert_kind(NEW.severity, NEW.acknowledged_at, NEW.resolved_at), 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'alerts', alert_kind(severity, acknowledged_at, resolved_at),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
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

CREATE TRIGGER alerts_count_added AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_count_removed AFTER DELETE ON alerts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alerts();
CREATE TRIGGER alerts_count_changed AFTER UPDATE OF severity, acknowledged_at, resolved_at ON alerts
  FOR EACH ROW WHEN (alert_kind(OLD.severity, OLD.acknowledged_at, OLD.resolved_at)
    <> alert_kind(NEW.severity, NEW.acknowledged_at, NEW.resolved_at)) EXECUTE FUNCTION count_alerts();

CREATE TRIGGER alert_configs_count_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_configs();
CREATE TRIGGER alert_configs_count_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_configs();
CREATE TRIGGER alert_configs_count_changed AFTER UPDATE OF state, state_reason ON alert_configs
  FOR EACH ROW WHEN (alert_config_kind(OLD.state, OLD.state_reason) <> alert_config_kind(NEW.state, NEW.state_reason))
  EXECUTE FUNCTION count_alert_configs();

-- The triggers hold both tables until the end of this transaction: nobody changes what is counted here.
INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
SELECT organization_id, 'alerts', alert_kind(severity, acknowledged_at, resolved_at), count(*), true FROM alerts GROUP BY 1, 3
UNION ALL
SELECT organization_id, 'alert_configs', alert_config_kind(state, state_reason), count(*), true FROM alert_configs GROUP BY 1, 3;
