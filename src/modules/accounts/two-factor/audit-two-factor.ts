import { type Actor, systemActor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { writeAuditLog } from '../../audit/index.ts';

export type TwoFactorAction =
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_locked'
  | 'recovery_codes_replaced';

/** In every organization of the person, as the account opens all of them. */
export async function auditTwoFactor(
  tx: Tx,
  user: { id: number; name: string },
  entry: { action: TwoFactorAction; requestId: string | null },
): Promise<void> {
  // An operator's command has no request, and who tried wrong codes isn't known.
  const actor: Actor =
    entry.requestId === null ? systemActor : { type: 'user', id: user.id, name: user.name };
  const memberships = await tx
    .selectFrom('memberships')
    .select(['organization_id', 'id'])
    .where('user_id', '=', user.id)
    .execute();
  for (const { organization_id: organizationId, id } of memberships) {
    await writeAuditLog(tx, organizationId, {
      action: `member.${entry.action}`,
      resourceId: id,
      resourceName: user.name,
      actor,
      requestId: entry.requestId,
    });
  }
}
