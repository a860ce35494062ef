-- The worst alert configuration of each scrape job, which the list of software is filtered and sorted by: finding it among all
-- configurations took a second for a hundred thousand jobs. Triggers keep it, whichever server writes.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE software (
  organization_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  -- None: it is not monitored.
  alert_config_id bigint,
  state text NOT NULL DEFAULT 'unmonitored',
  severity_rank integer NOT NULL DEFAULT 0,
  crossed_at timestamptz,
  PRIMARY KEY (organization_id, scrape_job_id),
  FOREIGN KEY (organization_id, scrape_job_id) REFERENCES scrape_jobs (organization_id, id) ON DELETE CASCADE
);
ALTER TABLE software SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);

-- In the order of the index `alert_configs_worst_of_job`.
CREATE FUNCTION worst_of_job(organization bigint, job bigint)
RETURNS TABLE (alert_config_id bigint, state text, severity_rank integer, crossed_at timestamptz)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT id, state, coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0), crossed_at
  FROM alert_configs WHERE organization_id = organization AND scrape_job_id = job
  ORDER BY coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0) DESC,
    array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state) DESC, crossed_at, id
  LIMIT 1
$$;

-- Those who change configurations of an organization come here one after another, each with what the ones before it have
-- committed. They come at the very end of their transactions, so nobody waits for a client or for another lock meanwhile.
CREATE FUNCTION lock_software(organization bigint) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('pacekeeper software'), (organization % 2147483647)::integer)
$$;

CREATE FUNCTION keep_worst_of_job(organization bigint, job bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_software(organization);
  UPDATE software
  SET alert_config_id = worst.alert_config_id, state = coalesce(worst.state, 'unmonitored'),
    severity_rank = coalesce(worst.severity_rank, 0), crossed_at = worst.crossed_at
  FROM (SELECT) AS one LEFT JOIN worst_of_job(organization, job) AS worst ON true
  WHERE software.organization_id = organization AND software.scrape_job_id = job
    AND (software.alert_config_id, software.state, software.severity_rank, software.crossed_at) IS DISTINCT FROM
      (worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at);
END
$$;

CREATE FUNCTION keep_worst() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM keep_worst_of_job(OLD.organization_id, OLD.scrape_job_id); END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND NEW.scrape_job_id <> OLD.scrape_job_id) THEN
    PERFORM keep_worst_of_job(NEW.organization_id, NEW.scrape_job_id);
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER alert_configs_keep_worst_of_added AFTER INSERT OR DELETE ON alert_configs
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_worst();
CREATE CONSTRAINT TRIGGER alert_configs_keep_worst_of_changed AFTER UPDATE OF scrape_job_id, state, severity, crossed_at
  ON alert_configs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (
    (OLD.scrape_job_id, OLD.state, OLD.severity, OLD.crossed_at) IS DISTINCT FROM
    (NEW.scrape_job_id, NEW.state, NEW.severity, NEW.crossed_at)
  ) EXECUTE FUNCTION keep_worst();

CREATE FUNCTION add_software() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO software (organization_id, scrape_job_id) SELECT organization_id, id FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER scrape_jobs_add_software AFTER INSERT ON scrape_jobs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_software();

-- The triggers hold both tables until the end of this transaction: nobody changes what is read here.
INSERT INTO software (organization_id, scrape_job_id, alert_config_id, state, severity_rank, crossed_at)
SELECT j.organization_id, j.id, worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0),
  worst.crossed_at
FROM scrape_jobs j LEFT JOIN LATERAL worst_of_job(j.organization_id, j.id) AS worst ON true;
CREATE INDEX software_worst ON software (organization_id, severity_rank DESC, crossed_at, alert_config_id)
  WHERE alert_config_id IS NOT NULL;
CREATE INDEX software_by_state ON software (organization_id, state, severity_rank DESC, crossed_at, alert_config_id);
