import type { Actor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { writeAuditLog } from '../../audit/index.ts';

/**
 * Writes an audit entry about an account in every organization of the person, because the account gives
 * access to all of them.
 */
export async function auditPerson(
  tx: Tx,
  user: { id: number; name: string },
  entry: {
    action: `member.${string}`;
    actor: Actor;
    detail?: Record<string, unknown>;
    requestId: string | null;
  },
): Promise<void> {
  const memberships = await tx
    .selectFrom('memberships')
    .select(['organization_id', 'id'])
    .where('user_id', '=', user.id)
    .execute();
  for (const { organization_id: organizationId, id } of memberships)
    await writeAuditLog(tx, organizationId, { ...entry, resourceId: id, resourceName: user.name });
}
