-- Channels that create issues, and the issues of alerts.
SET LOCAL lock_timeout = '500ms';

-- tracker_sealed: the URL and the token. Their url_sealed is empty, so that a server of the previous version, which knows
-- only webhooks, sends nothing to a tracker: its attempts fail.
ALTER TABLE notification_channels
  ADD COLUMN project text,
  ADD COLUMN issue_type text,
  ADD COLUMN account_email text,
  ADD COLUMN ticket_labels text[] NOT NULL DEFAULT '{}',
  ADD COLUMN tracker_sealed bytea,
  DROP CONSTRAINT notification_channels_type_check,
  ADD CONSTRAINT notification_channels_type_check
    CHECK (channel_type IN ('webhook', 'email', 'github_issues', 'gitlab_issues', 'jira')) NOT VALID,
  ADD CONSTRAINT notification_channels_tracker_check
    CHECK ((channel_type IN ('github_issues', 'gitlab_issues', 'jira')) = (project IS NOT NULL)
      AND (project IS NULL) = (tracker_sealed IS NULL)) NOT VALID;
ALTER TABLE notification_channels VALIDATE CONSTRAINT notification_channels_type_check;
ALTER TABLE notification_channels VALIDATE CONSTRAINT notification_channels_tracker_check;

DROP TRIGGER notification_channels_raise_revision ON notification_channels;
CREATE TRIGGER notification_channels_raise_revision
  BEFORE UPDATE OF name, url_masked, recipients, project, issue_type, account_email, ticket_labels, preset, template,
    templates, header_names, digest_minutes, digest_schedule, sending_hours, timezone, always_for, owners,
    require_login_to_acknowledge, is_active
  ON notification_channels FOR EACH ROW WHEN (
    (OLD.name, OLD.url_masked, OLD.recipients, OLD.project, OLD.issue_type, OLD.account_email, OLD.ticket_labels,
      OLD.preset, OLD.template, OLD.templates, OLD.header_names, OLD.digest_minutes, OLD.digest_schedule,
      OLD.sending_hours, OLD.timezone, OLD.always_for, OLD.owners, OLD.require_login_to_acknowledge, OLD.is_active)
    IS DISTINCT FROM
    (NEW.name, NEW.url_masked, NEW.recipients, NEW.project, NEW.issue_type, NEW.account_email, NEW.ticket_labels,
      NEW.preset, NEW.template, NEW.templates, NEW.header_names, NEW.digest_minutes, NEW.digest_schedule,
      NEW.sending_hours, NEW.timezone, NEW.always_for, NEW.owners, NEW.require_login_to_acknowledge, NEW.is_active)
  ) EXECUTE FUNCTION raise_revision();

-- The ticket of an alert in the tracker of a channel. Written before the first request, so that every later attempt knows
-- what to search for.
CREATE TABLE alert_tickets (
  organization_id bigint NOT NULL,
  alert_id bigint NOT NULL,
  -- No foreign key: a ticket outlives its channel. Numbers of channels are never given again.
  channel_id bigint NOT NULL,
  channel_name text NOT NULL,
  channel_type text NOT NULL,
  -- Where it was created, whatever the channel says now.
  target text NOT NULL,
  project text NOT NULL,
  -- Random, and in the text of the ticket.
  marker text NOT NULL,
  -- How often its creation was begun.
  opening_count integer NOT NULL DEFAULT 1,
  started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- The number or key that the tracker has given it; null until that is known.
  ticket_id text,
  key text,
  url text,
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'closed', 'missing')),
  created_at timestamptz,
  closed_at timestamptz,
  PRIMARY KEY (organization_id, alert_id, channel_id),
  CHECK ((ticket_id IS NULL) = (key IS NULL) AND (key IS NULL) = (url IS NULL) AND (url IS NULL) = (created_at IS NULL)),
  FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id) ON DELETE CASCADE
);
