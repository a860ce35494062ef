SET LOCAL lock_timeout = '500ms';

DROP INDEX alerts_by_rule;
