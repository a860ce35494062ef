-- Rules about software that upstream has stopped releasing. The new lists only add values, so rows needn't be checked again,
-- and the tables aren't read while they are locked.
SET LOCAL lock_timeout = '500ms';

ALTER TABLE rules DROP CONSTRAINT rules_rule_type_check,
  ADD CONSTRAINT rules_rule_type_check
    CHECK (rule_type IN ('days_behind', 'majors_behind', 'minors_behind', 'upstream_silent')) NOT VALID;

ALTER TABLE alerts DROP CONSTRAINT alerts_reason_check,
  ADD CONSTRAINT alerts_reason_check
    CHECK (reason IN ('behind', 'upstream_silent', 'version_not_found', 'version_unparseable')) NOT VALID;
