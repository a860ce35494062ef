-- Single sign-on: who a person is at a login provider, what groups give there, and sessions that end earlier than others.

-- A provider identifies a person by these two, never by an email address.
CREATE TABLE user_identities (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- For display.
  email text,
  -- Sealed. Null when the provider issued none: sessions then end when the provider has to be asked again.
  refresh_token bytea,
  -- When the provider last confirmed the person and their groups.
  checked_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  -- Refresh tokens of providers work once, so one server at a time uses it.
  checking_until timestamptz,
  last_login_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  UNIQUE (issuer, subject)
);
CREATE INDEX user_identities_by_user ON user_identities (user_id);

-- False for accounts that single sign-on created; their hash is the hash of nothing anyone knows.
ALTER TABLE users ADD COLUMN has_password boolean NOT NULL DEFAULT true;

-- Set on what groups gave: it changes and ends with them, and opens only to sessions of that identity.
ALTER TABLE memberships ADD COLUMN granted_by_identity_id bigint REFERENCES user_identities;
CREATE INDEX memberships_by_identity ON memberships (granted_by_identity_id)
  WHERE granted_by_identity_id IS NOT NULL;

-- Logins that end earlier than others: by single sign-on, or, without an identity, by a link of the operator. A row stays
-- as long as its login has tokens, because a login without one has no such end.
CREATE TABLE limited_sessions (
  family_id uuid PRIMARY KEY,
  identity_id bigint REFERENCES user_identities ON DELETE CASCADE,
  -- `sid` of the provider, by which it ends the session.
  provider_session_id text,
  ends_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now()
);
CREATE INDEX limited_sessions_by_identity ON limited_sessions (identity_id);

-- Responses of providers that have been used, until they would have expired.
CREATE TABLE used_sign_on_states (
  state_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- Links of the operator, for when nobody can log in otherwise.
CREATE TABLE login_links (
  token_hash bytea PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now()
);
CREATE INDEX login_links_by_user ON login_links (user_id);

-- Logins that a program began and that a person approves in a browser.
CREATE TABLE device_logins (
  device_code_hash bytea PRIMARY KEY,
  user_code text NOT NULL UNIQUE,
  address text,
  -- The network that began it, which has a limit.
  client_block text,
  user_agent text,
  expires_at timestamptz NOT NULL,
  -- The session that approved it, whose limits it takes over.
  approved_family_id uuid,
  user_id bigint REFERENCES users ON DELETE CASCADE,
  organization_id bigint REFERENCES organizations ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now()
);
CREATE INDEX device_logins_by_expiry ON device_logins (expires_at);
CREATE INDEX device_logins_by_user ON device_logins (user_id);
