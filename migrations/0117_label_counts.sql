-- How many alerts and alert configurations have each label, as sums like the other counts. A list that is filtered by a label
-- read up to 10,001 rows in all corners of the table to count them, and these sums also say whether to find its page by the
-- label or in the order of the list.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE row_counts
  DROP CONSTRAINT row_counts_subject_check,
  ADD CONSTRAINT row_counts_subject_check CHECK (subject IN ('alerts', 'alert_days', 'alert_configs', 'jobs', 'failed_jobs',
    'discovered_items', 'deployed_changes', 'rule_uses', 'delivery_hours', 'open_alert_labels', 'resolved_alert_labels',
    'alert_config_labels'));

-- What has many labels at once would need a row for each of them. So a change adds one row with all its labels, and by how
-- much the number of what has them changes; housekeeping makes rows of `row_counts` of it.
CREATE TABLE label_changes (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  labels jsonb NOT NULL,
  open_alerts integer NOT NULL DEFAULT 0,
  resolved_alerts integer NOT NULL DEFAULT 0,
  alert_configs integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id)
);
ALTER TABLE label_changes SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);

CREATE FUNCTION count_alert_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.labels = NEW.labels THEN
    -- Resolved, or open again.
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts)
    VALUES (NEW.organization_id, NEW.labels, CASE WHEN NEW.resolved_at IS NULL THEN 1 ELSE -1 END,
      CASE WHEN NEW.resolved_at IS NULL THEN -1 ELSE 1 END);
  ELSIF TG_OP = 'UPDATE' THEN
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts) VALUES
      (NEW.organization_id, OLD.labels, -(OLD.resolved_at IS NULL)::integer, -(OLD.resolved_at IS NOT NULL)::integer),
      (NEW.organization_id, NEW.labels, (NEW.resolved_at IS NULL)::integer, (NEW.resolved_at IS NOT NULL)::integer);
  ELSE
    INSERT INTO label_changes (organization_id, labels, open_alerts, resolved_alerts)
    SELECT organization_id, labels,
      count(*) FILTER (WHERE resolved_at IS NULL) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END,
      count(*) FILTER (WHERE resolved_at IS NOT NULL) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM changed
    WHERE labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY organization_id, labels;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alerts_count_labels_added AFTER INSERT ON alerts REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_labels();
CREATE TRIGGER alerts_count_labels_removed AFTER DELETE ON alerts REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_labels();
CREATE TRIGGER alerts_count_labels_changed AFTER UPDATE OF labels, resolved_at ON alerts
  FOR EACH ROW WHEN (OLD.labels <> NEW.labels OR (NEW.labels <> '{}' AND (OLD.resolved_at IS NULL) <> (NEW.resolved_at IS NULL)))
  EXECUTE FUNCTION count_alert_labels();

CREATE FUNCTION count_alert_config_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO label_changes (organization_id, labels, alert_configs)
    VALUES (NEW.organization_id, OLD.effective_labels, -1), (NEW.organization_id, NEW.effective_labels, 1);
  ELSE
    INSERT INTO label_changes (organization_id, labels, alert_configs)
    SELECT organization_id, effective_labels, count(*) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM changed
    WHERE effective_labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY organization_id, effective_labels;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_count_labels_added AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_config_labels();
CREATE TRIGGER alert_configs_count_labels_removed AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_alert_config_labels();
-- A trigger of before derives the effective labels from these columns.
CREATE TRIGGER alert_configs_count_labels_changed AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (OLD.effective_labels <> NEW.effective_labels) EXECUTE FUNCTION count_alert_config_labels();

-- The triggers hold these tables until the end of this transaction: nobody changes what is counted here. A key has no equals
-- sign.
INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
SELECT organization_id, CASE WHEN resolved_at IS NULL THEN 'open_alert_labels' ELSE 'resolved_alert_labels' END,
  key || '=' || value, count(*), true
FROM alerts, jsonb_each_text(labels) GROUP BY 1, 2, 3
UNION ALL
SELECT organization_id, 'alert_config_labels', key || '=' || value, count(*), true
FROM alert_configs, jsonb_each_text(effective_labels) GROUP BY 1, 3;

-- One index for each list: an entry of the other had to be taken from what was found, by another index of all that is open.
CREATE INDEX alerts_open_by_labels ON alerts USING gin (labels jsonb_path_ops) WHERE resolved_at IS NULL;
CREATE INDEX alerts_resolved_by_labels ON alerts USING gin (labels jsonb_path_ops) WHERE resolved_at IS NOT NULL;
DROP INDEX alerts_by_labels;
