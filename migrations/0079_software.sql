-- The list of software: a scrape job with the worst of its alert configurations. It is sorted by how long it has been
-- behind and by the end of its support, and filtered by labels of the job.
SET LOCAL lock_timeout = '500ms';
CREATE INDEX alert_configs_by_behind_since ON alert_configs (organization_id, behind_since, id) WHERE behind_since IS NOT NULL;
CREATE INDEX alert_configs_by_end ON alert_configs (organization_id, ends_at, id) WHERE ends_at IS NOT NULL;
-- The worst of a job comes first: by severity, then by state.
CREATE INDEX alert_configs_worst_of_job ON alert_configs (organization_id, scrape_job_id,
  coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0) DESC,
  array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state) DESC, crossed_at, id);
CREATE INDEX scrape_jobs_by_labels ON scrape_jobs USING gin (labels jsonb_path_ops) WHERE labels <> '{}';

-- Filters, order, and columns of a page under a name. Without a user, it is everyone's.
CREATE TABLE saved_views (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id bigint,
  page text NOT NULL,
  name text NOT NULL,
  search jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_by_name ON saved_views (organization_id, page, coalesce(user_id, 0), lower(name));
CREATE INDEX saved_views_by_user ON saved_views (organization_id, user_id);
