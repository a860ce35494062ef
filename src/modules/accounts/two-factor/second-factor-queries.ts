import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { SecretBox, SecretContext } from '../../../platform/secrets/index.ts';

export interface SecondFactorRow {
  secret_sealed: Buffer;
  /** Null until the user enters the first correct code. */
  confirmed_at: Date | null;
  last_step: number;
  wrong_codes: number;
  wrong_since: Date | null;
}

export async function findSecondFactor(
  db: Database | Tx,
  userId: number,
): Promise<SecondFactorRow | undefined> {
  return db
    .selectFrom('second_factors')
    .select(['secret_sealed', 'confirmed_at', 'last_step', 'wrong_codes', 'wrong_since'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/**
 * Stores an unconfirmed second factor, replacing any earlier unconfirmed one. The caller must have locked the
 * user.
 */
export async function beginSecondFactor(
  tx: Tx,
  secretBox: SecretBox,
  userId: number,
  secret: string,
): Promise<void> {
  await deleteSecondFactor(tx, userId);
  await tx
    .insertInto('second_factors')
    .values({ user_id: userId, secret_sealed: secretBox.seal(secret, secretContext(userId)) })
    .execute();
}

export async function confirmSecondFactor(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ confirmed_at: sql`pacekeeper_now()` })
    .where('user_id', '=', userId)
    .execute();
}

/** @returns True if the deleted second factor was confirmed, so logins required it. */
export async function deleteSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  const row = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst();
  return row?.confirmed_at != null;
}

/**
 * Records the time step of a correct code, so that neither this code nor an earlier one works again. Also
 * resets the number of wrong codes.
 */
export async function acceptTimeStep(tx: Tx, userId: number, step: number): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ last_step: step, wrong_codes: 0, wrong_since: null })
    .where('user_id', '=', userId)
    .execute();
}

/** @param since time of the first wrong code in the current window */
export async function recordWrongCode(
  tx: Tx,
  userId: number,
  { count, since }: { count: number; since: Date },
): Promise<void> {
  await tx
    .updateTable('second_factors')
    .set({ wrong_codes: count, wrong_since: since })
    .where('user_id', '=', userId)
    .execute();
}

export async function replaceRecoveryCodes(tx: Tx, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/**
 * Deletes the recovery code, because each code works only once.
 * @returns True if the user had this code.
 */
export async function consumeRecoveryCode(tx: Tx, userId: number, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

export async function countRecoveryCodes(db: Database, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function unsealSecondFactor(
  secretBox: SecretBox,
  userId: number,
  { secret_sealed }: SecondFactorRow,
): string {
  return secretBox.openText(secret_sealed, secretContext(userId));
}

/**
 * Re-encrypts the secrets after the secret key was changed.
 * @returns The number of re-encrypted secrets.
 */
export async function resealSecondFactorsAcrossOrganizations(tx: Tx, secretBox: SecretBox): Promise<number> {
  await sql`LOCK TABLE second_factors IN SHARE ROW EXCLUSIVE MODE`.execute(tx);
  const rows = await tx.selectFrom('second_factors').select(['user_id', 'secret_sealed']).execute();
  const others = rows.filter(({ secret_sealed }) => secretBox.needsReseal(secret_sealed));
  for (const { user_id, secret_sealed } of others) {
    const context = secretContext(user_id);
    await tx
      .updateTable('second_factors')
      .set({ secret_sealed: secretBox.seal(secretBox.open(secret_sealed, context), context) })
      .where('user_id', '=', user_id)
      .execute();
  }
  return others.length;
}

/** Uses the system organization, because accounts don't belong to an organization. */
function secretContext(userId: number): SecretContext {
  return { organizationId: 1, table: 'second_factors', rowId: userId, column: 'secret_sealed' };
}
