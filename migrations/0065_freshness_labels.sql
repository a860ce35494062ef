-- What freshness remembers about its days and its reports.
SET LOCAL lock_timeout = '500ms';

-- The labels that the stored days are grouped by. A change of them has the days computed again. NULL: no stored day counts
-- the pair yet.
ALTER TABLE freshness_things ADD COLUMN filled_labels jsonb;
-- Labels are now inherited, and comparisons of environments aren't counted.
UPDATE freshness_states SET basis = NULL;

-- The month in which the report of the one before was sent or was not wanted. NULL: measured in none yet.
ALTER TABLE freshness_states ADD COLUMN reported_month date;
