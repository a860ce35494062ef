-- Where organizations send their audit log.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE audit_exports (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  -- Without its path.
  url_shown text NOT NULL,
  header_names text[] NOT NULL,
  -- NULL only within the transaction that creates it: secrets are bound to the row.
  url_sealed bytea,
  headers_sealed bytea,
  secret_sealed bytea,
  -- Entries up to this one were received.
  last_entry_id bigint NOT NULL,
  last_entry_at timestamptz,
  -- Once these transactions have ended, no more entries up to the ID can appear.
  horizon_id bigint,
  horizon_writers text[],
  last_success_at timestamptz,
  -- In a row.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  last_error jsonb,
  due_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  wanted bigint NOT NULL DEFAULT 0,
  done bigint NOT NULL DEFAULT 0,
  lease_token uuid,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_exports_newest ON audit_exports (organization_id, created_at, id);
CREATE INDEX audit_exports_due ON audit_exports (due_at);
