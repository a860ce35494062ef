-- How many open alerts a rule has, without reading those that were resolved.
SET LOCAL lock_timeout = '500ms';
CREATE INDEX alerts_open_by_rule ON alerts (organization_id, rule_id) WHERE resolved_at IS NULL;
