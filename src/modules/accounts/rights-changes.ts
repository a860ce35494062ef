import { sendWakeUp, type Tx, type WakeUps } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';

/** Whose rights have changed: all callers, those in an organization, a person, an API key, or one login. */
export type RightsHolder =
  | 'everyone'
  | { organizationId: number }
  | { userId: number }
  | { apiKeyId: number }
  | { loginId: string };

const topic = 'rights';

/** Tells every server, once `tx` is committed, to check what it has let in before: streams and long polls. */
export function announceRightsChange(tx: Tx, wakeUps: WakeUps, holder: RightsHolder): void {
  wakeUps.wakeAfterCommit(tx, wakeUpOf(holder));
}

/** The same from a command of the operator. */
export async function sendRightsChange(tx: Tx, holder: RightsHolder): Promise<void> {
  await sendWakeUp(tx, wakeUpOf(holder));
}

/**
 * Calls `listener` when the rights of a caller may have changed since the request was authenticated. A wake-up can be
 * lost, so whoever lets a caller stay for long checks now and then as well.
 *
 * @returns what ends it
 */
export function onRightsChange(
  wakeUps: Pick<WakeUps, 'on'>,
  { organizationId, userId, apiKeyId, loginId }: Caller,
  listener: () => void,
): () => void {
  const names = new Set([
    nameOf({ organizationId }),
    ...(userId === null ? [] : [nameOf({ userId })]),
    ...(apiKeyId === null ? [] : [nameOf({ apiKeyId })]),
    ...(loginId === null ? [] : [nameOf({ loginId })]),
  ]);
  return wakeUps.on(topic, (name) => {
    if (name === undefined || names.has(name)) listener();
  });
}

function wakeUpOf(holder: RightsHolder): `${typeof topic}:${string}` | typeof topic {
  return holder === 'everyone' ? topic : `${topic}:${nameOf(holder)}`;
}

function nameOf(holder: Exclude<RightsHolder, 'everyone'>): string {
  const [[kind, id]] = Object.entries(holder) as [[string, number | string]];
  return `${kind}/${id}`;
}
