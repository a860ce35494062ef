-- Channels that send email, and how many messages an organization sends.
SET LOCAL lock_timeout = '500ms';

-- Recipients are lowercase. A channel that sends email has no URL: its url_sealed is empty, which a server of the previous
-- version can't open, so it leaves the deliveries of the channel to others.
ALTER TABLE notification_channels
  ADD COLUMN channel_type text NOT NULL DEFAULT 'webhook',
  ADD COLUMN recipients text[] NOT NULL DEFAULT '{}',
  ADD CONSTRAINT notification_channels_type_check CHECK (channel_type IN ('webhook', 'email')) NOT VALID,
  ADD CONSTRAINT notification_channels_recipients_check
    CHECK ((channel_type = 'email') = (cardinality(recipients) > 0)) NOT VALID;
ALTER TABLE notification_channels VALIDATE CONSTRAINT notification_channels_type_check;
ALTER TABLE notification_channels VALIDATE CONSTRAINT notification_channels_recipients_check;

DROP TRIGGER notification_channels_raise_revision ON notification_channels;
CREATE TRIGGER notification_channels_raise_revision
  BEFORE UPDATE OF name, url_masked, recipients, preset, template, templates, header_names, digest_minutes,
    digest_schedule, sending_hours, timezone, always_for, require_login_to_acknowledge, is_active
  ON notification_channels FOR EACH ROW WHEN (
    (OLD.name, OLD.url_masked, OLD.recipients, OLD.preset, OLD.template, OLD.templates, OLD.header_names,
      OLD.digest_minutes, OLD.digest_schedule, OLD.sending_hours, OLD.timezone, OLD.always_for,
      OLD.require_login_to_acknowledge, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.url_masked, NEW.recipients, NEW.preset, NEW.template, NEW.templates, NEW.header_names,
      NEW.digest_minutes, NEW.digest_schedule, NEW.sending_hours, NEW.timezone, NEW.always_for,
      NEW.require_login_to_acknowledge, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

-- accepted_recipients: those for whom the mail server has accepted the message. Later attempts skip them.
-- waits_for_limit: its next_attempt_at is the next hour in which the organization can send.
ALTER TABLE notification_deliveries
  ADD COLUMN accepted_recipients text[] NOT NULL DEFAULT '{}',
  ADD COLUMN waits_for_limit boolean NOT NULL DEFAULT false;

-- Messages sent in the hour that began with the first of them.
CREATE TABLE email_budgets (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('message', 'test')),
  started_at timestamptz NOT NULL,
  used integer NOT NULL,
  -- With the last statement that took some.
  granted integer NOT NULL,
  PRIMARY KEY (organization_id, kind)
);
