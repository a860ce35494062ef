-- When a channel sends: its hours of the week, and digests by a schedule.
SET LOCAL lock_timeout = '500ms';

-- sending_hours: [{days, from, to}] by the clock of timezone; empty: always. always_for: severities that don't wait.
-- held_until: the opening that deliveries with waits_for_hours wait for. Only a pass of the channel writes it, and a change
-- of the hours, which sets a time that is no opening, so that the next pass decides again, whatever a pass at the same
-- time does.
ALTER TABLE notification_channels
  ADD COLUMN sending_hours jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN timezone text NOT NULL DEFAULT 'UTC',
  ADD COLUMN always_for text[] NOT NULL DEFAULT '{critical}',
  ADD COLUMN digest_schedule text,
  ADD COLUMN held_until timestamptz,
  ADD CONSTRAINT notification_channels_digest_check CHECK (digest_minutes IS NULL OR digest_schedule IS NULL) NOT VALID;
ALTER TABLE notification_channels VALIDATE CONSTRAINT notification_channels_digest_check;

-- Its next_attempt_at is the opening.
ALTER TABLE notification_deliveries ADD COLUMN waits_for_hours boolean NOT NULL DEFAULT false;

DROP TRIGGER notification_channels_raise_revision ON notification_channels;
CREATE TRIGGER notification_channels_raise_revision
  BEFORE UPDATE OF name, url_masked, preset, template, templates, header_names, digest_minutes, digest_schedule,
    sending_hours, timezone, always_for, require_login_to_acknowledge, is_active
  ON notification_channels FOR EACH ROW WHEN (
    (OLD.name, OLD.url_masked, OLD.preset, OLD.template, OLD.templates, OLD.header_names, OLD.digest_minutes,
      OLD.digest_schedule, OLD.sending_hours, OLD.timezone, OLD.always_for, OLD.require_login_to_acknowledge,
      OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.url_masked, NEW.preset, NEW.template, NEW.templates, NEW.header_names, NEW.digest_minutes,
      NEW.digest_schedule, NEW.sending_hours, NEW.timezone, NEW.always_for, NEW.require_login_to_acknowledge,
      NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();
