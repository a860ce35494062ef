-- Served by: 0.1.0 and later
-- Deployed versions: snapshots of scrape jobs, and reports of deployments.

-- Each successful run and each version that is set stores one snapshot.
CREATE TABLE versions (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  scrape_job_id bigint NOT NULL,
  version text NOT NULL,
  raw_version text NOT NULL,
  version_transform text NOT NULL,
  source text NOT NULL CHECK (source IN ('agent', 'manual')),
  -- The method that derived the version. Null: the version was read directly or set.
  match text,
  commit_sha text,
  is_change boolean NOT NULL,
  discovered_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id) ON DELETE CASCADE
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
-- Retention removes versions in this order: repeated ones first.
CREATE INDEX versions_by_scrape_job ON versions (organization_id, scrape_job_id, is_change, id);
CREATE INDEX versions_newest ON versions (organization_id, created_at, id);
CREATE INDEX versions_changes ON versions (organization_id, created_at, id) WHERE is_change;

-- Counts the changes of deployed versions and of their labels, so that a server knows whether the data that it derived
-- from them is still valid. Only scrape jobs with labels are in the matrix of environments, so changes of other jobs
-- aren't counted.
CREATE FUNCTION count_deployed_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount) VALUES (NEW.organization_id, 'deployed_changes', 'all', 1);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT DISTINCT organization_id, 'deployed_changes', 'all', 1 FROM changed
    WHERE labels <> '{}' AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER scrape_jobs_deployed_added AFTER INSERT ON scrape_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deployed_changes();
CREATE TRIGGER scrape_jobs_deployed_removed AFTER DELETE ON scrape_jobs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deployed_changes();
CREATE TRIGGER scrape_jobs_deployed_changed AFTER UPDATE OF labels, latest_version, is_active ON scrape_jobs
  FOR EACH ROW WHEN ((OLD.labels <> '{}' OR NEW.labels <> '{}') AND
    (OLD.labels, OLD.latest_version, OLD.is_active) IS DISTINCT FROM (NEW.labels, NEW.latest_version, NEW.is_active))
  EXECUTE FUNCTION count_deployed_changes();

-- The reports of deployments. A row never changes, except that it loses its scrape job when that is deleted.
CREATE TABLE deployments (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  scrape_job_id bigint,
  service text NOT NULL,
  environment text NOT NULL,
  version text NOT NULL,
  artifact text,
  commit_sha text,
  url text,
  labels jsonb NOT NULL DEFAULT '{}',
  deployed_at timestamptz NOT NULL,
  -- True if a later version was already known, so that this version didn't become the version of the scrape job.
  is_late boolean NOT NULL,
  -- Hash of the source and the ID of the event that reported the deployment.
  event_key bytea,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id)
    ON DELETE SET NULL (scrape_job_id)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
-- An event is stored once. When its scrape job is deleted, a repeat creates the scrape job again.
CREATE UNIQUE INDEX deployments_by_event ON deployments (organization_id, event_key)
  WHERE event_key IS NOT NULL AND scrape_job_id IS NOT NULL;
CREATE INDEX deployments_newest ON deployments (organization_id, deployed_at, id);
CREATE INDEX deployments_by_scrape_job ON deployments (organization_id, scrape_job_id, deployed_at, id);
CREATE INDEX deployments_by_service ON deployments (organization_id, service, deployed_at, id);
CREATE INDEX deployments_by_environment ON deployments (organization_id, environment, deployed_at, id);

-- The comparisons for which a report has created an alert configuration, so that the next report doesn't create one
-- again that a person has deleted. If its rule is deleted, the next report can create another one.
CREATE TABLE deployment_comparisons (
  organization_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  -- A gather job of the organization, or a global one.
  gather_job_id bigint NOT NULL,
  rule_id bigint NOT NULL,
  PRIMARY KEY (organization_id, scrape_job_id, gather_job_id),
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, rule_id) REFERENCES rules (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX deployment_comparisons_by_rule ON deployment_comparisons (organization_id, rule_id);
