import { type Actor, systemActor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { auditPerson } from '../people/audit-person.ts';

export type TwoFactorAction =
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_locked'
  | 'recovery_code_used'
  | 'recovery_codes_replaced';

export async function auditTwoFactor(
  tx: Tx,
  user: { id: number; name: string },
  entry: { action: TwoFactorAction; requestId: string | null },
): Promise<void> {
  // Without a request, the system is the actor: either an operator ran a command, or an unknown person entered wrong
  // codes.
  const actor: Actor =
    entry.requestId === null ? systemActor : { type: 'user', id: user.id, name: user.name };
  await auditPerson(tx, user, { action: `member.${entry.action}`, actor, requestId: entry.requestId });
}
