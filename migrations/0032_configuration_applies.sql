-- Configurations that were or are being applied. A row is written outside of the transaction that makes the changes, so
-- that others can see its progress, and says that it succeeded only inside of it.
SET LOCAL lock_timeout = '500ms';

CREATE TABLE configuration_applies (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  status text NOT NULL CHECK (status IN ('in_progress', 'succeeded', 'failed')),
  fingerprint text NOT NULL,
  steps_total integer NOT NULL,
  steps_done integer NOT NULL DEFAULT 0,
  created_count integer NOT NULL,
  updated_count integer NOT NULL,
  deleted_count integer NOT NULL,
  pending_gather_jobs jsonb NOT NULL DEFAULT '[]',
  error jsonb,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  -- The server that applies it renews its lease. Without one it has stopped, and nothing was changed.
  lease_token uuid NOT NULL DEFAULT gen_random_uuid(),
  lease_until timestamptz,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CHECK ((status = 'in_progress') = (lease_until IS NOT NULL)),
  CHECK ((status = 'in_progress') = (finished_at IS NULL))
);
-- One at a time.
CREATE UNIQUE INDEX configuration_applies_in_progress ON configuration_applies (organization_id)
  WHERE status = 'in_progress';
