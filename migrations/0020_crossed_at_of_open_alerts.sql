-- Nobody writes to these tables meanwhile. Gives way before PostgreSQL calls it a deadlock.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE alert_configs, alerts IN SHARE ROW EXCLUSIVE MODE;

-- Of days the instant is known. Of versions it is in the releases: the next evaluation finds it, and is due for it;
-- until then it is when the alert was opened or last escalated.
UPDATE alerts a
SET crossed_at = coalesce(
  a.behind_since + CASE a.severity WHEN 'moderate' THEN r.threshold_moderate WHEN 'high' THEN r.threshold_high
    ELSE r.threshold_critical END * interval '24 hours',
  a.escalated_at, a.created_at)
FROM rules r
WHERE r.organization_id = a.organization_id AND r.id = a.rule_id AND a.resolved_at IS NULL AND a.crossed_at IS NULL;

UPDATE alert_configs c
SET crossed_at = coalesce(
    c.behind_since + CASE c.severity WHEN 'moderate' THEN r.threshold_moderate WHEN 'high' THEN r.threshold_high
      ELSE r.threshold_critical END * interval '24 hours',
    (SELECT a.crossed_at FROM alerts a
      WHERE a.organization_id = c.organization_id AND a.alert_config_id = c.id AND a.resolved_at IS NULL),
    c.last_evaluated_at, c.created_at),
  wanted = c.wanted + CASE WHEN c.behind_since IS NULL THEN 1 ELSE 0 END,
  due_at = CASE WHEN c.behind_since IS NULL THEN least(c.due_at, pacekeeper_now()) ELSE c.due_at END
FROM rules r
WHERE r.organization_id = c.organization_id AND r.id = c.rule_id AND c.severity IS NOT NULL AND c.crossed_at IS NULL;

-- The worst first: by severity, then by who crossed its threshold first.
CREATE INDEX alerts_open_worst ON alerts
  (organization_id, array_position(ARRAY['moderate', 'high', 'critical'], severity) DESC, crossed_at, id)
  WHERE resolved_at IS NULL;
CREATE INDEX alert_configs_worst ON alert_configs
  (organization_id, coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0) DESC, crossed_at, id);

-- Sorted by how far behind, one unit after the other: majors and minors are not compared with each other.
CREATE INDEX alerts_open_by_unit ON alerts (organization_id, rule_type, coalesce(behind_by, 2147483647), id)
  WHERE resolved_at IS NULL AND behind_since IS NULL;
