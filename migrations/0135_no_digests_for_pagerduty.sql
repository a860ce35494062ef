-- PagerDuty has an incident for each alert, which a digest of several alerts could neither open nor close. What waits for
-- one is sent now, each on its own.
SET LOCAL lock_timeout = '500ms';

UPDATE notification_deliveries d
SET next_attempt_at = least(d.next_attempt_at, pacekeeper_now()), series_started_at = pacekeeper_now(),
  updated_at = pacekeeper_now()
FROM notification_channels c
WHERE c.preset = 'pagerduty' AND (c.digest_minutes IS NOT NULL OR c.digest_schedule IS NOT NULL)
  AND d.organization_id = c.organization_id AND d.channel_id = c.id AND d.status IN ('pending', 'failed', 'in_progress')
  AND d.attempt_count = 0 AND d.digest_delivery_id IS NULL AND d.event_type <> 'digest'
  AND d.next_attempt_at IS NOT NULL AND NOT d.waits_for_hours;

UPDATE notification_channels
SET digest_minutes = NULL, digest_schedule = NULL, wanted = wanted + 1, due_at = pacekeeper_now()
WHERE preset = 'pagerduty' AND (digest_minutes IS NOT NULL OR digest_schedule IS NOT NULL);
