-- Served by: 0.1.0 and later
-- Notifications: channels, the rules that choose them, deliveries and their attempts, tickets, and buttons in chats.

-- Sealed columns are encrypted and bound to their row. `due_at` and the columns for claims concern the deliveries of
-- the channel: `due_at` is the next time at which one of them can be attempted.
CREATE TABLE notification_channels (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  channel_type text NOT NULL DEFAULT 'webhook',
  -- Empty for channels that aren't webhooks.
  url_sealed bytea NOT NULL,
  -- `scheme://host/…`, for callers who can't change channels.
  url_masked text NOT NULL,
  -- Lowercase email addresses.
  recipients text[] NOT NULL DEFAULT '{}',
  project text,
  issue_type text,
  account_email text,
  ticket_labels text[] NOT NULL DEFAULT '{}',
  -- The URL and token of the tracker.
  tracker_sealed bytea,
  preset text NOT NULL DEFAULT 'generic',
  preset_options_sealed bytea,
  template text,
  templates jsonb NOT NULL DEFAULT '{}',
  -- For receivers that report errors with a 2xx status: what they return for success, such as
  -- `{"path": "errcode", "equals": 0}`.
  success_condition jsonb,
  -- The form of requests of a channel with the preset `generic`. The closing path is on the host of the URL; resolved
  -- alerts are sent to it with `closing_method`. It can contain a key, like the path of the URL.
  request_method text NOT NULL DEFAULT 'POST',
  body_format text NOT NULL DEFAULT 'json',
  closing_path_sealed bytea,
  closing_method text NOT NULL DEFAULT 'POST',
  headers_sealed bytea,
  header_names text[] NOT NULL DEFAULT '{}',
  signing_secret_sealed bytea,
  previous_signing_secret_sealed bytea,
  previous_signing_secret_until timestamptz,
  -- 128 random bits, the end of the URL that Slack calls. It's set with the first signing secret and kept.
  interactivity_id text,
  digest_minutes integer CHECK (digest_minutes BETWEEN 1 AND 1440),
  digest_schedule text,
  -- `[{days, from, to}]` in `timezone`. Empty: always. Severities in `always_for` don't wait.
  sending_hours jsonb NOT NULL DEFAULT '[]',
  timezone text NOT NULL DEFAULT 'UTC',
  always_for text[] NOT NULL DEFAULT '{critical}',
  -- Start of the sending hours for which deliveries with `waits_for_hours` wait, as calculated by the last pass of the
  -- channel. A change of the hours stores a time that isn't the start of any sending hours, so that the next pass
  -- calculates it again.
  held_until timestamptz,
  owners text[] NOT NULL DEFAULT '{}',
  require_login_to_acknowledge boolean NOT NULL DEFAULT true,
  is_active boolean NOT NULL DEFAULT true,
  inactive_reason text,
  consecutive_failures integer NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- The first failure after the last success. Null for a channel whose last attempt succeeded.
  failing_since timestamptz,
  -- When `channel.failing` was sent. It's kept until `channel.recovered` is sent.
  failing_notified_at timestamptz,
  last_dead_letter_at timestamptz,
  -- When `delivery.failed` was last sent.
  dead_letters_notified_at timestamptz,
  last_duration_ms integer,
  probe_count integer NOT NULL DEFAULT 0,
  -- The pace of a channel whose receiver limits its rate (src/domain/channels/sending-pace.ts). Nothing is sent to the
  -- channel before `next_send_at`.
  next_send_at timestamptz,
  send_interval_ms integer NOT NULL DEFAULT 0,
  -- The interval shrinks to this value while messages are accepted.
  send_interval_floor_ms integer NOT NULL DEFAULT 0,
  -- Time of the last message that the receiver rejected because of its rate limit.
  rate_limited_at timestamptz,
  -- Start and number of the messages that the receiver has accepted since the last rejection or pause. The learned rate
  -- is derived from them.
  accepted_since timestamptz,
  accepted_count integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT notification_channels_type_check
    CHECK (channel_type IN ('webhook', 'email', 'github_issues', 'gitlab_issues', 'jira')),
  CONSTRAINT notification_channels_recipients_check
    CHECK ((channel_type = 'email') = (cardinality(recipients) > 0)),
  CONSTRAINT notification_channels_tracker_check
    CHECK ((channel_type IN ('github_issues', 'gitlab_issues', 'jira')) = (project IS NOT NULL)
      AND (project IS NULL) = (tracker_sealed IS NULL)),
  CONSTRAINT notification_channels_digest_check CHECK (digest_minutes IS NULL OR digest_schedule IS NULL)
) WITH (
  fillfactor = 75,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX notification_channels_due ON notification_channels (due_at) WHERE due_at < 'infinity';
CREATE INDEX notification_channels_in_turn ON notification_channels (organization_id, due_at) WHERE due_at <> 'infinity';
CREATE INDEX notification_channels_newest ON notification_channels (organization_id, created_at, id);
CREATE INDEX notification_channels_by_name ON notification_channels (organization_id, lower(name), id);
CREATE INDEX notification_channels_cdevents ON notification_channels (organization_id) WHERE preset = 'cdevents' AND is_active;
CREATE INDEX notification_channels_failing ON notification_channels (failing_since)
  WHERE failing_since IS NOT NULL AND failing_notified_at IS NULL;
CREATE INDEX notification_channels_dead_letters ON notification_channels (last_dead_letter_at)
  WHERE last_dead_letter_at IS NOT NULL;
CREATE UNIQUE INDEX notification_channels_by_interactivity ON notification_channels (interactivity_id)
  WHERE interactivity_id IS NOT NULL;
-- Each time a value is sealed, the bytes are different, so this trigger can't compare sealed columns. A statement that
-- changes a sealed column raises the revision itself.
CALL raise_revision_on_change('notification_channels', ARRAY[
  'name', 'url_masked', 'recipients', 'project', 'issue_type', 'account_email', 'ticket_labels', 'preset', 'template',
  'templates', 'success_condition', 'request_method', 'body_format', 'closing_method', 'header_names', 'digest_minutes', 'digest_schedule', 'sending_hours', 'timezone',
  'always_for', 'owners', 'require_login_to_acknowledge', 'is_active']);

CREATE TABLE notification_rules (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  priority integer NOT NULL DEFAULT 100,
  severities text[] NOT NULL DEFAULT '{}',
  event_types text[] NOT NULL DEFAULT '{}',
  label_matchers jsonb NOT NULL DEFAULT '[]',
  rule_ids bigint[] NOT NULL DEFAULT '{}',
  alert_config_ids bigint[] NOT NULL DEFAULT '{}',
  -- Null: the default channel.
  channel_ids bigint[],
  route_to_owner boolean NOT NULL DEFAULT false,
  stop_processing boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  inactive_reason text,
  -- The number of matches whose rows retention has removed.
  archived_match_count bigint NOT NULL DEFAULT 0,
  last_archived_match_at timestamptz,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX notification_rules_by_priority ON notification_rules (organization_id, priority, id);
CALL raise_revision_on_change('notification_rules', ARRAY[
  'name', 'description', 'priority', 'severities', 'event_types', 'label_matchers', 'rule_ids', 'alert_config_ids',
  'channel_ids', 'route_to_owner', 'stop_processing', 'is_active']);

-- One row for each match, because alerts would have to wait for each other to increment a counter.
CREATE TABLE notification_rule_matches (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  notification_rule_id bigint NOT NULL,
  event_id uuid NOT NULL,
  matched_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, notification_rule_id) REFERENCES notification_rules (organization_id, id) ON DELETE CASCADE
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE INDEX notification_rule_matches_by_rule
  ON notification_rule_matches (organization_id, notification_rule_id, matched_at);
CREATE INDEX notification_rule_matches_by_event ON notification_rule_matches (organization_id, event_id);

-- Deliveries -----------------------------------------------------------------------------------------------------

CREATE TABLE notification_deliveries (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- Not a foreign key, so that the cost of deleting a channel doesn't depend on the number of its deliveries. They keep
  -- the ID of the deleted channel, which is never reused and which the API no longer returns.
  channel_id bigint,
  channel_name text NOT NULL,
  -- The reason why the channel was chosen only as a fallback.
  fallback_reason text,
  alert_id bigint,
  audit_entry_id bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  sequence integer,
  -- The key of the trouble that the event reports or ends, such as `gather-job/4`. Its deliveries keep their order.
  trouble text,
  -- The digest that contains this delivery.
  digest_delivery_id bigint,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress', 'succeeded', 'failed', 'dead_letter', 'canceled')),
  attempt_count integer NOT NULL DEFAULT 0,
  -- Attempts of the current series. `retry` starts a new series.
  series_attempt_count integer NOT NULL DEFAULT 0,
  series_started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  max_attempts integer NOT NULL,
  next_attempt_at timestamptz,
  -- The delivery was retried while its channel is inactive. It has no `next_attempt_at` until the channel is enabled.
  waits_for_channel boolean NOT NULL DEFAULT false,
  -- The delivery has no `next_attempt_at` until all configurations that its cause affects have been evaluated, and is then
  -- sent with the others in a digest. The cause is `reading_changed`, or the `opening_cause` of its configuration.
  waits_for_cause text,
  -- The delivery waits for the channel's sending hours, which begin at `next_attempt_at`.
  waits_for_hours boolean NOT NULL DEFAULT false,
  -- The delivery waits for the organization's hourly email limit, until `next_attempt_at`.
  waits_for_limit boolean NOT NULL DEFAULT false,
  -- The last attempt was rejected because of the receiver's rate limit.
  is_rate_limited boolean NOT NULL DEFAULT false,
  -- Total waiting time after rate-limited attempts. It extends the time in which the delivery is retried.
  rate_limit_wait_ms bigint NOT NULL DEFAULT 0,
  -- A recovery of the channel has made the delivery due before its time, which happens once in a series.
  was_brought_forward boolean NOT NULL DEFAULT false,
  last_attempt_at timestamptz,
  response_status integer,
  duration_ms integer,
  error_code text,
  error_message text,
  reason text,
  -- Rendered for the first attempt. Later attempts send the same bytes.
  body_sealed bytea,
  -- The preset and origin for which the body was rendered. For another preset or origin, it's rendered again.
  body_target text,
  -- The secrets in the body, as pairs of offset and length in UTF-16 code units.
  body_hidden integer[],
  used_template text,
  -- Recipients for which the mail server has accepted the message. Later attempts skip them.
  accepted_recipients text[] NOT NULL DEFAULT '{}',
  completed_at timestamptz,
  lease_token uuid,
  lease_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, event_id, channel_id),
  FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id),
  FOREIGN KEY (organization_id, audit_entry_id) REFERENCES audit_entries (organization_id, id),
  FOREIGN KEY (organization_id, digest_delivery_id) REFERENCES notification_deliveries (organization_id, id)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
-- Deliveries that became due in one transaction are sent in their order, also after a rejected attempt.
CREATE INDEX notification_deliveries_open ON notification_deliveries (organization_id, channel_id, next_attempt_at, id)
  WHERE status IN ('pending', 'failed', 'in_progress');
CREATE INDEX notification_deliveries_open_by_alert
  ON notification_deliveries (organization_id, channel_id, alert_id, sequence)
  WHERE status IN ('pending', 'failed', 'in_progress') AND alert_id IS NOT NULL;
CREATE INDEX notification_deliveries_open_by_trouble ON notification_deliveries (organization_id, channel_id, trouble, id)
  WHERE status IN ('pending', 'failed', 'in_progress') AND trouble IS NOT NULL;
CREATE INDEX notification_deliveries_open_digests ON notification_deliveries (organization_id, channel_id)
  WHERE event_type = 'digest' AND status IN ('pending', 'failed', 'in_progress');
CREATE INDEX notification_deliveries_waiting_for_cause
  ON notification_deliveries (organization_id, waits_for_cause, channel_id, created_at)
  WHERE waits_for_cause IS NOT NULL;
CREATE INDEX notification_deliveries_newest ON notification_deliveries (organization_id, created_at, id);
CREATE INDEX notification_deliveries_by_status ON notification_deliveries (organization_id, status, created_at, id);
-- Includes the columns that statistics count, so that they don't read the rows with their bodies.
CREATE INDEX notification_deliveries_by_channel ON notification_deliveries (organization_id, channel_id, created_at, id)
  INCLUDE (status, duration_ms, digest_delivery_id);
CREATE INDEX notification_deliveries_by_event_type
  ON notification_deliveries (organization_id, event_type, created_at, id);
CREATE INDEX notification_deliveries_by_alert ON notification_deliveries (organization_id, alert_id, id);
CREATE INDEX notification_deliveries_by_audit_entry ON notification_deliveries (organization_id, audit_entry_id);
CREATE INDEX notification_deliveries_by_digest ON notification_deliveries (organization_id, digest_delivery_id)
  WHERE digest_delivery_id IS NOT NULL;

CREATE TABLE delivery_attempts (
  organization_id bigint NOT NULL,
  notification_delivery_id bigint NOT NULL,
  number integer NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  response_status integer,
  -- At most 4 KiB, with the channel's secrets masked. Sealed, because a receiver can repeat URLs, headers, and keys.
  response_body_sealed bytea,
  error_code text,
  error_message text,
  PRIMARY KEY (organization_id, notification_delivery_id, number),
  FOREIGN KEY (organization_id, notification_delivery_id)
    REFERENCES notification_deliveries (organization_id, id) ON DELETE CASCADE
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);

-- The overview counts the deliveries of the last 24 hours. Finished deliveries are counted in advance by the hour in
-- which they were created, because reading each of them was the slowest statement of the overview. Open deliveries are
-- few and change often, so they aren't counted in advance.

-- Returns an hour of UTC and the status, such as '2026112423 succeeded', or null while the delivery is open.
CREATE FUNCTION delivery_hour(created_at timestamptz, status text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN status IN ('succeeded', 'dead_letter', 'canceled')
    THEN to_char(created_at AT TIME ZONE 'UTC', 'YYYYMMDDHH24 ') || status END
$$;

CREATE FUNCTION count_delivery_hours() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT NEW.organization_id, 'delivery_hours', kind, amount FROM (VALUES
      (delivery_hour(OLD.created_at, OLD.status), -1),
      (delivery_hour(NEW.created_at, NEW.status), 1)) AS counted (kind, amount)
    WHERE kind IS NOT NULL;
  ELSE
    INSERT INTO row_counts (organization_id, subject, kind, amount)
    SELECT organization_id, 'delivery_hours', delivery_hour(created_at, status),
      CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
    FROM changed
    WHERE delivery_hour(created_at, status) IS NOT NULL
      AND EXISTS (SELECT FROM organizations WHERE organizations.id = changed.organization_id)
    GROUP BY 1, 3;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER notification_deliveries_count_added AFTER INSERT ON notification_deliveries REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_delivery_hours();
CREATE TRIGGER notification_deliveries_count_removed AFTER DELETE ON notification_deliveries REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_delivery_hours();
CREATE TRIGGER notification_deliveries_count_changed AFTER UPDATE OF status, created_at ON notification_deliveries
  FOR EACH ROW WHEN (delivery_hour(OLD.created_at, OLD.status) IS DISTINCT FROM delivery_hour(NEW.created_at, NEW.status))
  EXECUTE FUNCTION count_delivery_hours();

-- Number of emails sent in the hour that begins with the first of them.
CREATE TABLE email_budgets (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('message', 'test')),
  started_at timestamptz NOT NULL,
  used integer NOT NULL,
  -- The number of messages that the last statement took from the budget.
  granted integer NOT NULL,
  PRIMARY KEY (organization_id, kind)
);

-- Events about channels that can't be sent because no channel works. They are sent by email to the owners of the
-- organization.
CREATE TABLE owner_mails (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  audit_entry_id bigint NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  -- Addresses that the mail server has accepted.
  accepted_recipients text[] NOT NULL DEFAULT '{}',
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 1,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, audit_entry_id) REFERENCES audit_entries (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX owner_mails_due ON owner_mails (due_at) WHERE due_at < 'infinity';
CREATE INDEX owner_mails_by_audit_entry ON owner_mails (organization_id, audit_entry_id);

-- Trouble of Pacekeeper itself that was reported and isn't over, such as a failing job. The row outlives the deliveries of
-- the report, which retention can delete, so that the recovery reaches the same receivers.
CREATE TABLE reported_troubles (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Identifies the trouble, such as `gather-job/4`. Incidents in other systems have it in their keys.
  key text NOT NULL,
  -- The event that reported it.
  event_type text NOT NULL,
  -- The job, agent, channel, or target. A job of the system organization is reported to other organizations. Without a
  -- foreign key, because deleting the subject ends the trouble with a message. Null for a login provider, whose ID is in
  -- the key.
  subject_kind text NOT NULL,
  subject_organization_id bigint NOT NULL,
  subject_id bigint,
  -- The data of the report.
  data jsonb NOT NULL,
  -- The channels that have the report. Numbers of channels are never reused.
  channel_ids bigint[] NOT NULL,
  -- The owners of the organization got an email, because no channel could report it immediately.
  is_mailed boolean NOT NULL,
  PRIMARY KEY (organization_id, key)
);
CREATE INDEX reported_troubles_by_subject ON reported_troubles (event_type, subject_kind, organization_id, key);

-- The ticket of an alert in the tracker of a channel. The row is written before the first request, so that each later
-- attempt knows the marker to search for.
CREATE TABLE alert_tickets (
  organization_id bigint NOT NULL,
  alert_id bigint NOT NULL,
  -- Not a foreign key, because a ticket outlives its channel. Channel IDs are never reused.
  channel_id bigint NOT NULL,
  channel_name text NOT NULL,
  channel_type text NOT NULL,
  -- The location in the tracker where the ticket was created, because the channel can refer to another location later.
  target text NOT NULL,
  project text NOT NULL,
  -- A random value in the text of the ticket.
  marker text NOT NULL,
  -- The number of attempts to create the ticket.
  opening_count integer NOT NULL DEFAULT 1,
  started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- The number or key from the tracker. Null until it's known.
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

-- Buttons in chats -----------------------------------------------------------------------------------------------

-- Members' accounts in chats. They end with the membership.
CREATE TABLE chat_accounts (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  platform text NOT NULL CHECK (platform IN ('slack', 'mattermost')),
  -- Digest of the Slack signing secret, or of the Mattermost channel and its server. Only clicks from this realm can
  -- use the account.
  realm bytea NOT NULL,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  chat_user_id text NOT NULL,
  chat_user_name text NOT NULL,
  user_id bigint NOT NULL,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, platform, realm, workspace_id, chat_user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX chat_accounts_by_member ON chat_accounts (organization_id, user_id, id);

-- Links that connect a chat account with the member who is logged in: one for each account, and used once.
CREATE TABLE chat_links (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  platform text NOT NULL CHECK (platform IN ('slack', 'mattermost')),
  realm bytea NOT NULL,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  chat_user_id text NOT NULL,
  chat_user_name text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, platform, realm, workspace_id, chat_user_id)
);
CREATE INDEX chat_links_by_expiry ON chat_links (expires_at);

-- Presses of the last hour. A second press with the same key has no effect.
CREATE TABLE chat_presses (
  organization_id bigint NOT NULL,
  channel_id bigint NOT NULL,
  key bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, channel_id, key),
  FOREIGN KEY (organization_id, channel_id) REFERENCES notification_channels (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX chat_presses_by_age ON chat_presses (received_at);
