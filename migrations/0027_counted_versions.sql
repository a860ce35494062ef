-- Releases that a configuration compares although they don't fit the others of their line, each with the time from which
-- its days count: the two lists go together.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE alert_configs
  ADD COLUMN counted_versions text[] NOT NULL DEFAULT '{}',
  ADD COLUMN counted_since timestamptz[] NOT NULL DEFAULT '{}',
  ADD CHECK (cardinality(counted_versions) = cardinality(counted_since));

-- As before, and for the counted versions too.
DROP TRIGGER alert_configs_raise_revision ON alert_configs;
CREATE TRIGGER alert_configs_raise_revision
  BEFORE UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels, candidate_pattern, ordinal,
    ignored_versions, counted_versions, is_active
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.name, OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id, OLD.rule_id, OLD.labels,
      OLD.candidate_pattern, OLD.ordinal, OLD.ignored_versions, OLD.counted_versions, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id, NEW.rule_id, NEW.labels,
      NEW.candidate_pattern, NEW.ordinal, NEW.ignored_versions, NEW.counted_versions, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
