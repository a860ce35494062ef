import {
  type Database,
  listen,
  rightsTopic,
  type Tx,
  topicNames,
  wake,
} from '../../../platform/database/index.ts';
import type { Caller } from '../../../platform/http/index.ts';

/**
 * Callers whose rights changed: all callers, those in an organization, a person, an API key, or one login.
 */
export type RightsHolder =
  | 'everyone'
  | { organizationId: number }
  | { userId: number }
  | { apiKeyId: number }
  | { loginId: string };

/**
 * Notifies all servers after `tx` commits, so that they recheck the access of open streams and long polls.
 */
export function announceRightsChange(tx: Tx, holder: RightsHolder): void {
  wake(tx, rightsTopic(holder === 'everyone' ? undefined : nameOf(holder)));
}

/**
 * Calls `listener` when the permissions of a caller may have changed since the request was authenticated. A
 * wake-up can be lost, so long-lived requests must also check the permissions periodically.
 *
 * @returns A function that removes the listener.
 */
export function onRightsChange(
  db: Database,
  { organizationId, userId, apiKeyId, loginId }: Caller,
  listener: () => void,
): () => void {
  const names = new Set([
    nameOf({ organizationId }),
    ...(userId === null ? [] : [nameOf({ userId })]),
    ...(apiKeyId === null ? [] : [nameOf({ apiKeyId })]),
    ...(loginId === null ? [] : [nameOf({ loginId })]),
  ]);
  return listen(db, topicNames.rights, (name) => {
    if (name === undefined || names.has(name)) listener();
  });
}

function nameOf(holder: Exclude<RightsHolder, 'everyone'>): string {
  const [[kind, id]] = Object.entries(holder) as [[string, number | string]];
  return `${kind}/${id}`;
}
