-- What is compared, and how far behind is too far.

CREATE TABLE rules (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  rule_type text NOT NULL CHECK (rule_type IN ('days_behind', 'majors_behind', 'minors_behind')),
  threshold_moderate integer CHECK (threshold_moderate >= 1),
  threshold_high integer CHECK (threshold_high >= 1),
  threshold_critical integer CHECK (threshold_critical >= 1),
  stable_only boolean NOT NULL DEFAULT true,
  days_basis text CHECK (days_basis IN ('deployed_release', 'first_newer_release')),
  min_release_age_days integer NOT NULL DEFAULT 0 CHECK (min_release_age_days >= 0),
  is_active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK (num_nonnulls(threshold_moderate, threshold_high, threshold_critical) >= 1)
);
CREATE INDEX rules_newest ON rules (organization_id, created_at, id);

-- The due columns here are the evaluation: due_at is the next instant at which time alone changes the
-- answer, or now when something changed.
CREATE TABLE alert_configs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  scrape_job_id bigint NOT NULL,
  gather_organization_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  labels jsonb NOT NULL DEFAULT '{}',
  candidate_pattern text,
  ignored_versions text[] NOT NULL DEFAULT '{}',
  is_active boolean NOT NULL DEFAULT true,
  -- Another references or rule type than the last evaluation saw: its alert is resolved as reconfigured.
  is_reconfigured boolean NOT NULL DEFAULT false,
  state text NOT NULL DEFAULT 'no_data' CHECK (state IN ('ok', 'alerting', 'no_data', 'stale', 'inactive')),
  state_reason text,
  severity text CHECK (severity IN ('moderate', 'high', 'critical')),
  deployed_version text,
  latest_version text,
  latest_stable_version text,
  behind_by integer,
  -- Days rules: since when; the days are computed when somebody asks.
  behind_since timestamptz,
  last_evaluated_at timestamptz,
  -- Of the stored explanation, so that it need not be read to see whether it still holds.
  explanation_fingerprint text,
  -- Set when an alert is resolved by hand while still behind: no new alert until the version changes or
  -- the severity would be higher.
  quiet_version text,
  quiet_severity text CHECK (quiet_severity IN ('moderate', 'high', 'critical')),
  -- Of all that the last evaluation compared, if it changed nothing: the same again is not evaluated before that time.
  steady_fingerprint text,
  steady_until timestamptz,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  wanted bigint NOT NULL DEFAULT 1,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK (gather_organization_id IN (organization_id, 1)),
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id),
  FOREIGN KEY (gather_organization_id, gather_job_id) REFERENCES gather_jobs (organization_id, id),
  FOREIGN KEY (organization_id, rule_id) REFERENCES rules (organization_id, id)
);
-- What becomes due at once is evaluated 64 gather jobs at a time, so that the releases of each are read once.
CREATE INDEX alert_configs_due ON alert_configs (due_at, (gather_job_id / 64)) WHERE due_at < 'infinity';
CREATE INDEX alert_configs_newest ON alert_configs (organization_id, created_at, id) INCLUDE (is_active);
CREATE INDEX alert_configs_by_scrape_job ON alert_configs (organization_id, scrape_job_id, id);
CREATE INDEX alert_configs_by_rule ON alert_configs (organization_id, rule_id, id);
CREATE INDEX alert_configs_by_gather_job ON alert_configs (gather_organization_id, gather_job_id, organization_id, id);
CREATE INDEX alert_configs_inactive ON alert_configs (organization_id, created_at, id) WHERE NOT is_active;
CREATE INDEX alert_configs_by_name ON alert_configs (organization_id, name, id);
CREATE INDEX alert_configs_by_evaluation ON alert_configs (organization_id, last_evaluated_at, id);
CREATE INDEX alert_configs_by_state ON alert_configs (organization_id, state, created_at, id);
CREATE INDEX alert_configs_by_severity ON alert_configs (organization_id, severity, created_at, id) WHERE severity IS NOT NULL;
CREATE INDEX alert_configs_by_labels ON alert_configs USING gin (labels jsonb_path_ops);

-- What the last evaluation saw and why it decided so, beside the configuration so that its row stays small.
CREATE TABLE alert_config_explanations (
  organization_id bigint NOT NULL,
  alert_config_id bigint NOT NULL,
  explanation jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, alert_config_id),
  FOREIGN KEY (organization_id, alert_config_id) REFERENCES alert_configs (organization_id, id) ON DELETE CASCADE
);
