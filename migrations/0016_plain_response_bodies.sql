-- Responses of receivers that were stored as plain text: they may repeat URLs, headers, and keys.
-- A migration of its own, because the locks of the one before would keep deliveries waiting while many rows change.
UPDATE delivery_attempts SET response_body = NULL WHERE response_body IS NOT NULL;
