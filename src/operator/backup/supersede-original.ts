import {
  endAllLoginsAcrossOrganizations,
  voidAllLinksAcrossOrganizations,
} from '../../modules/accounts/index.ts';
import type { Database } from '../../platform/database/index.ts';
import { readSequences, setSequence } from './schema-queries.ts';

/** More IDs than were given between a backup and its restore, and few enough for 9 billion restores. */
const idGap = 1_000_000n;

/**
 * What the original installation did after the backup is lost here, but known elsewhere. What it revoked must not work
 * again, and what it named must not be named twice: receivers take events with a known ID for repeats.
 */
export async function supersedeOriginal(db: Database): Promise<void> {
  await endAllLoginsAcrossOrganizations(db);
  await voidAllLinksAcrossOrganizations(db);
  for (const { name, lastValue } of await readSequences(db))
    await setSequence(db, { name, lastValue: String(BigInt(lastValue) + idGap), isCalled: true });
}
