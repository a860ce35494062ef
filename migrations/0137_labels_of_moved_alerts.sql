-- An open alert keeps its labels when its configuration is moved to another scrape job: it resolves, and those who were
-- notified of it by these labels are to be notified of its end.
SET LOCAL lock_timeout = '500ms';
DROP TRIGGER alert_configs_relabel_alert ON alert_configs;
CREATE TRIGGER alert_configs_relabel_alert AFTER UPDATE OF labels, scrape_job_id, effective_labels ON alert_configs
  FOR EACH ROW WHEN (OLD.effective_labels IS DISTINCT FROM NEW.effective_labels AND OLD.scrape_job_id = NEW.scrape_job_id)
  EXECUTE FUNCTION relabel_open_alert();
