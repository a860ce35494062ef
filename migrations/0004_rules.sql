-- Served by: 0.1.0 and later
-- Rules: the comparison, and the thresholds at which it becomes an alert.

CREATE TABLE rules (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  rule_type text NOT NULL CHECK (rule_type IN (
    'days_behind', 'majors_behind', 'minors_behind', 'upstream_silent', 'end_of_life', 'known_vulnerabilities',
    'release_integrity', 'vulnerability_age')),
  threshold_moderate integer,
  threshold_high integer,
  threshold_critical integer,
  stable_only boolean NOT NULL DEFAULT true,
  days_basis text CHECK (days_basis IN ('deployed_release', 'first_newer_release')),
  support_phase text CHECK (support_phase IN ('active_support', 'end_of_life', 'extended_support')),
  min_release_age_days integer NOT NULL DEFAULT 0 CHECK (min_release_age_days >= 0),
  -- Only for rules about the age of vulnerabilities. Null: no separate deadline, and no minimum.
  known_exploited_days integer CHECK (known_exploited_days >= 1),
  min_epss double precision CHECK (min_epss BETWEEN 0 AND 1),
  is_active boolean NOT NULL DEFAULT true,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK (num_nonnulls(threshold_moderate, threshold_high, threshold_critical) >= 1),
  -- Thresholds of `end_of_life` are days before the end of support, or days after it if they're negative. The rule type
  -- checks how the thresholds relate to each other.
  CONSTRAINT rules_thresholds_check CHECK (CASE rule_type
    WHEN 'end_of_life' THEN least(threshold_moderate, threshold_high, threshold_critical) >= -3650
      AND greatest(threshold_moderate, threshold_high, threshold_critical) <= 3650
    ELSE least(threshold_moderate, threshold_high, threshold_critical) >= 1 END)
);
CREATE INDEX rules_newest ON rules (organization_id, created_at, id);
CREATE INDEX rules_by_name ON rules (organization_id, lower(name), id);
CREATE INDEX rules_by_update ON rules (organization_id, updated_at, id);
CALL raise_revision_on_change('rules', ARRAY[
  'name', 'description', 'rule_type', 'threshold_moderate', 'threshold_high', 'threshold_critical', 'stable_only',
  'days_basis', 'support_phase', 'min_release_age_days', 'known_exploited_days', 'min_epss', 'is_active']);
