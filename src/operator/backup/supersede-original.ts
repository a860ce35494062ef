import {
  endAllLoginsAcrossOrganizations,
  voidAllLinksAcrossOrganizations,
} from '../../modules/accounts/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { readSequences, setSequence } from './schema-queries.ts';

/**
 * Number by which a restore increases the ID sequences. It exceeds the number of IDs that the original installation can
 * have assigned since the backup, and is small enough for 9 billion restores.
 */
const idGap = 1_000_000n;

/**
 * Prevents conflicts with actions that the original installation performed after the backup. The restored database
 * lacks these actions, but other systems may still have their results. Revoked logins and links must not work again,
 * and IDs must not be reused, because receivers treat events with a known ID as duplicates.
 */
export async function detachFromOriginal(db: Database): Promise<void> {
  await endAllLoginsAcrossOrganizations(db);
  await voidAllLinksAcrossOrganizations(db);
  for (const { name, lastValue } of await readSequences(db))
    await setSequence(db, { name, lastValue: String(BigInt(lastValue) + idGap), isCalled: true });
}
