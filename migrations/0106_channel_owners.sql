-- Channels of the owners of alerts.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE notification_channels ADD COLUMN owners text[] NOT NULL DEFAULT '{}';
ALTER TABLE notification_rules ADD COLUMN route_to_owner boolean NOT NULL DEFAULT false;
-- Why its channel was chosen only as a fallback.
ALTER TABLE notification_deliveries ADD COLUMN fallback_reason text;

DROP TRIGGER notification_channels_raise_revision ON notification_channels;
CREATE TRIGGER notification_channels_raise_revision
  BEFORE UPDATE OF name, url_masked, recipients, preset, template, templates, header_names, digest_minutes,
    digest_schedule, sending_hours, timezone, always_for, owners, require_login_to_acknowledge, is_active
  ON notification_channels FOR EACH ROW WHEN (
    (OLD.name, OLD.url_masked, OLD.recipients, OLD.preset, OLD.template, OLD.templates, OLD.header_names,
      OLD.digest_minutes, OLD.digest_schedule, OLD.sending_hours, OLD.timezone, OLD.always_for, OLD.owners,
      OLD.require_login_to_acknowledge, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.url_masked, NEW.recipients, NEW.preset, NEW.template, NEW.templates, NEW.header_names,
      NEW.digest_minutes, NEW.digest_schedule, NEW.sending_hours, NEW.timezone, NEW.always_for, NEW.owners,
      NEW.require_login_to_acknowledge, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

DROP TRIGGER notification_rules_raise_revision ON notification_rules;
CREATE TRIGGER notification_rules_raise_revision
  BEFORE UPDATE OF name, description, priority, severities, event_types, label_matchers, rule_ids, alert_config_ids,
    channel_ids, route_to_owner, stop_processing, is_active
  ON notification_rules FOR EACH ROW WHEN (
    (OLD.name, OLD.description, OLD.priority, OLD.severities, OLD.event_types, OLD.label_matchers, OLD.rule_ids,
      OLD.alert_config_ids, OLD.channel_ids, OLD.route_to_owner, OLD.stop_processing, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.description, NEW.priority, NEW.severities, NEW.event_types, NEW.label_matchers, NEW.rule_ids,
      NEW.alert_config_ids, NEW.channel_ids, NEW.route_to_owner, NEW.stop_processing, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
