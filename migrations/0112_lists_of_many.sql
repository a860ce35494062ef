-- What the lists of large organizations need. First, of what is measured: the measures that had no index, and the things that a
-- target applies to, which may be few.
SET LOCAL lock_timeout = '500ms';

CREATE INDEX freshness_things_by_majors ON freshness_things (organization_id, majors DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_minors ON freshness_things (organization_id, minors DESC NULLS LAST, alert_config_id DESC);
CREATE INDEX freshness_things_by_target ON freshness_things
  (organization_id, is_within_target, libyears DESC NULLS LAST, alert_config_id DESC) WHERE is_within_target IS NOT NULL;

-- Second, how many alert configurations use each rule, as a sum like the other counts: the list of rules read them all.
ALTER TABLE row_counts
  DROP CONSTRAINT row_counts_subject_check,
  ADD CONSTRAINT row_counts_subject_check CHECK (subject IN ('alerts', 'alert_days', 'alert_configs', 'jobs', 'failed_jobs',
    'discovered_items', 'deployed_changes', 'rule_uses'));

CREATE FUNCTION count_rule_uses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES
      (NEW.organization_id, 'rule_uses', OLD.rule_id::text, -1),
      (NEW.organization_id, 'rule_uses', NEW.rule_id::text, 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'rule_uses', rule_id::text, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER alert_configs_count_uses_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_rule_uses();
CREATE TRIGGER alert_configs_count_uses_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_rule_uses();
CREATE TRIGGER alert_configs_count_uses_changed AFTER UPDATE OF rule_id ON alert_configs
  FOR EACH ROW WHEN (OLD.rule_id <> NEW.rule_id) EXECUTE FUNCTION count_rule_uses();

-- The triggers hold the table until the end of this transaction: nobody changes what is counted here.
INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
SELECT organization_id, 'rule_uses', rule_id::text, count(*), true FROM alert_configs GROUP BY 1, 3;
