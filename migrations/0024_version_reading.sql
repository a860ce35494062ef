-- Under which reading of versions the stored sort keys and variants of a gather job's releases were written. A program
-- that reads versions in another way reads them again, a bounded number at a time, after the tag that it noted. What is
-- there now was written under the first reading; what is created from here on under that of this program.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE gather_jobs
  ADD COLUMN version_reading smallint NOT NULL DEFAULT 1,
  ADD COLUMN version_reading_after text;
ALTER TABLE gather_jobs ALTER COLUMN version_reading SET DEFAULT 2;
CREATE INDEX gather_jobs_by_version_reading ON gather_jobs (version_reading, organization_id, id);
