import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiCallError, type ApiClient, clientOf, type UncheckedInput } from '../client/api-client.ts';
import { connectionProblemOf } from '../client/connection-problems.ts';
import { keyedOperations } from '../generated/keyed-operations.ts';
import { operations } from '../generated/operations.ts';
import type { CliIo } from './cli-io.ts';
import { resources } from './resources/resource-table.ts';

/**
 * Maximum requested delay in seconds before a retry. If the server requests a longer delay, the error is thrown to the
 * caller.
 */
const maxWaitSeconds = 60;

/**
 * Time in which `request_in_progress` doesn't count as a retry. If the server crashed during the request, its key is in
 * use for up to a minute.
 */
const inProgressMs = 70_000;

/**
 * Retries calls without a response, so that a server restart or a network outage doesn't fail a pipeline. All
 * attempts of a call have the same `Idempotency-Key`, so a retry creates nothing twice.
 */
export function withRetries(client: ApiClient, retries: number, io: Pick<CliIo, 'stderr'>): ApiClient {
  return clientOf(async (operationId, given) => {
    const input = keyedOperations.has(operationId) ? withIdempotencyKey(given) : given;
    let inProgressSince: number | null = null;
    for (let attempt = 1; ; ) {
      try {
        return await client.sendUnchecked(operationId, input);
      } catch (error) {
        if (!(error instanceof ApiCallError) || retries === 0) throw error;
        const isFirst = inProgressSince === null;
        if (error.code === 'request_in_progress') inProgressSince ??= performance.now();
        const isFree =
          error.code === 'request_in_progress' && performance.now() - inProgressSince! < inProgressMs;
        if (!isFree && attempt > retries) throw error;
        if (!isSafeToRetry(error, operationId)) throw error;
        const seconds = error.retryAfterSeconds ?? Math.min(30, 2 ** (attempt - 1));
        if (seconds > maxWaitSeconds) throw error;
        // Print the message only once for a request that is repeated every second.
        if (!isFree || isFirst) io.stderr(`${error.detail} Retrying in ${seconds} s.\n`);
        if (!isFree) attempt += 1;
        await sleep(seconds * 1_000);
      }
    }
  });
}

function withIdempotencyKey(input: UncheckedInput = {}): UncheckedInput {
  return { ...input, headers: { 'idempotency-key': randomUUID(), ...input.headers } };
}

/** POST operations that have the same effect when they run twice. */
const repeatablePosts: ReadonlySet<string> = new Set([
  'planConfiguration',
  'applyConfiguration',
  'setScrapeJobVersion',
  'reportDeployment',
  'reportDeploymentEvent',
  'evaluateRules',
  'acknowledgeAlert',
  'unacknowledgeAlert',
  'resolveAlert',
  'bulkAcknowledgeAlerts',
  'snoozeAlert',
  'unsnoozeAlert',
  ...resources.flatMap(({ job }) => job?.run ?? []),
  'previewGatherJob',
  'previewGatherSource',
  'previewScrapeJob',
  'previewScrapeSource',
  'previewNotificationTemplate',
  'previewRule',
  'simulateRule',
  'simulateAlertConfig',
  'simulateNotificationRule',
  'simulateNotificationRules',
  'deactivateAPIKey',
]);

/** Error codes of requests that didn't reach the server. */
const didNotReachServer = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function isSafeToRetry(error: ApiCallError, operationId: keyof typeof operations): boolean {
  // These statuses mean that the server didn't process the request.
  if (error.status === 503 || error.status === 429) return true;
  // A conflict with a retry delay is temporary.
  if (error.status === 409 && error.retryAfterSeconds !== null) return true;
  const connection = connectionProblemOf(error);
  const isGateway = error.status === 502 || error.status === 504;
  if ((!connection || connection.problem?.isPermanent) && !isGateway) return false;
  if (operations[operationId].method !== 'POST') return true;
  if (repeatablePosts.has(operationId) || keyedOperations.has(operationId)) return true;
  return connection?.code != null && didNotReachServer.has(connection.code);
}
