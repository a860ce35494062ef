-- A row of organization 1 is the global value of a key, any other an override. A key without a row has
-- its built-in default.
CREATE TABLE settings (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  key text NOT NULL,
  value jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, key)
);
-- Which organizations have chosen something, whatever else they have set.
CREATE INDEX settings_by_key ON settings (key, organization_id);
