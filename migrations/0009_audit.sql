-- The trail of every alert and the events that people are told of, in one table: an entry with an
-- event_type is an event. Entries outlive their alert (alert_id becomes null) while a delivery needs them.
CREATE TABLE audit_entries (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  alert_id bigint,
  action text NOT NULL,
  event_type text,
  event_id uuid,
  -- Counts the events of one alert, from 1.
  sequence integer,
  actor_type text NOT NULL CHECK (actor_type IN ('user', 'api_key', 'link', 'system')),
  actor_id bigint,
  actor_name text NOT NULL,
  from_value text,
  to_value text,
  detail text,
  request_id text,
  -- Of an event: what templates show, as it was when it happened.
  data jsonb,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK ((event_type IS NULL) = (event_id IS NULL)),
  FOREIGN KEY (organization_id, alert_id) REFERENCES alerts (organization_id, id)
);
CREATE UNIQUE INDEX audit_entries_by_event ON audit_entries (organization_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX audit_entries_by_alert ON audit_entries (organization_id, alert_id, id) WHERE alert_id IS NOT NULL;
CREATE INDEX audit_entries_without_alert ON audit_entries (organization_id, id) WHERE alert_id IS NULL;

-- Who changed what in the organization: keys, members, settings, deletes, rules.
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
  request_id text,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_log_newest ON audit_log (organization_id, created_at, id);
CREATE INDEX audit_log_by_resource ON audit_log (organization_id, resource, created_at, id);
