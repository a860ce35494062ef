-- For each change of an alert configuration, the worst one of its scrape job was searched again, past all that the same
-- transaction had changed or deleted: 4,000 configurations of one job took 1.5 s. Now it is searched only if the change can be
-- one of the worst. When the triggers run, everything is changed already, so that is once for each job.
SET LOCAL lock_timeout = '500ms';

-- In the order of `worst_of_job`.
CREATE FUNCTION rank_of_severity(severity text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(array_position(ARRAY['moderate', 'high', 'critical'], severity), 0)
$$;
CREATE FUNCTION rank_of_state(state text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_position(ARRAY['inactive', 'ok', 'no_data', 'stale', 'alerting'], state)
$$;

CREATE OR REPLACE FUNCTION keep_worst() RETURNS trigger LANGUAGE plpgsql AS $$
-- An assignment takes less time than PERFORM.
DECLARE locked text;
BEGIN
  IF TG_OP = 'DELETE' OR TG_OP = 'UPDATE' AND NEW.scrape_job_id <> OLD.scrape_job_id THEN
    locked := lock_software(OLD.organization_id);
    UPDATE software
    SET (alert_config_id, state, severity_rank, crossed_at) = (
      SELECT worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at
      FROM (SELECT) AS one LEFT JOIN worst_of_job(OLD.organization_id, OLD.scrape_job_id) AS worst ON true)
    WHERE organization_id = OLD.organization_id AND scrape_job_id = OLD.scrape_job_id AND alert_config_id = OLD.id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    locked := lock_software(NEW.organization_id);
    -- If it was the worst and is different now, if there was none, or if it comes before the one that was.
    UPDATE software
    SET (alert_config_id, state, severity_rank, crossed_at) = (
      SELECT worst.alert_config_id, coalesce(worst.state, 'unmonitored'), coalesce(worst.severity_rank, 0), worst.crossed_at
      FROM (SELECT) AS one LEFT JOIN worst_of_job(NEW.organization_id, NEW.scrape_job_id) AS worst ON true)
    WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.scrape_job_id AND CASE
      WHEN alert_config_id = NEW.id THEN (state, severity_rank, crossed_at) IS DISTINCT FROM
        (NEW.state, rank_of_severity(NEW.severity), NEW.crossed_at)
      WHEN alert_config_id IS NULL THEN true
      WHEN severity_rank <> rank_of_severity(NEW.severity) THEN severity_rank < rank_of_severity(NEW.severity)
      WHEN state <> NEW.state THEN rank_of_state(state) < rank_of_state(NEW.state)
      ELSE (coalesce(NEW.crossed_at, 'infinity'), NEW.id) < (coalesce(crossed_at, 'infinity'), alert_config_id)
    END;
  END IF;
  RETURN NULL;
END
$$;
DROP FUNCTION keep_worst_of_job(bigint, bigint);
