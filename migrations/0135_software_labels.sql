-- How many scrape jobs have each label, of their own or of an alert configuration that uses them, as sums like the other counts.
-- They were counted among the first 10,000 configurations and jobs, and took as long as reading these. The labels of each job are
-- kept with its worst alert configuration: they depend on rows that several servers change, too.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE row_counts
  DROP CONSTRAINT row_counts_subject_check,
  ADD CONSTRAINT row_counts_subject_check CHECK (subject IN ('alerts', 'alert_days', 'alert_configs', 'jobs', 'failed_jobs',
    'discovered_items', 'deployed_changes', 'rule_uses', 'delivery_hours', 'open_alert_labels', 'resolved_alert_labels',
    'alert_config_labels', 'software_labels'));

-- `key=value`. A key has no equals sign.
CREATE FUNCTION label_texts(labels jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT ARRAY(SELECT key || '=' || value FROM jsonb_each_text(labels) ORDER BY 1)
$$;

CREATE FUNCTION labels_of_job(organization bigint, job bigint) RETURNS TABLE (labels text[])
LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT ARRAY(
    SELECT unnest(label_texts(j.labels)) FROM scrape_jobs j WHERE j.organization_id = organization AND j.id = job
    UNION SELECT unnest(label_texts(c.effective_labels)) FROM alert_configs c
    WHERE c.organization_id = organization AND c.scrape_job_id = job
    ORDER BY 1)
$$;

ALTER TABLE software ADD COLUMN labels text[] NOT NULL DEFAULT '{}';

-- Something of the job gained labels and lost others. They are searched only if that makes a difference: a job can have thousands
-- of alert configurations that all change at once.
CREATE FUNCTION keep_labels_of_job(organization bigint, job bigint, gained jsonb, lost jsonb) RETURNS void LANGUAGE plpgsql AS $$
-- An assignment takes less time than PERFORM.
DECLARE locked text := lock_software(organization);
BEGIN
  UPDATE software SET labels = (SELECT found.labels FROM labels_of_job(organization, job) AS found)
  WHERE organization_id = organization AND scrape_job_id = job AND (NOT labels @> label_texts(gained) OR EXISTS (
    SELECT FROM jsonb_each_text(lost) AS one CROSS JOIN LATERAL (SELECT jsonb_build_object(one.key, one.value) AS label) AS gone
    WHERE one.key || '=' || one.value = ANY(software.labels)
      AND NOT EXISTS (SELECT FROM scrape_jobs j WHERE j.organization_id = organization AND j.id = job AND j.labels @> gone.label)
      AND NOT EXISTS (SELECT FROM alert_configs c
        WHERE c.organization_id = organization AND c.scrape_job_id = job AND c.effective_labels @> gone.label)));
END
$$;

CREATE FUNCTION keep_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'scrape_jobs' THEN
    PERFORM keep_labels_of_job(NEW.organization_id, NEW.id, NEW.labels, OLD.labels);
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM keep_labels_of_job(NEW.organization_id, NEW.scrape_job_id, NEW.effective_labels, '{}');
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM keep_labels_of_job(OLD.organization_id, OLD.scrape_job_id, '{}', OLD.effective_labels);
  ELSIF OLD.scrape_job_id = NEW.scrape_job_id THEN
    PERFORM keep_labels_of_job(NEW.organization_id, NEW.scrape_job_id, NEW.effective_labels, OLD.effective_labels);
  ELSE
    PERFORM keep_labels_of_job(OLD.organization_id, OLD.scrape_job_id, '{}', OLD.effective_labels);
    PERFORM keep_labels_of_job(NEW.organization_id, NEW.scrape_job_id, NEW.effective_labels, '{}');
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER alert_configs_keep_labels_of_added AFTER INSERT ON alert_configs
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.effective_labels <> '{}') EXECUTE FUNCTION keep_labels();
CREATE CONSTRAINT TRIGGER alert_configs_keep_labels_of_deleted AFTER DELETE ON alert_configs
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.effective_labels <> '{}') EXECUTE FUNCTION keep_labels();
-- A trigger of before derives the effective labels from these columns.
CREATE CONSTRAINT TRIGGER alert_configs_keep_labels_of_changed AFTER UPDATE OF labels, scrape_job_id, effective_labels
  ON alert_configs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.effective_labels <> NEW.effective_labels OR OLD.scrape_job_id <> NEW.scrape_job_id) EXECUTE FUNCTION keep_labels();
CREATE CONSTRAINT TRIGGER scrape_jobs_keep_labels AFTER UPDATE OF labels ON scrape_jobs
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.labels <> NEW.labels) EXECUTE FUNCTION keep_labels();

CREATE OR REPLACE FUNCTION add_software() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO software (organization_id, scrape_job_id, labels) SELECT organization_id, id, label_texts(labels) FROM changed;
  RETURN NULL;
END
$$;

-- The triggers hold these tables until the end of this transaction: nobody changes what is read here.
UPDATE software SET labels = found.labels
FROM (
  SELECT organization_id, job_id, array_agg(DISTINCT label ORDER BY label) AS labels
  FROM (
    SELECT organization_id, id AS job_id, labels FROM scrape_jobs
    UNION ALL SELECT organization_id, scrape_job_id, effective_labels FROM alert_configs
  ) AS labeled CROSS JOIN LATERAL unnest(label_texts(labeled.labels)) AS label
  GROUP BY organization_id, job_id
) AS found
WHERE software.organization_id = found.organization_id AND software.scrape_job_id = found.job_id;

CREATE FUNCTION count_software_labels() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT NEW.organization_id, 'software_labels', label, 1 FROM unnest(NEW.labels) AS label WHERE label <> ALL(OLD.labels)
    UNION ALL
    SELECT NEW.organization_id, 'software_labels', label, -1 FROM unnest(OLD.labels) AS label WHERE label <> ALL(NEW.labels);
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'software_labels', label, count(*) * CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END
    FROM changed, unnest(labels) AS label
    WHERE EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY organization_id, label;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER software_count_labels_added AFTER INSERT ON software REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_software_labels();
CREATE TRIGGER software_count_labels_removed AFTER DELETE ON software REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_software_labels();
CREATE TRIGGER software_count_labels_changed AFTER UPDATE OF labels ON software
  FOR EACH ROW WHEN (OLD.labels <> NEW.labels) EXECUTE FUNCTION count_software_labels();

INSERT INTO row_counts (organization_id, subject, kind, amount, is_folded)
SELECT organization_id, 'software_labels', label, count(*), true FROM software, unnest(labels) AS label
GROUP BY organization_id, label;
-- There can be as many labels as scrape jobs. The most frequent ones are shown.
CREATE INDEX row_counts_most_labels ON row_counts (organization_id, amount DESC, kind)
  WHERE subject = 'software_labels' AND is_folded;
