-- Served by: 0.1.0 and later
-- Deployed versions: snapshots of scrape jobs, reports of deployments, and which place had which version when.

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
-- Finds the unchanged snapshots of a job, which `history_limit` limits, and its changes, which are kept by age.
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

-- The periods in which scrape jobs had their versions: from the reading that found a version to the reading that found
-- another one. `reading_gaps` contains the parts of a period in which nothing is known. Rows outlive their scrape job, so
-- `scrape_job_id` isn't a foreign key.
CREATE TABLE exposures (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  scrape_job_id bigint NOT NULL,
  version text NOT NULL,
  commit_sha text,
  source text NOT NULL CHECK (source IN ('git', 'http', 'prometheus', 'discovery', 'manual')),
  first_seen_at timestamptz NOT NULL,
  -- The reading that found another version. Null: none has.
  ended_at timestamptz,
  PRIMARY KEY (organization_id, id)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX exposures_newest ON exposures (organization_id, first_seen_at, id);
CREATE INDEX exposures_by_scrape_job ON exposures (organization_id, scrape_job_id, first_seen_at, id)
  INCLUDE (version, ended_at);
CREATE INDEX exposures_by_version ON exposures (organization_id, version, first_seen_at, id);
CREATE INDEX exposures_current ON exposures (organization_id, first_seen_at, id) WHERE ended_at IS NULL;
CREATE INDEX exposures_by_end ON exposures (organization_id, ended_at, id) WHERE ended_at IS NOT NULL;

CREATE FUNCTION record_exposure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE exposures SET ended_at = greatest(first_seen_at, NEW.discovered_at)
  WHERE organization_id = NEW.organization_id AND ended_at IS NULL AND id = (
    SELECT newest.id FROM exposures AS newest
    WHERE newest.organization_id = NEW.organization_id AND newest.scrape_job_id = NEW.scrape_job_id
    ORDER BY newest.first_seen_at DESC, newest.id DESC LIMIT 1);
  INSERT INTO exposures (organization_id, scrape_job_id, version, commit_sha, source, first_seen_at)
  SELECT NEW.organization_id, NEW.scrape_job_id, NEW.version, NEW.commit_sha,
    CASE parser_type WHEN 'manual' THEN 'manual' WHEN 'discovered' THEN 'discovery' ELSE source END, NEW.discovered_at
  FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER versions_record_exposure AFTER INSERT ON versions
  FOR EACH ROW WHEN (NEW.is_change) EXECUTE FUNCTION record_exposure();

-- Ended gaps: times in which a scrape job wasn't read, from the last reading before to the next one. An open gap is in the
-- row of the scrape job. The gaps of a scrape job don't overlap.
CREATE TABLE reading_gaps (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  scrape_job_id bigint NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (organization_id, scrape_job_id, started_at)
);
CREATE INDEX reading_gaps_by_end ON reading_gaps (organization_id, ended_at);

-- Ends an open gap when a reading clears it, and opens one when reads fail or stop. The state that opens a gap is
-- stored in the scrape job in any case, so readings without a gap write nothing in addition. The scans of a discovery job
-- open the gaps of the jobs that it feeds.
CREATE FUNCTION follow_readings() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  is_reading boolean := OLD.gap_since IS NOT NULL;
BEGIN
  IF is_reading AND OLD.gap_since < NEW.last_read_at THEN
    INSERT INTO reading_gaps (organization_id, scrape_job_id, started_at, ended_at, reason)
    VALUES (NEW.organization_id, NEW.id, OLD.gap_since, NEW.last_read_at, OLD.gap_reason)
    ON CONFLICT (organization_id, scrape_job_id, started_at) DO UPDATE SET ended_at = EXCLUDED.ended_at;
  END IF;
  NEW.gap_reason := CASE
    WHEN NOT NEW.is_active THEN 'disabled'
    WHEN NEW.parser_type = 'manual' AND OLD.parser_type <> 'manual' THEN 'detached'
    WHEN NEW.parser_type = 'discovered' THEN NULL
    WHEN NEW.last_outcome = 'failed' THEN 'read_failed'
    WHEN NEW.failing_since IS NOT NULL THEN 'not_read'
  END;
  IF NEW.gap_reason IS NOT NULL THEN
    NEW.gap_since := CASE
      WHEN is_reading OR OLD.last_read_at IS NULL THEN NEW.last_read_at
      -- A version that a person sets counts as deployed until it's set again.
      WHEN OLD.parser_type = 'manual' THEN pacekeeper_now()
      WHEN OLD.parser_type = 'discovered' THEN greatest(OLD.last_read_at, (
        SELECT reader.last_success_at FROM discovery_jobs AS reader
        WHERE reader.organization_id = OLD.organization_id AND reader.id = coalesce(
          (SELECT live_job_id FROM discovered_items
            WHERE organization_id = OLD.organization_id AND scrape_job_id = OLD.id),
          OLD.discovery_job_id)))
      ELSE OLD.last_read_at
    END;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER scrape_jobs_follow_readings BEFORE UPDATE ON scrape_jobs
  FOR EACH ROW WHEN (NEW.last_read_at IS NOT NULL AND NEW.gap_since IS NULL AND (
    OLD.gap_since IS NOT NULL OR NOT NEW.is_active OR OLD.parser_type <> NEW.parser_type
    OR NEW.parser_type <> 'discovered' AND (NEW.last_outcome = 'failed' OR NEW.failing_since IS NOT NULL)))
  EXECUTE FUNCTION follow_readings();

-- The names and labels of deleted scrape jobs that have exposures. Their last version isn't confirmed after `gap_since`.
CREATE TABLE deleted_scrape_jobs (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint NOT NULL,
  name text NOT NULL,
  labels jsonb NOT NULL,
  gap_since timestamptz NOT NULL,
  gap_reason text NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX deleted_scrape_jobs_by_age ON deleted_scrape_jobs (organization_id, deleted_at);

CREATE FUNCTION keep_deleted_scrape_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO deleted_scrape_jobs (organization_id, id, name, labels, gap_since, gap_reason)
  SELECT OLD.organization_id, OLD.id, OLD.name, OLD.labels,
    coalesce(OLD.gap_since, CASE
      WHEN OLD.parser_type = 'manual' THEN pacekeeper_now()
      WHEN OLD.parser_type = 'discovered' THEN greatest(OLD.last_read_at, (
        SELECT last_success_at FROM discovery_jobs
        WHERE organization_id = OLD.organization_id AND id = OLD.discovery_job_id))
      ELSE OLD.last_read_at END),
    coalesce(OLD.gap_reason, 'deleted')
  -- Deleting an organization deletes its row first.
  WHERE EXISTS (SELECT FROM organizations WHERE id = OLD.organization_id)
    AND EXISTS (SELECT FROM exposures WHERE organization_id = OLD.organization_id AND scrape_job_id = OLD.id);
  RETURN OLD;
END
$$;
CREATE TRIGGER scrape_jobs_keep_deleted BEFORE DELETE ON scrape_jobs
  FOR EACH ROW WHEN (OLD.last_read_at IS NOT NULL) EXECUTE FUNCTION keep_deleted_scrape_job();

-- The software of scrape jobs that no alert configuration compares anymore: the gather jobs of the last deleted ones.
CREATE TABLE former_software (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  scrape_job_id bigint NOT NULL,
  gather_job_id bigint NOT NULL,
  PRIMARY KEY (organization_id, gather_job_id, scrape_job_id)
);
CREATE INDEX former_software_by_scrape_job ON former_software (organization_id, scrape_job_id);
