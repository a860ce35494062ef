-- Tasks are named after what they do. A running server of the earlier version doesn't find the old rows, and leaves these
-- tasks to servers of this version.
SET LOCAL lock_timeout = '500ms';

UPDATE housekeeping_tasks AS task SET name = renamed.name
FROM (VALUES
  ('take-back-lost-runs', 'requeue-expired-runs'),
  ('tell-of-new-reading', 'send-reading-digests')
) AS renamed (old_name, name)
WHERE task.name = renamed.old_name
  AND NOT EXISTS (SELECT 1 FROM housekeeping_tasks AS other WHERE other.name = renamed.name);
