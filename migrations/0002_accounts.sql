-- Served by: 0.1.0 and later
-- People, their memberships in organizations, invitations, and API keys.

CREATE TABLE users (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  email text NOT NULL CHECK (email = lower(email)),
  name text NOT NULL,
  password_hash text NOT NULL,
  -- False for accounts that single sign-on created. The hash of these accounts matches no password.
  has_password boolean NOT NULL DEFAULT true,
  -- Increasing it ends all logins of this person.
  token_version integer NOT NULL DEFAULT 1,
  -- The organization that was used last, in which the next login starts.
  last_organization_id bigint REFERENCES organizations ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  UNIQUE (email)
);

-- Set for sample data: an organization that Pacekeeper fills and that only this person can read. A person has at most
-- one.
ALTER TABLE organizations ADD COLUMN sample_user_id bigint UNIQUE REFERENCES users;

-- A person's account at a login provider. Issuer and subject identify it, never an email address.
CREATE TABLE user_identities (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- For display only.
  email text,
  -- The time at which the provider last confirmed the person and their groups.
  checked_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  last_login_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  UNIQUE (issuer, subject)
);
CREATE INDEX user_identities_by_user ON user_identities (user_id);

CREATE TABLE memberships (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE CHECK (organization_id <> 1),
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id bigint NOT NULL REFERENCES users ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
  -- Set for memberships that groups of a login provider grant. Such a membership changes and ends with the groups, and
  -- only sessions of that identity can use it.
  granted_by_identity_id bigint REFERENCES user_identities,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);
CREATE INDEX memberships_by_identity ON memberships (granted_by_identity_id)
  WHERE granted_by_identity_id IS NOT NULL;
CALL raise_revision_on_change('memberships', ARRAY['role']);

CREATE TABLE invitations (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE CHECK (organization_id <> 1),
  id bigint GENERATED ALWAYS AS IDENTITY,
  email text NOT NULL CHECK (email = lower(email)),
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner')),
  token_hash bytea NOT NULL UNIQUE,
  -- The member who issued the invitation, unless the operator of the installation did. The invitation becomes invalid
  -- when this member loses the permission to issue it. API keys can't issue invitations.
  invited_by_user_id bigint REFERENCES users ON DELETE SET NULL,
  is_from_operator boolean NOT NULL DEFAULT false,
  expires_at timestamptz NOT NULL,
  accepted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX invitations_by_inviter ON invitations (organization_id, invited_by_user_id);

-- Keys of organization 1 are the system keys.
CREATE TABLE api_keys (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  role text NOT NULL CHECK (role IN ('viewer', 'member', 'admin', 'owner', 'agent', 'reporter')),
  -- Limits of an agent's key, so that the key of one cluster can't claim the tasks of another. Null: no limit.
  agent_capabilities text[],
  agent_credential_names text[],
  key_prefix text NOT NULL DEFAULT '',
  secret_hash bytea NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  deactivated_at timestamptz,
  expires_at timestamptz,
  last_used_at timestamptz,
  -- The key becomes invalid when the person who created it loses the permission to create it.
  created_by_user_id bigint REFERENCES users ON DELETE SET NULL,
  created_by_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT api_keys_agent_limits_check
    CHECK (role = 'agent' OR (agent_capabilities IS NULL AND agent_credential_names IS NULL))
);
-- Authentication finds keys by ID, before the organization is known.
CREATE UNIQUE INDEX api_keys_by_id ON api_keys (id);
CREATE INDEX api_keys_newest ON api_keys (organization_id, created_at, id);
CREATE INDEX api_keys_by_creator ON api_keys (organization_id, created_by_user_id) WHERE deactivated_at IS NULL;
CALL raise_revision_on_change('api_keys', ARRAY['name', 'description', 'is_active', 'deactivated_at']);

-- Trusts that let CI jobs with certain ID tokens report certain deployments.
CREATE TABLE deployment_trusts (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE CHECK (organization_id <> 1),
  id bigint GENERATED ALWAYS AS IDENTITY,
  -- CI jobs name the trust by this code, before the organization is known.
  code text NOT NULL UNIQUE,
  name text NOT NULL,
  issuer text NOT NULL,
  -- Null: the public URL of the server.
  audience text,
  claims jsonb NOT NULL,
  services text[] NOT NULL,
  environments text[] NOT NULL,
  expires_at timestamptz,
  is_active boolean NOT NULL DEFAULT true,
  last_used_at timestamptz,
  -- The trust becomes invalid when the person who saved it last loses the permission to save it.
  saved_by_user_id bigint REFERENCES users ON DELETE SET NULL,
  saved_by_name text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  updated_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX deployment_trusts_newest ON deployment_trusts (organization_id, created_at, id);
CALL raise_revision_on_change('deployment_trusts', ARRAY[
  'name', 'issuer', 'audience', 'claims', 'services', 'environments', 'expires_at', 'is_active']);

-- Named filters, order, and columns of a page. A view without a user is shared by all members.
CREATE TABLE saved_views (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  user_id bigint,
  page text NOT NULL,
  name text NOT NULL,
  search jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX saved_views_by_name ON saved_views (organization_id, page, coalesce(user_id, 0), lower(name));
CREATE INDEX saved_views_by_user ON saved_views (organization_id, user_id);

CREATE TABLE feedback (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  actor_type text NOT NULL,
  actor_id bigint,
  actor_name text NOT NULL,
  message text NOT NULL,
  category text CHECK (category IN ('bug', 'idea', 'other')),
  page text,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id)
);

-- Requests with an `Idempotency-Key`, for 24 hours. Hashes of the key and the request, because requests can contain
-- secrets, and no part of the response except its status and the ID of the resource.
CREATE TABLE idempotency_keys (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- The API key or the user, such as `key 12`.
  credential text NOT NULL,
  key_hash bytea NOT NULL,
  request_hash bytea NOT NULL,
  request_id text NOT NULL,
  -- Null while the request is in progress, and after a crash.
  status smallint,
  resource_id bigint,
  -- True if a transaction of the request has committed.
  has_effect boolean NOT NULL DEFAULT false,
  lease_token uuid NOT NULL,
  lease_until timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, credential, key_hash)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
