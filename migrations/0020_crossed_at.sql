-- When the threshold of the present severity was crossed: what orders alerts and configurations of one severity,
-- whatever their rules count. Null on alerts that were resolved before this column existed.

-- Gives way before PostgreSQL calls it a deadlock with a server that locks these tables in another order.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE alert_configs ADD COLUMN crossed_at timestamptz;
ALTER TABLE alerts ADD COLUMN crossed_at timestamptz;
-- The next migration makes one that does not compare majors with minors.
DROP INDEX alerts_open_by_count;
