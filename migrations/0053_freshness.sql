-- Freshness: how far behind each pair of a scrape job and a gather job is, sums of it by day, and targets.
SET LOCAL lock_timeout = '500ms';

-- Due when something was evaluated since, when a target changed, and each hour.
CREATE TABLE freshness_states (
  organization_id bigint PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  -- What the days are computed with: label keys and targets.
  basis text,
  -- The setting `freshness.labels` at the last measurement.
  label_keys jsonb,
  -- Every day up to this one is complete.
  through_day date,
  -- The first day of which something is known.
  known_from date,
  -- When all days were last computed. Alert configurations that are younger are missing in them.
  filled_at timestamptz,
  measured_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  wanted bigint NOT NULL DEFAULT 1,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0
);
CREATE INDEX freshness_states_due ON freshness_states (due_at) WHERE due_at < 'infinity';

-- A pair is stored under its oldest active alert configuration.
CREATE TABLE freshness_things (
  organization_id bigint NOT NULL,
  alert_config_id bigint NOT NULL,
  -- Of everything that was compared: the same again isn't measured.
  fingerprint text NOT NULL,
  deployed_version text NOT NULL,
  latest_version text,
  -- NULL: unknown.
  libyears double precision,
  -- NULL with libyears: no newer release.
  exposed_since timestamptz,
  majors integer,
  minors integer,
  releases integer,
  is_known boolean NOT NULL,
  is_estimate boolean NOT NULL,
  -- NULL: no target applies.
  is_within_target boolean,
  PRIMARY KEY (organization_id, alert_config_id),
  FOREIGN KEY (organization_id, alert_config_id) REFERENCES alert_configs (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX freshness_things_by_libyears ON freshness_things (organization_id, libyears DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_exposure ON freshness_things (organization_id, exposed_since, alert_config_id);
CREATE INDEX freshness_things_by_releases ON freshness_things (organization_id, releases DESC NULLS LAST, alert_config_id DESC);

CREATE TABLE freshness_points (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  grouping text NOT NULL CHECK (grouping IN ('all', 'label', 'target')),
  -- The key of the label.
  group_key text NOT NULL DEFAULT '',
  -- The value of the label, '' for none, or the ID of the target.
  group_value text NOT NULL DEFAULT '',
  day date NOT NULL,
  things integer NOT NULL,
  unknown integer NOT NULL,
  estimated integer NOT NULL,
  targeted integer NOT NULL,
  within_target integer NOT NULL,
  -- Each: how many are known, their sum, median, and 90th percentile.
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
  -- The last measurement. NULL before the first one since it was created or changed.
  known integer,
  unknown integer,
  out_of_target integer,
  forecast_30d integer,
  met_since timestamptz,
  -- What was reported last, and since when measurements differ from it.
  reported text CHECK (reported IN ('met', 'missed')),
  differs_since timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX freshness_targets_newest ON freshness_targets (organization_id, created_at, id);
CREATE TRIGGER freshness_targets_raise_revision
  BEFORE UPDATE OF name, label_matchers, metric, max_value, goal_percent, is_active
  ON freshness_targets FOR EACH ROW WHEN (
    (OLD.name, OLD.label_matchers, OLD.metric, OLD.max_value, OLD.goal_percent, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.label_matchers, NEW.metric, NEW.max_value, NEW.goal_percent, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
