import { createHash, createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Database, type Tx, withCommitHook } from '../database/index.ts';
import { ApiError, invalidField } from '../errors.ts';
import type { OperationId } from './operation.ts';

export interface IdempotencyDeps {
  db: Database;
  /**
   * Returns the ID of the resource that a request created, if its server crashed before it could store the
   * ID. `null` if the records of that request don't identify exactly one resource.
   */
  findCreatedResource(
    db: Database,
    organizationId: number,
    request: { operationId: OperationId; requestId: string; since: Date },
  ): Promise<number | null>;
}

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  organizationId: number;
  /** The API key or the user. Equal keys of different credentials are independent. */
  credential: string;
  key: string;
  operationId: OperationId;
  /** Everything that determines the effect of the request. */
  content: unknown;
  requestId: string;
  /** ID of the resource that the request changes, from the path. `null` if the request creates a resource. */
  resourceId: number | null;
  successStatus: number;
}

/** Outcome of the first request with a key. `resourceId` is `null` if it isn't known. */
export interface Outcome {
  status: number;
  resourceId: number | null;
}

/** Storage time of keys, as the contract promises. */
const lifetime = sql`interval '24 hours'`;
/**
 * Time after which a request without an outcome is considered crashed. A slower request can't create anything
 * once another one has taken over its key, because each of its transactions checks the lease before it commits.
 */
const lease = sql`interval '1 minute'`;

/**
 * Parses an `Idempotency-Key` header. The key can be in quotes, as in the IETF draft, or without them, as most
 * clients send it.
 *
 * @throws ApiError 400 if the header is invalid.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = String(header).trim();
  const key = /^"([ !#-[\]-~]+)"$/.exec(text)?.[1] ?? (/^[!#-[\]-~]+$/.test(text) ? text : '');
  if (key === '' || key.length > 255)
    throw invalidField(
      'Idempotency-Key',
      'must be 1 to 255 visible ASCII characters without quotes or backslashes, such as a UUID',
    );
  return key;
}

/**
 * Runs `work` unless a request with the same key was completed within the last 24 hours, and otherwise
 * returns the outcome of that request. The key and the request are stored only as hashes. The response can
 * contain a secret, so only its status and the ID of the resource are stored. If `work` throws an error, the
 * key can be used again, unless a transaction of `work` has committed.
 *
 * @throws ApiError 422 if the key belongs to a different request, and 409 if that request is in progress.
 */
