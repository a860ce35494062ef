-- Keys of agents that may do only some work, so that the key of one cluster can't claim the tasks of another. Null: no limit.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE api_keys
  ADD COLUMN agent_capabilities text[],
  ADD COLUMN agent_credential_names text[],
  ADD CONSTRAINT api_keys_agent_limits_check
    CHECK (role = 'agent' OR (agent_capabilities IS NULL AND agent_credential_names IS NULL));
