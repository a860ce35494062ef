-- The key that an agent sent its last heartbeat with. Null: the embedded agent, and agents that haven't sent any since the
-- upgrade. Without a foreign key, which would lock the keys: whether the key still exists is looked up.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE agents ADD COLUMN api_key_id bigint;
