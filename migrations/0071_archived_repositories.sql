-- Whether the forge marks the repository of a gather job as archived.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE gather_jobs
  -- Null: unknown, or not in a forge.
  ADD COLUMN is_archived boolean,
  -- The last time that a run asked for it.
  ADD COLUMN archived_checked_at timestamptz;
