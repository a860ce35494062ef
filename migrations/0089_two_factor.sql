-- Two-factor authentication: the secret that an authenticator app shares, and codes for those who have lost it.

CREATE TABLE second_factors (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_sealed bytea NOT NULL,
  -- Null until the first code was right; logins need no code before.
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted: no code works twice.
  last_step bigint NOT NULL DEFAULT 0,
  -- Wrong codes since `wrong_since`, which keep codes from being guessed.
  wrong_codes integer NOT NULL DEFAULT 0,
  wrong_since timestamptz,
  created_at timestamptz NOT NULL DEFAULT pacekeeper_now()
);

CREATE TABLE recovery_codes (
  user_id bigint NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  PRIMARY KEY (user_id, code_hash)
);
