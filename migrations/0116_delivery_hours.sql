-- The overview counts the deliveries of the last 24 hours, and read each of them: with ten thousand, its slowest statement. Those
-- that are finished are counted by the hour in which they were created. Those that are not are few and change often.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE row_counts
  DROP CONSTRAINT row_counts_subject_check,
  ADD CONSTRAINT row_counts_subject_check CHECK (subject IN ('alerts', 'alert_days', 'alert_configs', 'jobs', 'failed_jobs',
    'discovered_items', 'deployed_changes', 'rule_uses', 'delivery_hours'));

-- An hour of UTC and the status, such as '2026112423 succeeded'; none while it is open.
CREATE FUNCTION delivery_hour(created_at timestamptz, status text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN status IN ('succeeded', 'dead_letter', 'canceled')
    THEN to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24 ') || status END
$$;

CREATE FUNCTION count_delivery_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT NEW.organization_id, 'delivery_hours', kind, amount FROM (VALUES
      (delivery_hour(OLD.created_at, OLD.status), -1),
      (delivery_hour(NEW.created_at, NEW.status), 1)) AS counted (kind, amount)
    WHERE kind IS NOT NULL;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'delivery_hours', delivery_hour(created_at, status),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed
    WHERE delivery_hour(created_at, status) IS NOT NULL
      AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER notification_deliveries_count_added AFTER INSERT ON notification_deliveries REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_delivery_hours();
CREATE TRIGGER notification_deliveries_count_removed AFTER DELETE ON notification_deliveries REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_delivery_hours();
CREATE TRIGGER notification_deliveries_count_changed AFTER UPDATE OF status, created_at ON notification_deliveries
  FOR EACH ROW WHEN (delivery_hour(OLD.created_at, OLD.status) IS DISTINCT FROM delivery_hour(NEW.created_at, NEW.status))
  EXECUTE FUNCTION count_delivery_hours();

-- The triggers hold the table until the end of this transaction: nobody changes what is counted here.
INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
SELECT organization_id, 'delivery_hours', delivery_hour(created_at, status), count(*), true
FROM notification_deliveries WHERE delivery_hour(created_at, status) IS NOT NULL GROUP BY 1, 3;
