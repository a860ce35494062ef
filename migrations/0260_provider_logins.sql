-- Each login at a provider has its own refresh token there: two browsers of a person end independently.
ALTER TABLE limited_sessions
  -- The login whose row has the refresh token and the confirmation: the login itself, or the one that approved it.
  ADD COLUMN provider_family_id uuid,
  -- Sealed. Null if the provider issued none: the session then ends when the provider has to be asked again.
  ADD COLUMN refresh_token bytea,
  -- When the provider last confirmed the person and their groups for this login.
  ADD COLUMN checked_at timestamptz,
  -- Refresh tokens of providers work once, so one server at a time uses it.
  ADD COLUMN checking_until timestamptz;
CREATE INDEX limited_sessions_by_provider_family ON limited_sessions (provider_family_id)
  WHERE provider_family_id IS NOT NULL;

ALTER TABLE user_identities DROP COLUMN refresh_token, DROP COLUMN checking_until;
