-- How much of a run's results is staged is counted with every part, so that no agent fills the disk.
ALTER TABLE run_parts ADD COLUMN bytes integer NOT NULL DEFAULT 0;

-- Parts of runs that were canceled stayed until the run was deleted.
DELETE FROM run_parts USING runs
WHERE runs.organization_id = run_parts.organization_id AND runs.id = run_parts.run_id AND runs.status <> 'in_progress';
