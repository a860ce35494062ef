-- Served by: 0.1.0 and later
-- Freshness: how far behind each pair of a scrape job and a gather job is, its sums by day, and targets.

-- A measurement is due after evaluations, after a change of a target, and every hour.
CREATE TABLE freshness_states (
  organization_id bigint PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  -- The label keys and targets for which the stored days were computed.
  basis text,
  -- The setting `freshness.labels` at the last measurement.
  label_keys jsonb,
  -- All days up to this one are complete.
  through_day date,
  -- The first day with data.
  known_from date,
  -- The time at which all days were last computed. They don't include alert configurations that were created later.
  filled_at timestamptz,
  measured_at timestamptz,
  -- The last month in which the report about the previous month was sent, or was due but not requested. Null before the
  -- first measurement.
  reported_month date,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 1,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX freshness_states_due ON freshness_states (due_at) WHERE due_at < 'infinity';

-- A pair is stored under its oldest active alert configuration.
CREATE TABLE freshness_things (
  organization_id bigint NOT NULL,
  alert_config_id bigint NOT NULL,
  -- Identifies all compared data, so that unchanged data isn't measured again.
  fingerprint text NOT NULL,
  -- The labels by which the stored days are grouped. If the labels change, the days are computed again. Null: no stored
  -- day includes the pair yet.
  filled_labels jsonb,
  deployed_version text NOT NULL,
  latest_version text,
  -- Null: unknown.
  libyears double precision,
  -- Null although `libyears` is known: no newer release exists.
  exposed_since timestamptz,
  majors integer,
  minors integer,
  releases integer,
  is_known boolean NOT NULL,
  is_estimate boolean NOT NULL,
  -- True if the list can lack newer releases, so the values can be higher.
  is_lower_bound boolean NOT NULL DEFAULT false,
  -- Null: no target applies, or whether the targets are met is unknown.
  is_within_target boolean,
  PRIMARY KEY (organization_id, alert_config_id),
  FOREIGN KEY (organization_id, alert_config_id) REFERENCES alert_configs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX freshness_things_by_libyears
  ON freshness_things (organization_id, libyears DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_exposure ON freshness_things (organization_id, exposed_since, alert_config_id);
CREATE INDEX freshness_things_by_majors
  ON freshness_things (organization_id, majors DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_minors
  ON freshness_things (organization_id, minors DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_releases
  ON freshness_things (organization_id, releases DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_target
  ON freshness_things (organization_id, is_within_target, libyears DESC NULLS LAST, alert_config_id DESC)
  WHERE is_within_target IS NOT NULL;

CREATE TABLE freshness_points (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  grouping text NOT NULL CHECK (grouping IN ('all', 'label', 'target')),
  -- The key of the label.
  group_key text NOT NULL DEFAULT '',
  -- The value of the label ('' for none), or the ID of the target.
  group_value text NOT NULL DEFAULT '',
  day date NOT NULL,
  things integer NOT NULL,
  unknown integer NOT NULL,
  estimated integer NOT NULL,
  targeted integer NOT NULL,
  within_target integer NOT NULL,
  -- For each measure: the number of known values, their sum, median, and 90th percentile.
  libyears double precision[] NOT NULL,
  exposure_days double precision[] NOT NULL,
  majors double precision[] NOT NULL,
  minors double precision[] NOT NULL,
  releases double precision[] NOT NULL,
  PRIMARY KEY (organization_id, grouping, group_key, group_value, day)
);
CREATE INDEX freshness_points_by_day ON freshness_points (organization_id, day);

CREATE TABLE freshness_targets (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  label_matchers jsonb NOT NULL DEFAULT '[]',
  metric text NOT NULL CHECK (metric IN ('libyears', 'exposure_days', 'majors', 'minors')),
  max_value double precision NOT NULL,
  goal_percent integer NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  -- Results of the last measurement. Null before the first one after the target was created or changed.
  known integer,
  unknown integer,
  out_of_target integer,
  forecast_30d integer,
  met_since timestamptz,
  -- The last reported result, and the time since which the measured result differs from it.
  reported text CHECK (reported IN ('met', 'missed')),
  differs_since timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX freshness_targets_newest ON freshness_targets (organization_id, created_at, id);
CALL raise_revision_on_change('freshness_targets', ARRAY[
  'name', 'label_matchers', 'metric', 'max_value', 'goal_percent', 'is_active']);
