-- An alert is open until resolved_at is set. At most one open alert for a configuration, whatever runs at
-- the same time. What it says about its sources is a copy: the configuration may point elsewhere later.
CREATE TABLE alerts (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  alert_config_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  rule_type text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('moderate', 'high', 'critical')),
  reason text NOT NULL CHECK (reason IN ('behind', 'version_not_found', 'version_unparseable')),
  discovered_version text NOT NULL,
  latest_version text,
  behind_by integer,
  behind_since timestamptz,
  is_estimate boolean NOT NULL DEFAULT false,
  artifact_name text NOT NULL,
  repository_url text,
  target_file text,
  release_url text,
  labels jsonb NOT NULL DEFAULT '{}',
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
  resolution text CHECK (resolution IN ('caught_up', 'manual', 'disabled', 'reconfigured')),
  -- The number of its last event; the next one gets the next number.
  last_sequence integer NOT NULL DEFAULT 0,
  -- When a notification of it was last planned; null while nobody was told.
  last_notified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, alert_config_id) REFERENCES alert_configs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, rule_id) REFERENCES rules (organization_id, id) ON DELETE CASCADE,
  CHECK ((resolved_at IS NULL) = (resolution IS NULL))
);
CREATE UNIQUE INDEX alerts_one_open_by_config ON alerts (organization_id, alert_config_id) WHERE resolved_at IS NULL;
CREATE INDEX alerts_open_newest ON alerts (organization_id, created_at, id) WHERE resolved_at IS NULL;
CREATE INDEX alerts_open_by_severity ON alerts (organization_id, severity, created_at, id) WHERE resolved_at IS NULL;
-- Sorted by severity: its rank and not its name.
CREATE INDEX alerts_open_by_rank ON alerts (organization_id, array_position(ARRAY['moderate', 'high', 'critical'], severity), id)
  WHERE resolved_at IS NULL;
-- Sorted by how far behind: days pass by themselves, so their order is that of behind_since.
CREATE INDEX alerts_open_by_days ON alerts (organization_id, behind_since DESC, id)
  WHERE resolved_at IS NULL AND behind_since IS NOT NULL;
CREATE INDEX alerts_open_by_count ON alerts (organization_id, coalesce(behind_by, 2147483647), id)
  WHERE resolved_at IS NULL AND behind_since IS NULL;
CREATE INDEX alerts_open_acknowledged ON alerts (organization_id, created_at, id)
  WHERE resolved_at IS NULL AND acknowledged_at IS NOT NULL;
CREATE INDEX alerts_open_unacknowledged ON alerts (organization_id, created_at, id)
  WHERE resolved_at IS NULL AND acknowledged_at IS NULL;
CREATE INDEX alerts_resolved_newest ON alerts (organization_id, resolved_at, id) WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_resolved_by_severity ON alerts (organization_id, severity, resolved_at, id) WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_resolved_by_rank ON alerts (organization_id, array_position(ARRAY['moderate', 'high', 'critical'], severity), id)
  WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_resolved_by_creation ON alerts (organization_id, created_at, id) WHERE resolved_at IS NOT NULL;
CREATE INDEX alerts_by_labels ON alerts USING gin (labels jsonb_path_ops);
CREATE INDEX alerts_by_config ON alerts (organization_id, alert_config_id, id);
CREATE INDEX alerts_by_rule ON alerts (organization_id, rule_id, id);
CREATE INDEX alerts_to_remind ON alerts (organization_id, last_notified_at)
  WHERE resolved_at IS NULL AND acknowledged_at IS NULL AND last_notified_at IS NOT NULL;
