-- Apart from the columns, because adding those locks out readers until the end of the transaction: while an index is built,
-- only writers wait.
SET LOCAL lock_timeout = '500ms';

-- Items of all organizations, because global gather jobs serve all of them.
CREATE INDEX discovered_items_by_digest ON discovered_items (digest, organization_id, id) WHERE digest IS NOT NULL;
-- Items whose digest isn't known from any release yet.
CREATE INDEX discovered_items_unmatched ON discovered_items (organization_id, discovery_job_id, id)
  WHERE digest IS NOT NULL AND matched_version IS NULL;

CREATE INDEX releases_by_digest ON releases (organization_id, gather_job_id, digest) WHERE digest IS NOT NULL;
-- The highest releases that an image without a known version can be older than.
CREATE INDEX releases_counted ON releases (organization_id, gather_job_id, sort_key DESC) INCLUDE (released_at, discovered_at)
  WHERE variant = '' AND NOT is_prerelease AND NOT is_yanked AND NOT is_withdrawn AND sort_key IS NOT NULL;
