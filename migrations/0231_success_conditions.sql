-- What a receiver that reports errors with a 2xx status returns for success: {"path": "errcode", "equals": 0}.
ALTER TABLE notification_channels ADD COLUMN success_condition jsonb;
