-- Servers that run, and how each reads versions. While one runs that reads them in an older way, only that one evaluates: two
-- readings in turn would open and resolve the same alerts again and again.
--
-- gather_jobs.version_reading is 0 from here on where releases of one job were stored under more than one reading.
SET LOCAL lock_timeout = '500ms';
CREATE TABLE servers (
  id uuid PRIMARY KEY,
  version_reading smallint NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT pacekeeper_now()
);
