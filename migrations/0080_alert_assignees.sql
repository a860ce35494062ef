-- The member who takes care of an alert. When the membership ends, no one does.
SET LOCAL lock_timeout = '500ms';
ALTER TABLE alerts ADD COLUMN assignee_member_id bigint;
ALTER TABLE alerts ADD CONSTRAINT alerts_assignee_fkey FOREIGN KEY (organization_id, assignee_member_id)
  REFERENCES memberships (organization_id, id) ON DELETE SET NULL (assignee_member_id) NOT VALID;
CREATE INDEX alerts_by_assignee ON alerts (organization_id, assignee_member_id, created_at, id) WHERE assignee_member_id IS NOT NULL;
