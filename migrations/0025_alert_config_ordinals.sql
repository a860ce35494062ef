-- Tells apart configurations that compare the same: 0 for the first of them. Only those that were stored before there
-- was a constraint have another one, and those that a configuration file brings along.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE alert_configs ADD COLUMN ordinal integer NOT NULL DEFAULT 0 CHECK (ordinal >= 0);

-- As before, and for the ordinal too.
DROP TRIGGER alert_configs_raise_revision ON alert_configs;
CREATE TRIGGER alert_configs_raise_revision
  BEFORE UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels, candidate_pattern, ordinal,
    ignored_versions, is_active
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.name, OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id, OLD.rule_id, OLD.labels,
      OLD.candidate_pattern, OLD.ordinal, OLD.ignored_versions, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id, NEW.rule_id, NEW.labels,
      NEW.candidate_pattern, NEW.ordinal, NEW.ignored_versions, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
