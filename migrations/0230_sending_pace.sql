-- The pace of a channel whose receiver limits its rate (src/domain/channels/sending-pace.ts).
ALTER TABLE notification_channels
  -- Nothing is sent to the channel before this time.
  ADD COLUMN next_send_at timestamptz,
  ADD COLUMN send_interval_ms integer NOT NULL DEFAULT 0,
  -- The interval shrinks to this value while messages are accepted.
  ADD COLUMN send_interval_floor_ms integer NOT NULL DEFAULT 0,
  -- When the receiver last rejected a message because of its rate.
  ADD COLUMN rate_limited_at timestamptz,
  -- The messages that the receiver accepted since then, or since a pause. The learned rate is derived from them.
  ADD COLUMN accepted_since timestamptz,
  ADD COLUMN accepted_count integer NOT NULL DEFAULT 0;

-- The time after attempts that the receiver rejected because of its rate. It extends the time in which the delivery is
-- retried. is_rate_limited: the last attempt was one of them.
ALTER TABLE notification_deliveries
  ADD COLUMN is_rate_limited boolean NOT NULL DEFAULT false,
  ADD COLUMN rate_limit_wait_ms bigint NOT NULL DEFAULT 0;

-- Deliveries that became due in one transaction are sent in their order, also after a rejected attempt.
DROP INDEX notification_deliveries_open;
CREATE INDEX notification_deliveries_open ON notification_deliveries (organization_id, channel_id, next_attempt_at, id)
  WHERE status IN ('pending', 'failed', 'in_progress');
