-- What a delivery needs so that secrets stay where they belong, whatever becomes of its channel.

-- body_target: the preset and origin that the body was written for. For another one a new body is written.
-- body_hidden: where secrets are in the body, as pairs of offset and length in UTF-16 code units. NULL: not known, as
-- in bodies that an earlier version wrote; those are sent, and never shown.
-- waits_for_channel: a retried delivery of an inactive channel. It has no next_attempt_at until the channel is enabled.
ALTER TABLE notification_deliveries
  ADD COLUMN body_target text,
  ADD COLUMN body_hidden integer[],
  ADD COLUMN waits_for_channel boolean NOT NULL DEFAULT false;

-- At most 4 KiB of the response, with the channel's secrets masked.
ALTER TABLE delivery_attempts ADD COLUMN response_body_sealed bytea;

-- The version before may serve while this migration runs, and stores responses as plain text.
CREATE FUNCTION drop_response_body() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.response_body := NULL;
  RETURN NEW;
END
$$;
CREATE TRIGGER delivery_attempts_drop_response_body BEFORE INSERT OR UPDATE OF response_body ON delivery_attempts
  FOR EACH ROW WHEN (NEW.response_body IS NOT NULL) EXECUTE FUNCTION drop_response_body();
