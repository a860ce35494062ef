import type { Actor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import { auditPerson } from '../people/audit-person.ts';

/** Start of a session. For a program, the person who approved its login is the actor. */
type LoginStart =
  | { method: 'password' | 'login_link' | 'program' }
  | { method: 'single_sign_on'; provider: string; identity_id: number };

/**
 * Records a login in every organization of the person. The number of entries is bounded: `LoginLimits` allows ten password
 * logins and ten approved programs per account and minute, and a single sign-on login requires a new response of the
 * provider. Failed logins aren't recorded, because anyone can cause them.
 */
export async function auditLogin(
  tx: Tx,
  user: { id: number; name: string },
  detail: LoginStart,
  requestId: string,
): Promise<void> {
  const actor: Actor = { type: 'user', id: user.id, name: user.name };
  await auditPerson(tx, user, { action: 'member.logged_in', actor, detail: { ...detail }, requestId });
}
