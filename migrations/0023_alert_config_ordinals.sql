-- Tells apart configurations that compare the same: 0 for the first of them. Only those that were stored before there
-- was a constraint have another one, and those that a configuration file brings along.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE alert_configs ADD COLUMN ordinal integer NOT NULL DEFAULT 0 CHECK (ordinal >= 0);
