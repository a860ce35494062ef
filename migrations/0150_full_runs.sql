-- Whether the agent was asked for the whole list, as far as a gather run is concerned. The time of the last full read can't
-- say so later: clearing the releases of a job clears it, too.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE runs ADD COLUMN is_full boolean NOT NULL DEFAULT false;
