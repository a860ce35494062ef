-- Lists by label of software and of freshness read each alert configuration with the label, and these rows are wide and lie on
-- as many pages. This table has only what finds the others: 5,000 configurations with a label are 70 pages of its index. Only
-- the transaction that changes a configuration writes its rows, so every reader sees consistent rows.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE labeled_configs (
  organization_id bigint NOT NULL,
  -- `key=value`. A key has no equals sign.
  label text COLLATE "C" NOT NULL,
  alert_config_id bigint NOT NULL,
  scrape_job_id bigint NOT NULL,
  PRIMARY KEY (organization_id, label, alert_config_id) INCLUDE (scrape_job_id)
);
ALTER TABLE labeled_configs SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05);

CREATE FUNCTION keep_labeled_configs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM labeled_configs
    WHERE organization_id = OLD.organization_id AND alert_config_id = OLD.id
      AND label = ANY(ARRAY(
        SELECT key || '=' || value FROM jsonb_each_text(OLD.effective_labels)
        WHERE OLD.scrape_job_id <> NEW.scrape_job_id OR NOT NEW.effective_labels @> jsonb_build_object(key, value)));
    INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
    SELECT NEW.organization_id, key || '=' || value, NEW.id, NEW.scrape_job_id FROM jsonb_each_text(NEW.effective_labels)
    WHERE OLD.scrape_job_id <> NEW.scrape_job_id OR NOT OLD.effective_labels @> jsonb_build_object(key, value)
    -- A row that the nightly recount has yet to correct doesn't stop an edit.
    ON CONFLICT (organization_id, label, alert_config_id) DO UPDATE SET scrape_job_id = EXCLUDED.scrape_job_id;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
    SELECT organization_id, key || '=' || value, id, scrape_job_id FROM changed, jsonb_each_text(effective_labels)
    ON CONFLICT (organization_id, label, alert_config_id) DO UPDATE SET scrape_job_id = EXCLUDED.scrape_job_id;
  ELSE
    -- Planned for the number of rows that are deleted now: a plan that is kept was made for the first ones.
    EXECUTE $sql$DELETE FROM labeled_configs USING changed, jsonb_each_text(effective_labels)
      WHERE labeled_configs.organization_id = changed.organization_id AND label = key || '=' || value AND alert_config_id = id$sql$;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER alert_configs_add_labeled AFTER INSERT ON alert_configs REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_labeled_configs();
CREATE TRIGGER alert_configs_delete_labeled AFTER DELETE ON alert_configs REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_labeled_configs();
-- A BEFORE trigger derives the effective labels from these columns.
CREATE TRIGGER alert_configs_change_labeled AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (OLD.effective_labels <> NEW.effective_labels OR OLD.scrape_job_id <> NEW.scrape_job_id)
  EXECUTE FUNCTION keep_labeled_configs();

-- CREATE TRIGGER locks the table until this transaction ends, so no one can change the rows that are read here.
INSERT INTO labeled_configs (organization_id, label, alert_config_id, scrape_job_id)
SELECT organization_id, key || '=' || value, id, scrape_job_id FROM alert_configs, jsonb_each_text(effective_labels);
