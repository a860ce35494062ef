-- Lists and dropdowns are in one order by name, whatever the case, and each has an index for it.
SET LOCAL lock_timeout = '500ms';
DROP INDEX gather_jobs_by_name;
CREATE INDEX gather_jobs_by_name ON gather_jobs (organization_id, lower(name), id);
DROP INDEX scrape_jobs_by_name;
CREATE INDEX scrape_jobs_by_name ON scrape_jobs (organization_id, lower(name), id);
DROP INDEX alert_configs_by_name;
CREATE INDEX alert_configs_by_name ON alert_configs (organization_id, lower(name), id);
CREATE INDEX rules_by_name ON rules (organization_id, lower(name), id);
CREATE INDEX rules_by_update ON rules (organization_id, updated_at, id);
CREATE INDEX notification_channels_by_name ON notification_channels (organization_id, lower(name), id);
