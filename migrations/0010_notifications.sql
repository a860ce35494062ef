-- Who hears of it: channels, the rules that choose them, deliveries and their attempts.

-- Sealed columns are encrypted and bound to their row. The due columns are the deliveries of the channel:
-- due_at is the next instant at which one of them can be tried.
CREATE TABLE notification_channels (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  url_sealed bytea NOT NULL,
  -- scheme://host/… : what those may see who may not change channels.
  url_masked text NOT NULL,
  preset text NOT NULL DEFAULT 'generic',
  preset_options_sealed bytea,
  template text,
  templates jsonb NOT NULL DEFAULT '{}',
  headers_sealed bytea,
  header_names text[] NOT NULL DEFAULT '{}',
  signing_secret_sealed bytea,
  previous_signing_secret_sealed bytea,
  previous_signing_secret_until timestamptz,
  digest_minutes integer CHECK (digest_minutes BETWEEN 1 AND 1440),
  require_login_to_acknowledge boolean NOT NULL DEFAULT true,
  is_active boolean NOT NULL DEFAULT true,
  inactive_reason text,
  consecutive_failures integer NOT NULL DEFAULT 0,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_duration_ms integer,
  probe_count integer NOT NULL DEFAULT 0,
  due_at timestamptz NOT NULL DEFAULT 'infinity',
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX notification_channels_due ON notification_channels (due_at) WHERE due_at < 'infinity';
CREATE INDEX notification_channels_newest ON notification_channels (organization_id, created_at, id);

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
  -- null: the default channel.
  channel_ids bigint[],
  stop_processing boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  inactive_reason text,
  -- Matches whose rows retention has removed.
  archived_match_count bigint NOT NULL DEFAULT 0,
  last_archived_match_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX notification_rules_by_priority ON notification_rules (organization_id, priority, id);

-- One row for each match instead of a counter: a counter would be a row that every alert waits for.
CREATE TABLE notification_rule_matches (
  organization_id bigint NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  notification_rule_id bigint NOT NULL,
  event_id uuid NOT NULL,
  matched_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, notification_rule_id) REFERENCES notification_rules (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX notification_rule_matches_by_rule ON notification_rule_matches (organization_id, notification_rule_id, matched_at);
CREATE INDEX notification_rule_matches_by_event ON notification_rule_matches (organization_id, event_id);

CREATE TABLE notification_deliveries (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- No foreign key: a channel is deleted at once, however many deliveries it has had. They keep its number, which is
  -- never given again, and it is not shown any more.
  channel_id bigint,
  channel_name text NOT NULL,
  alert_id bigint,
  audit_entry_id bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  sequence integer,
  -- The digest that carries this one.
  digest_delivery_id bigint,
  status text NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'in_progress', 'succeeded', 'failed', 'dead_letter', 'canceled')),
  attempt_count integer NOT NULL DEFAULT 0,
  -- Attempts of the present series: `retry` starts a new one.
  series_attempt_count integer NOT NULL DEFAULT 0,
  series_started_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  max_attempts integer NOT NULL,
  next_attempt_at timestamptz,
  last_attempt_at timestamptz,
  response_status integer,
  duration_ms integer,
  error_code text,
  error_message text,
  reason text,
  -- Rendered at the first attempt, then sent as these bytes.
  body_sealed bytea,
  used_template text,
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
);
CREATE INDEX notification_deliveries_open ON notification_deliveries (organization_id, channel_id, next_attempt_at)
  WHERE status IN ('pending', 'failed', 'in_progress');
CREATE INDEX notification_deliveries_open_by_alert ON notification_deliveries (organization_id, channel_id, alert_id, sequence)
  WHERE status IN ('pending', 'failed', 'in_progress') AND alert_id IS NOT NULL;
CREATE INDEX notification_deliveries_open_digests ON notification_deliveries (organization_id, channel_id)
  WHERE event_type = 'digest' AND status IN ('pending', 'failed', 'in_progress');
CREATE INDEX notification_deliveries_newest ON notification_deliveries (organization_id, created_at, id);
CREATE INDEX notification_deliveries_by_status ON notification_deliveries (organization_id, status, created_at, id);
CREATE INDEX notification_deliveries_by_channel ON notification_deliveries (organization_id, channel_id, created_at, id)
  -- What statistics count, so that they need not read the rows with their bodies.
  INCLUDE (status, duration_ms, digest_delivery_id);
CREATE INDEX notification_deliveries_by_event_type ON notification_deliveries (organization_id, event_type, created_at, id);
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
  -- At most 4 KiB.
  response_body text,
  error_code text,
  error_message text,
  PRIMARY KEY (organization_id, notification_delivery_id, number),
  FOREIGN KEY (organization_id, notification_delivery_id)
    REFERENCES notification_deliveries (organization_id, id) ON DELETE CASCADE
);
