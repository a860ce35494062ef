-- Buttons in chat: who pressed them, and what was received.
SET LOCAL lock_timeout = '500ms';

-- 128 random bits, the end of the URL that Slack calls. Set with the first signing secret, and kept.
ALTER TABLE notification_channels ADD COLUMN interactivity_id text;
CREATE UNIQUE INDEX notification_channels_by_interactivity ON notification_channels (interactivity_id)
  WHERE interactivity_id IS NOT NULL;

-- Who a member is in a chat. They end with the membership.
CREATE TABLE chat_accounts (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id bigint GENERATED ALWAYS AS IDENTITY,
  platform text NOT NULL CHECK (platform IN ('slack', 'mattermost')),
  -- Who vouches for the account: the holder of a signing secret, or the server of a channel. Another one is never believed.
  realm bytea NOT NULL,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  chat_user_id text NOT NULL,
  chat_user_name text NOT NULL,
  user_id bigint NOT NULL,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, id),
  UNIQUE (organization_id, platform, realm, workspace_id, chat_user_id),
  FOREIGN KEY (organization_id, user_id) REFERENCES memberships (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX chat_accounts_by_member ON chat_accounts (organization_id, user_id, id);

-- Links that connect a chat account with whoever is logged in: one for each account, used once.
CREATE TABLE chat_links (
  organization_id bigint NOT NULL REFERENCES organizations ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  platform text NOT NULL CHECK (platform IN ('slack', 'mattermost')),
  realm bytea NOT NULL,
  workspace_id text NOT NULL,
  workspace_name text NOT NULL,
  chat_user_id text NOT NULL,
  chat_user_name text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (organization_id, platform, realm, workspace_id, chat_user_id)
);
CREATE INDEX chat_links_by_expiry ON chat_links (expires_at);

-- What was received in the last hour: a second one of a key has no effect.
CREATE TABLE chat_presses (
  organization_id bigint NOT NULL,
  channel_id bigint NOT NULL,
  key bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT pacekeeper_now(),
  PRIMARY KEY (organization_id, channel_id, key),
  FOREIGN KEY (organization_id, channel_id) REFERENCES notification_channels (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX chat_presses_by_age ON chat_presses (received_at);