export async function runIdempotently<T>(
  { db, findCreatedResource }: IdempotencyDeps,
  request: KeyedRequest,
  work: () => Promise<T>,
  outcomeOf: (result: T) => Outcome,
): Promise<{ result: T } | { repeated: Outcome }> {
  const { organizationId, credential, requestId } = request;
  const keyHash = createHash('sha256').update(request.key).digest();
  // The key isn't stored, so short secrets in requests can't be guessed from their hash.
  const requestHash = createHmac('sha256', request.key).update(canonicalJson(request.content)).digest();
  const leaseToken = randomUUID();
  const isRow = sql`organization_id = ${organizationId} AND credential = ${credential} AND key_hash = ${keyHash}`;
  const isLeased = sql`${isRow} AND lease_token = ${leaseToken}`;

  const claimed = await sql`
    INSERT INTO idempotency_keys AS stored (organization_id, credential, key_hash, request_hash, request_id,
      resource_id, lease_token, lease_until)
    VALUES (${organizationId}, ${credential}, ${keyHash}, ${requestHash}, ${requestId}, ${request.resourceId},
      ${leaseToken}, pacekeeper_now() + ${lease})
    ON CONFLICT (organization_id, credential, key_hash) DO UPDATE SET request_hash = EXCLUDED.request_hash,
      request_id = EXCLUDED.request_id, status = NULL, resource_id = EXCLUDED.resource_id, has_effect = false,
      lease_token = EXCLUDED.lease_token, lease_until = EXCLUDED.lease_until, created_at = pacekeeper_now()
    WHERE stored.created_at < pacekeeper_now() - ${lifetime}
      OR (stored.status IS NULL AND NOT stored.has_effect AND stored.lease_until < pacekeeper_now())`.execute(
    db,
  );
  if (claimed.numAffectedRows === 0n) return { repeated: await readOutcome() };

  // Records before each commit that the request has an effect. Fails if another request has taken over the
  // key. The row stays locked until the transaction ends, so no request can take over the key while this one
  // commits.
  const markEffect = async (tx: Tx) => {
    const writes = await sql`SELECT WHERE pg_current_xact_id_if_assigned() IS NOT NULL`.execute(tx);
    if (writes.rows.length === 0) return;
    const marked = await sql`UPDATE idempotency_keys SET has_effect = true WHERE ${isLeased}`.execute(tx);
    if (marked.numAffectedRows === 0n) throw inProgress();
  };
  let result: T;
  try {
    result = await withCommitHook(markEffect, work);
  } catch (error) {
    const isRejected = error instanceof ApiError && error.status < 500;
    await sql`
      DELETE FROM idempotency_keys WHERE ${isLeased} AND (NOT has_effect OR ${isRejected})`
      .execute(db)
      // Ignore a failed update: if the database is unavailable, the key is free again when its lease expires.
      .catch(() => undefined);
    throw error;
  }
  const { status, resourceId } = outcomeOf(result);
  await sql`
    UPDATE idempotency_keys SET status = ${status}, resource_id = ${resourceId} WHERE ${isLeased}`
    .execute(db)
    // The work is committed, so the request has succeeded. Repeats get the outcome as after a crash.
    .catch(() => undefined);
  return { result };

  async function readOutcome(): Promise<Outcome> {
    const { rows } = await sql<{
      request_hash: Buffer;
      request_id: string;
      status: number | null;
      resource_id: number | null;
      has_effect: boolean;
      is_leased: boolean;
      created_at: Date;
    }>`
      SELECT request_hash, request_id, status, resource_id, has_effect, lease_until >= pacekeeper_now() AS is_leased,
        created_at
      FROM idempotency_keys WHERE ${isRow}`.execute(db);
    const [stored] = rows;
    // The other request has failed in the meantime, so the next attempt of the client will run.
    if (!stored) throw inProgress();
    if (!stored.request_hash.equals(requestHash)) throw new ApiError('idempotency_key_reused');
    if (stored.status !== null) return { status: stored.status, resourceId: stored.resource_id };
    if (stored.is_leased || !stored.has_effect) throw inProgress();
    // The server crashed after it had committed the work, so find the resource that the request created.
    const resourceId =
      stored.resource_id ??
      (await findCreatedResource(db, organizationId, {
        operationId: request.operationId,
        requestId: stored.request_id,
        since: stored.created_at,
      }));
    return { status: request.successStatus, resourceId };
  }
}

/** Deletes keys during housekeeping that are older than 24 hours, and returns their number. */
export async function deleteOldIdempotencyKeysAcrossOrganizations(tx: Tx, max: number): Promise<number> {
  const deleted = await sql`
    DELETE FROM idempotency_keys USING (
      SELECT organization_id, credential, key_hash FROM idempotency_keys
      WHERE created_at < pacekeeper_now() - ${lifetime}
      ORDER BY created_at LIMIT ${max} FOR UPDATE SKIP LOCKED
    ) AS old
    WHERE idempotency_keys.organization_id = old.organization_id
      AND idempotency_keys.credential = old.credential AND idempotency_keys.key_hash = old.key_hash`.execute(
    tx,
  );
  return Number(deleted.numAffectedRows ?? 0);
}

function inProgress(): ApiError {
  return new ApiError('request_in_progress', undefined, { retryAfterSeconds: 1 });
}

/** Returns JSON that is the same for any order of fields, because some languages don't keep the order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
