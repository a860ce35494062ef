import type { Actor } from '../../../domain/audit/actor.ts';
import { changeTopic, type Tx, wake } from '../../../platform/database/index.ts';
import type { Role } from '../../../platform/http/index.ts';
import { writeAuditLogs } from '../../audit/index.ts';
import { deactivateKeysOfCreator } from '../api-keys/keys-of-creator.ts';
import { orphanTrustsOfSaver } from '../deployment-trusts/trust-queries.ts';
import { deleteInvitationsOfInviter } from '../people/invitation-queries.ts';
import { voidPasswordResetsIssuedBy } from '../people/password-reset-queries.ts';
import { announceRightsChange } from '../people/rights-changes.ts';

/** A change to a member's role. If `role` is null, the membership ends. */
export interface RoleChange {
  userId: number;
  role: Role | null;
}

/**
 * Ends those invitations, reset links, trusts, and API keys of a member that the member couldn't issue with the new
 * role. The caller has locked the organization. Issuing requires the same lock, so the member can't issue
 * others in the meantime.
 *
 * @param by The actor that changes the role, for the audit log.
 */
export async function revokeCredentialsIssuedBy(
  tx: Tx,
  organizationId: number,
  change: RoleChange,
  by: { actor: Actor; requestId: string },
): Promise<void> {
  await deleteInvitationsOfInviter(tx, organizationId, change);
  await voidPasswordResetsIssuedBy(tx, organizationId, change.userId);
  if (change.role !== 'admin' && change.role !== 'owner')
    await orphanTrustsOfSaver(tx, organizationId, change.userId);
  const keys = await deactivateKeysOfCreator(tx, organizationId, change);
  const reason = change.role === null ? 'creator_removed' : 'creator_demoted';
  await writeAuditLogs(
    tx,
    organizationId,
    keys.map(({ id, name }) => ({
      action: 'api_key.deactivated',
      resourceId: id,
      resourceName: name,
      actor: by.actor,
      detail: { reason, creator_user_id: change.userId },
      requestId: by.requestId,
    })),
  );
  if (keys.length > 0) wake(tx, changeTopic(organizationId, 'api_key', null));
  // End the streams of the member and of the revoked keys.
  announceRightsChange(tx, { organizationId });
}
