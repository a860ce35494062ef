-- How often what people edit of a resource was changed: its ETag.
SET LOCAL lock_timeout = '500ms';

-- Whatever changes one of the listed columns raises the revision, also in servers of an earlier version and where many
-- rows are changed at once. Runs, evaluations and the health of channels write none of them.
CREATE FUNCTION raise_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  NEW.updated_at := pacekeeper_now();
  RETURN NEW;
END
$$;

ALTER TABLE memberships ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER memberships_raise_revision
  BEFORE UPDATE OF role
  ON memberships FOR EACH ROW WHEN (
    OLD.role IS DISTINCT FROM NEW.role
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE api_keys ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER api_keys_raise_revision
  BEFORE UPDATE OF name, description, is_active, deactivated_at
  ON api_keys FOR EACH ROW WHEN (
    (OLD.name, OLD.description, OLD.is_active, OLD.deactivated_at)
    IS DISTINCT FROM
    (NEW.name, NEW.description, NEW.is_active, NEW.deactivated_at)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE helm_sync_jobs ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER helm_sync_jobs_raise_revision
  BEFORE UPDATE OF name, repository_url, chart_filter, create_gather_jobs, credential_name, cron_expression,
    cron_timezone, is_active
  ON helm_sync_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.repository_url, OLD.chart_filter, OLD.create_gather_jobs, OLD.credential_name,
      OLD.cron_expression, OLD.cron_timezone, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.repository_url, NEW.chart_filter, NEW.create_gather_jobs, NEW.credential_name,
      NEW.cron_expression, NEW.cron_timezone, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE gather_jobs ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER gather_jobs_raise_revision
  BEFORE UPDATE OF name, source_type, artifact_name, source_options, version_scheme, version_pattern,
    include_prereleases, max_releases, credential_name, cron_expression, cron_timezone, is_active
  ON gather_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.source_type, OLD.artifact_name, OLD.source_options, OLD.version_scheme, OLD.version_pattern,
      OLD.include_prereleases, OLD.max_releases, OLD.credential_name, OLD.cron_expression, OLD.cron_timezone,
      OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.source_type, NEW.artifact_name, NEW.source_options, NEW.version_scheme, NEW.version_pattern,
      NEW.include_prereleases, NEW.max_releases, NEW.credential_name, NEW.cron_expression, NEW.cron_timezone,
      NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE scrape_jobs ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER scrape_jobs_raise_revision
  BEFORE UPDATE OF name, parser_type, repository_url, ref, target_file, parse_expression, version_transform,
    credential_name, cron_expression, cron_timezone, history_limit, is_active
  ON scrape_jobs FOR EACH ROW WHEN (
    (OLD.name, OLD.parser_type, OLD.repository_url, OLD.ref, OLD.target_file, OLD.parse_expression,
      OLD.version_transform, OLD.credential_name, OLD.cron_expression, OLD.cron_timezone, OLD.history_limit,
      OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.parser_type, NEW.repository_url, NEW.ref, NEW.target_file, NEW.parse_expression,
      NEW.version_transform, NEW.credential_name, NEW.cron_expression, NEW.cron_timezone, NEW.history_limit,
      NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE rules ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER rules_raise_revision
  BEFORE UPDATE OF name, description, rule_type, threshold_moderate, threshold_high, threshold_critical,
    stable_only, days_basis, min_release_age_days, is_active
  ON rules FOR EACH ROW WHEN (
    (OLD.name, OLD.description, OLD.rule_type, OLD.threshold_moderate, OLD.threshold_high, OLD.threshold_critical,
      OLD.stable_only, OLD.days_basis, OLD.min_release_age_days, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.description, NEW.rule_type, NEW.threshold_moderate, NEW.threshold_high, NEW.threshold_critical,
      NEW.stable_only, NEW.days_basis, NEW.min_release_age_days, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE alert_configs ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER alert_configs_raise_revision
  BEFORE UPDATE OF name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, labels, candidate_pattern,
    ignored_versions, is_active
  ON alert_configs FOR EACH ROW WHEN (
    (OLD.name, OLD.scrape_job_id, OLD.gather_organization_id, OLD.gather_job_id, OLD.rule_id, OLD.labels,
      OLD.candidate_pattern, OLD.ignored_versions, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.scrape_job_id, NEW.gather_organization_id, NEW.gather_job_id, NEW.rule_id, NEW.labels,
      NEW.candidate_pattern, NEW.ignored_versions, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE notification_channels ADD COLUMN revision integer NOT NULL DEFAULT 1;
-- Sealed values differ each time they are sealed: who changes one raises the revision.
CREATE TRIGGER notification_channels_raise_revision
  BEFORE UPDATE OF name, url_masked, preset, template, templates, header_names, digest_minutes,
    require_login_to_acknowledge, is_active
  ON notification_channels FOR EACH ROW WHEN (
    (OLD.name, OLD.url_masked, OLD.preset, OLD.template, OLD.templates, OLD.header_names, OLD.digest_minutes,
      OLD.require_login_to_acknowledge, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.url_masked, NEW.preset, NEW.template, NEW.templates, NEW.header_names, NEW.digest_minutes,
      NEW.require_login_to_acknowledge, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

ALTER TABLE notification_rules ADD COLUMN revision integer NOT NULL DEFAULT 1;
CREATE TRIGGER notification_rules_raise_revision
  BEFORE UPDATE OF name, description, priority, severities, event_types, label_matchers, rule_ids, alert_config_ids,
    channel_ids, stop_processing, is_active
  ON notification_rules FOR EACH ROW WHEN (
    (OLD.name, OLD.description, OLD.priority, OLD.severities, OLD.event_types, OLD.label_matchers, OLD.rule_ids,
      OLD.alert_config_ids, OLD.channel_ids, OLD.stop_processing, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.description, NEW.priority, NEW.severities, NEW.event_types, NEW.label_matchers, NEW.rule_ids,
      NEW.alert_config_ids, NEW.channel_ids, NEW.stop_processing, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

-- A setting that goes back to its default has no row in `settings`, and keeps its revision. None: 0.
CREATE TABLE setting_revisions (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  key text NOT NULL,
  revision integer NOT NULL,
  PRIMARY KEY (organization_id, key)
);
