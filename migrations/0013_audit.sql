-- Served by: 0.1.0 and later
-- The history of alerts, the audit log of an organization, and its exports.

-- The history of each alert and the events about which people are notified, in one table: an entry with an event type is
-- an event. Entries outlive their alert (`alert_id` becomes null) while a delivery needs them.
CREATE TABLE audit_entries (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  alert_id bigint,
  action text NOT NULL,
  event_type text,
  event_id uuid,
  -- Counts the events of one alert, from 1.
  sequence integer,
  -- Set if something other than the versions caused the event, such as a new reading of versions.
  cause text,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'deployment_trust', 'link', 'system')),
  actor_id bigint,
  actor_name text NOT NULL,
  from_value text,
  to_value text,
  detail text,
  request_id text,
  -- For an event: the data for templates at the time of the event.
  data jsonb,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK ((event_type IS NULL) = (event_id IS NULL)),
  FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id)
) WITH (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.05
);
CREATE UNIQUE INDEX audit_entries_by_event ON audit_entries (organization_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX audit_entries_by_alert ON audit_entries (organization_id, alert_id, id) WHERE alert_id IS NOT NULL;
CREATE INDEX audit_entries_without_alert ON audit_entries (organization_id, id) WHERE alert_id IS NULL;

-- Changes that people and API keys make in the organization, for example to API keys, members, settings, and rules.
CREATE TABLE audit_log (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  action text NOT NULL,
  resource text NOT NULL,
  resource_id bigint,
  resource_name text,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  detail jsonb,
  -- The fields that an edit changed.
  changes jsonb,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
-- One index for each filter, in the order of the list.
CREATE INDEX audit_log_newest ON audit_log (organization_id, created_at, id);
CREATE INDEX audit_log_by_resource ON audit_log (organization_id, resource, created_at, id);
CREATE INDEX audit_log_by_action ON audit_log (organization_id, action, created_at, id);
CREATE INDEX audit_log_by_actor_type ON audit_log (organization_id, actor_type, created_at, id);
CREATE INDEX audit_log_by_actor ON audit_log (organization_id, actor_type, actor_id, created_at, id);
CREATE INDEX audit_log_by_actor_name ON audit_log (organization_id, lower(actor_name), created_at, id);

-- Receivers of the audit log.
CREATE TABLE audit_exports (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  -- The URL without its path.
  url_shown text NOT NULL,
  header_names text[] NOT NULL,
  -- Null only within the transaction that creates the export: secrets are bound to the row.
  url_sealed bytea,
  headers_sealed bytea,
  secret_sealed bytea,
  -- The newest entry that the receiver has received. It also has all earlier entries.
  last_entry_id bigint NOT NULL,
  last_entry_at timestamptz,
  -- No more entries with an ID up to `horizon_id` can appear once the transactions in `horizon_writers` have ended.
  horizon_id bigint,
  horizon_writers text[],
  last_success_at timestamptz,
  -- The number of consecutive failures.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  last_error jsonb,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  requested_seq bigint NOT NULL DEFAULT 0,
  processed_seq bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_exports_newest ON audit_exports (organization_id, created_at, id);
CREATE INDEX audit_exports_due ON audit_exports (due_at);
