-- The first evaluation by a program that reads versions in another way than the one before: what it changes carries
-- that as its cause, and each channel hears of all of it at once.
SET LOCAL lock_timeout = '500ms';

-- How the program of the last evaluation read versions. NULL: it was not noted yet.
ALTER TABLE alert_configs ADD COLUMN version_reading smallint;

ALTER TABLE audit_entries ADD COLUMN cause text;

-- waits_for_reading: it has no next_attempt_at until all configurations of the organization have been evaluated, and then
-- goes out with a digest.
ALTER TABLE notification_deliveries ADD COLUMN waits_for_reading boolean NOT NULL DEFAULT false;

-- Since when deliveries of the organization wait for that.
ALTER TABLE organizations ADD COLUMN reading_changed_at timestamptz;
CREATE INDEX organizations_reading_changed ON organizations (id) WHERE reading_changed_at IS NOT NULL;

-- What was evaluated by the reading before is evaluated by that of this program.
ALTER TABLE gather_jobs ALTER COLUMN version_reading SET DEFAULT 3;
