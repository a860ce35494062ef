-- Packages whose records haven't been fetched for the longest time come first, so that none waits for others forever.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE package_fetches (
  organization_id bigint NOT NULL DEFAULT 1 CHECK (organization_id = 1) REFERENCES organizations ON DELETE CASCADE,
  -- Also of packages without records, and of those that were skipped.
  package_key text NOT NULL,
  -- The start of the newest run that reached it.
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, package_key)
);
