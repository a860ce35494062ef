-- An item is one artifact at one place. What a scan couldn't read, and what it couldn't determine, is kept apart from
-- what was removed.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE discovered_items
  DROP CONSTRAINT discovered_items_status_check,
  ADD CONSTRAINT discovered_items_status_check
    CHECK (status IN ('new', 'accepted', 'ignored', 'gone', 'replaced')) NOT VALID,
  -- The item that was at this place before with another artifact, and the one that is there now.
  ADD COLUMN replaces_id bigint,
  ADD COLUMN replaced_by_id bigint,
  -- The first scan that couldn't read the item's file, the reason, and what exactly was wrong.
  ADD COLUMN unread_since timestamptz,
  ADD COLUMN unread_reason text,
  ADD COLUMN unread_message text,
  -- The first scan since which an accepted item's version can't be determined. Its scrape job keeps the last known one.
  ADD COLUMN version_unknown_since timestamptz,
  -- Set when a person restored the item, so that it isn't ignored as a duplicate again.
  ADD COLUMN restored_at timestamptz;
CREATE INDEX discovered_items_unread ON discovered_items (organization_id, discovery_job_id, id)
  WHERE unread_since IS NOT NULL OR version_unknown_since IS NOT NULL;

-- The last scan that found all accepted items, or whose loss a person confirmed. The guard against mass loss compares
-- with the items of this time.
ALTER TABLE discovery_jobs ADD COLUMN confirmed_at timestamptz;

ALTER TABLE alerts
  DROP CONSTRAINT alerts_resolution_check,
  ADD CONSTRAINT alerts_resolution_check
    CHECK (resolution IN ('caught_up', 'manual', 'disabled', 'reconfigured', 'gone', 'replaced')) NOT VALID;
