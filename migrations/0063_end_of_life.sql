-- Rules about the end of support, and which product a gather job tracks.
SET LOCAL lock_timeout = '500ms';

-- The name of a product, or `none`. Null: the one with a package URL of the job, or that the catalog names.
ALTER TABLE gather_jobs ADD COLUMN lifecycle_product text;

DROP TRIGGER gather_jobs_raise_revision ON gather_jobs;
CREATE TRIGGER gather_jobs_raise_revision
  BEFORE UPDATE OF name, source_type, artifact_name, source_options, version_scheme, version_pattern,
    include_prereleases, max_releases, ignored_versions, counted_versions, purls, purls_source, project_url,
    project_url_source, version_of, lifecycle_product, credential_name, cron_expression, cron_timezone, is_active
  ON gather_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.source_type, OLD.artifact_name, OLD.source_options, OLD.version_scheme, OLD.version_pattern,
      OLD.include_prereleases, OLD.max_releases, OLD.ignored_versions, OLD.counted_versions,
      CASE WHEN OLD.purls_source = 'set' THEN OLD.purls END,
      CASE WHEN OLD.project_url_source = 'set' THEN OLD.project_url END,
      OLD.version_of, OLD.lifecycle_product, OLD.credential_name, OLD.cron_expression, OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.source_type, NEW.artifact_name, NEW.source_options, NEW.version_scheme, NEW.version_pattern,
      NEW.include_prereleases, NEW.max_releases, NEW.ignored_versions, NEW.counted_versions,
      CASE WHEN NEW.purls_source = 'set' THEN NEW.purls END,
      CASE WHEN NEW.project_url_source = 'set' THEN NEW.project_url END,
      NEW.version_of, NEW.lifecycle_product, NEW.credential_name, NEW.cron_expression, NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

-- Thresholds of these rules are days before the end, and negative ones come after it. What thresholds mean together is
-- checked by the rule type. As in earlier migrations, rows needn't be checked again.
ALTER TABLE rules
  ADD COLUMN support_phase text CHECK (support_phase IN ('active_support', 'end_of_life', 'extended_support')),
  DROP CONSTRAINT rules_rule_type_check,
  ADD CONSTRAINT rules_rule_type_check CHECK (
    rule_type IN ('days_behind', 'majors_behind', 'minors_behind', 'upstream_silent', 'end_of_life')) NOT VALID,
  DROP CONSTRAINT rules_threshold_moderate_check,
  DROP CONSTRAINT rules_threshold_high_check,
  DROP CONSTRAINT rules_threshold_critical_check,
  ADD CONSTRAINT rules_thresholds_check CHECK (CASE rule_type
    WHEN 'end_of_life' THEN least(threshold_moderate, threshold_high, threshold_critical) >= -3650
      AND greatest(threshold_moderate, threshold_high, threshold_critical) <= 3650
    ELSE least(threshold_moderate, threshold_high, threshold_critical) >= 1 END) NOT VALID;

DROP TRIGGER rules_raise_revision ON rules;
CREATE TRIGGER rules_raise_revision
  BEFORE UPDATE OF name, description, rule_type, threshold_moderate, threshold_high, threshold_critical,
    stable_only, days_basis, support_phase, min_release_age_days, is_active
  ON rules FOR EACH ROW WHEN (
    (OLD.name, OLD.description, OLD.rule_type, OLD.threshold_moderate, OLD.threshold_high, OLD.threshold_critical,
      OLD.stable_only, OLD.days_basis, OLD.support_phase, OLD.min_release_age_days, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.description, NEW.rule_type, NEW.threshold_moderate, NEW.threshold_high, NEW.threshold_critical,
      NEW.stable_only, NEW.days_basis, NEW.support_phase, NEW.min_release_age_days, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

-- lifecycle_override: support that was bought, {ends_on, note}. ends_at: the first instant after the support.
ALTER TABLE alert_configs
  ADD COLUMN lifecycle_override jsonb,
  ADD COLUMN ends_at timestamptz;
DROP TRIGGER alert_configs_raise_revision ON alert_configs;
CREATE TRIGGER alert_configs_raise_revision
  BEFORE UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels, candidate_pattern, ordinal,
    ignored_versions, counted_versions, lifecycle_override, is_active
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.name, OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id, OLD.rule_id, OLD.labels,
      OLD.candidate_pattern, OLD.ordinal, OLD.ignored_versions, OLD.counted_versions, OLD.lifecycle_override,
      OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id, NEW.rule_id, NEW.labels,
      NEW.candidate_pattern, NEW.ordinal, NEW.ignored_versions, NEW.counted_versions, NEW.lifecycle_override,
      NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE alerts
  ADD COLUMN ends_at timestamptz,
  DROP CONSTRAINT alerts_reason_check,
  ADD CONSTRAINT alerts_reason_check CHECK (
    reason IN ('behind', 'end_of_life', 'upstream_silent', 'version_not_found', 'version_unparseable')) NOT VALID;

-- Open alerts about the end of support, sorted by that end. One without a known day has passed.
CREATE INDEX alerts_open_by_end ON alerts (organization_id, coalesce(ends_at, '-infinity') DESC, id)
  WHERE resolved_at IS NULL AND behind_since IS NULL AND rule_type = 'end_of_life';
