-- Alert configurations inherit the labels of their scrape job, except for those of which they have the key. Whatever
-- routes, filters, groups, or shows uses `effective_labels`, which triggers keep, whichever server writes the labels.
-- Nobody writes to these tables meanwhile. Gives way before PostgreSQL calls it a deadlock.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE scrape_jobs, alert_configs, alerts IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE alert_configs ADD COLUMN effective_labels jsonb NOT NULL DEFAULT '{}';
UPDATE alert_configs AS c SET effective_labels = j.labels || c.labels
FROM scrape_jobs AS j
WHERE j.organization_id = c.organization_id AND j.id = c.scrape_job_id AND (j.labels <> '{}' OR c.labels <> '{}');
-- Only those of jobs that have labels. The labels of all other alerts stay as they are, and so does their routing.
UPDATE alerts AS a SET labels = c.effective_labels
FROM alert_configs AS c
WHERE c.organization_id = a.organization_id AND c.id = a.alert_config_id AND c.effective_labels <> c.labels
  AND a.resolved_at IS NULL AND a.labels <> c.effective_labels;

-- A configuration that is added or moved to a job waits for those who change the labels of the job, and they for it. A
-- change of its own labels sees those of the job that are stored; whoever changes these comes back to it.
CREATE FUNCTION inherit_labels() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE inherited jsonb;
BEGIN
  IF TG_OP = 'INSERT' OR NEW.scrape_job_id <> OLD.scrape_job_id THEN
    PERFORM FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id FOR KEY SHARE;
  END IF;
  SELECT labels INTO inherited FROM scrape_jobs
  WHERE organization_id = NEW.organization_id AND id = NEW.scrape_job_id;
  NEW.effective_labels := coalesce(inherited, '{}') || NEW.labels;
  RETURN NEW;
END
$$;
CREATE TRIGGER alert_configs_inherit_labels BEFORE INSERT OR UPDATE OF labels, scrape_job_id, effective_labels
  ON alert_configs FOR EACH ROW EXECUTE FUNCTION inherit_labels();

CREATE FUNCTION hand_on_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM scrape_jobs WHERE organization_id = NEW.organization_id AND id = NEW.id FOR UPDATE;
  PERFORM FROM alert_configs
  WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.id ORDER BY id FOR NO KEY UPDATE;
  UPDATE alert_configs SET effective_labels = NEW.labels || labels
  WHERE organization_id = NEW.organization_id AND scrape_job_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER scrape_jobs_hand_on_labels AFTER UPDATE OF labels ON scrape_jobs
  FOR EACH ROW WHEN (OLD.labels IS DISTINCT FROM NEW.labels) EXECUTE FUNCTION hand_on_labels();

-- Later events of an open alert are routed by the labels of now.
CREATE FUNCTION relabel_open_alert() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE alerts SET labels = NEW.effective_labels, updated_at = pacekeeper_now()
  WHERE organization_id = NEW.organization_id AND alert_config_id = NEW.id AND resolved_at IS NULL
    AND labels <> NEW.effective_labels;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_relabel_alert AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (OLD.effective_labels IS DISTINCT FROM NEW.effective_labels) EXECUTE FUNCTION relabel_open_alert();

DROP INDEX alert_configs_by_labels;
CREATE INDEX alert_configs_by_labels ON alert_configs USING gin (effective_labels jsonb_path_ops);
-- The rows of the matrix of environments in their order, as long as the settings name these labels.
CREATE INDEX scrape_jobs_by_service ON scrape_jobs
  (organization_id, (labels ->> 'service') COLLATE "C", (coalesce(labels ->> 'component', '')) COLLATE "C", id)
  WHERE labels ->> 'service' IS NOT NULL;
CREATE INDEX scrape_jobs_by_environment ON scrape_jobs (organization_id, (labels ->> 'environment') COLLATE "C")
  WHERE labels ->> 'environment' IS NOT NULL;
