-- Versions are read differently from here on. Programs write the reading of the jobs that they insert, so this is only for
-- rows that are inserted without one.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE gather_jobs ALTER COLUMN version_reading SET DEFAULT 5;
