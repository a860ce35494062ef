-- The resolved alerts of a rule were all read and sorted for each page. This index also finds all alerts of a rule, so the next
-- migration drops the one that did. They are separate, so that alerts can be read while this one is built.
SET LOCAL lock_timeout = '500ms';

CREATE INDEX alerts_by_rule_and_resolution ON alerts (organization_id, rule_id, resolved_at, id);
