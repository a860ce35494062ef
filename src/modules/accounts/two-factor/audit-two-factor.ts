import { type Actor, systemActor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { writeAuditLog } from '../../audit/index.ts';

/** In every organization of the person, as the account opens all of them. */
export async function auditTwoFactor(
  tx: Tx,
  user: { id: number; name: string },
  entry: { action: 'enabled' | 'disabled'; requestId: string | null },
): Promise<void> {
  // An operator's command has no request.
  const actor: Actor =
    entry.requestId === null ? systemActor : { type: 'user', id: user.id, name: user.name };
  const memberships = await tx
    .selectFrom('memberships')
    .select(['organization_id', 'id'])
    .where('user_id', '=', user.id)
    .execute();
  for (const { organization_id: organizationId, id } of memberships) {
    await writeAuditLog(tx, organizationId, {
      action: entry.action === 'enabled' ? 'member.two_factor_enabled' : 'member.two_factor_disabled',
      resourceId: id,
      resourceName: user.name,
      actor,
      requestId: entry.requestId,
    });
  }
}
