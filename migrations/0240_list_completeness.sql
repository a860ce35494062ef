-- How much of the source's list the job has, as of the last run that could tell. Null before the first one.
ALTER TABLE gather_jobs
  ADD COLUMN list_completeness text CHECK (list_completeness IN ('complete', 'complete_at_top', 'incomplete')),
  -- Set while the list is incomplete. States that depend on a complete list are stale some time later.
  ADD COLUMN list_incomplete_since timestamptz,
  -- When the dates of tags without one are requested again. Null: with the next run.
  ADD COLUMN dates_due_at timestamptz;
