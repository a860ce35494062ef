-- Rules about known vulnerabilities.
SET LOCAL lock_timeout = '500ms';

-- Thresholds of these rules are counts of at least 1. What they mean together is checked by the rule type.
ALTER TABLE rules
  DROP CONSTRAINT rules_rule_type_check,
  ADD CONSTRAINT rules_rule_type_check CHECK (rule_type IN (
    'days_behind', 'majors_behind', 'minors_behind', 'upstream_silent', 'end_of_life', 'known_vulnerabilities')) NOT VALID;

-- ignored_vulnerabilities: `[{id, until, note}]`. vulnerability_ids: what the last evaluation counted, to see what is new.
ALTER TABLE alert_configs
  ADD COLUMN ignored_vulnerabilities jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN vulnerability_ids text[];
DROP TRIGGER alert_configs_raise_revision ON alert_configs;
CREATE TRIGGER alert_configs_raise_revision
  BEFORE UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels, candidate_pattern, ordinal,
    ignored_versions, counted_versions, lifecycle_override, ignored_vulnerabilities, is_active
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.name, OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id, OLD.rule_id, OLD.labels,
      OLD.candidate_pattern, OLD.ordinal, OLD.ignored_versions, OLD.counted_versions, OLD.lifecycle_override,
      OLD.ignored_vulnerabilities, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id, NEW.rule_id, NEW.labels,
      NEW.candidate_pattern, NEW.ordinal, NEW.ignored_versions, NEW.counted_versions, NEW.lifecycle_override,
      NEW.ignored_vulnerabilities, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE alerts
  DROP CONSTRAINT alerts_reason_check,
  ADD CONSTRAINT alerts_reason_check CHECK (reason IN (
    'behind', 'end_of_life', 'known_vulnerabilities', 'upstream_silent', 'version_not_found', 'version_unparseable')) NOT VALID;
