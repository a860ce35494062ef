-- A right ends with whoever gave it. Links and invitations say who issued them, and both are checked when they are used.

-- The organization and the member that issued a reset link. The issuer of older links is unknown, so they are void; the
-- version before writes rows without an issuer while it still serves, and those are void as well.
ALTER TABLE password_resets
  ADD COLUMN organization_id bigint REFERENCES organizations ON DELETE CASCADE,
  ADD COLUMN issued_by_user_id bigint REFERENCES users ON DELETE CASCADE;
CREATE INDEX password_resets_by_user ON password_resets (user_id);
CREATE INDEX password_resets_by_issuer ON password_resets (organization_id, issued_by_user_id);
UPDATE password_resets SET used_at = pacekeeper_now() WHERE used_at IS NULL;

-- An invitation is issued by a member, or by the operator of the installation. API keys issue none.
ALTER TABLE invitations ADD COLUMN is_from_operator boolean NOT NULL DEFAULT false;
CREATE INDEX invitations_by_inviter ON invitations (organization_id, invited_by_user_id);
DELETE FROM invitations AS i
WHERE i.accepted_at IS NULL AND NOT EXISTS (
  SELECT FROM memberships AS m
  WHERE m.organization_id = i.organization_id AND m.user_id = i.invited_by_user_id
    AND (m.role = 'owner' OR (m.role = 'admin' AND i.role <> 'owner')));

-- Keys end with the person who created them. Those of people who have left, or who could no longer create them, end now.
CREATE INDEX api_keys_by_creator ON api_keys (organization_id, created_by_user_id) WHERE deactivated_at IS NULL;
WITH ended AS (
  UPDATE api_keys AS k
  SET is_active = false, deactivated_at = pacekeeper_now(), updated_at = pacekeeper_now()
  WHERE k.deactivated_at IS NULL AND k.created_by_user_id IS NOT NULL AND NOT EXISTS (
    SELECT FROM memberships AS m
    WHERE m.organization_id = k.organization_id AND m.user_id = k.created_by_user_id
      AND (m.role = 'owner' OR (m.role = 'admin' AND k.role <> 'owner')))
  RETURNING k.organization_id, k.id, k.name
)
INSERT INTO audit_log (organization_id, action, resource, resource_id, resource_name, actor_type, actor_name, detail)
SELECT organization_id, 'api_key.deactivated', 'api_key', id, name, 'system', 'Pacekeeper',
  jsonb_build_object('reason', 'creator_lost_right')
FROM ended;
