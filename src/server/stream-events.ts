import type { FastifyReply, FastifyRequest } from 'fastify';
import { listOperations } from '../generated/resources.ts';
import { onRightsChange } from '../modules/accounts/index.ts';
import { type Change, type Database, listen, readChange, topicNames } from '../platform/database/index.ts';
import { ApiError } from '../platform/errors.ts';
import { createFairLimit } from '../platform/fairness/index.ts';
import {
  acquireAllLimits,
  type Caller,
  type ContractOperation,
  createConcurrencyLimit,
  type Handlers,
  isAllowed,
  readContract,
} from '../platform/http/index.ts';

const maxStreamsPerCaller = 5;
/**
 * Maximum number of streams of an organization. The limit per caller isn't sufficient, because an organization can have
 * up to a thousand keys, each of which is a separate caller.
 */
const streamsForOneOrganization = 500;
const keepAliveMs = 20_000;
/**
 * Maximum number of streams of an organization whose permissions are checked in parallel. A role change
 * affects all of them, and an organization can have thousands.
 */
const maxConcurrentChecks = 4;
/**
 * Maximum unread data of a stream. A client that exceeds it is disconnected and refetches when it reconnects.
 */
const maxUnreadBytes = 256 * 1024;

/**
 * Time for which changes are kept. A client that loads data and opens its stream within this time receives
 * the changes in between.
 */
const recentChangesMs = 10_000;

export interface StreamDeps {
  db: Database;
  authenticate(request: FastifyRequest): Promise<Caller | null>;
  /** Interval of the authorization checks. Default: 60,000. Tests use another value. */
  authorizeAgainMs?: number;
}

interface Stream {
  /** True if the caller can see changes to a resource. */
  sees(resource: string): boolean;
  send(message: string): void;
  end(): void;
}

/**
 * Resources of the Global organization that every organization can read. All other resources of the Global organization
 * are private, like those of any organization.
 */
const readableByAll: ReadonlySet<string | undefined> = new Set(['gather_job', 'helm_sync_job']);
const globalOrganizationId = 1;

/**
 * Returns the handler of `GET /events`, which streams changes as `{resource, id, change}`. The events contain
 * no data, so clients load it with the usual operations. Every server publishes its changes as wake-ups of `changeTopic`.
 */
export function streamHandlers({
  db,
  authenticate,
  authorizeAgainMs = 60_000,
}: StreamDeps): Handlers<'streamEvents'> {
  const operations = new Map(readContract('client').map((operation) => [operation.operationId, operation]));
  // Only callers that can use the list operation of a resource are notified of its changes.
  const operationsOf = new Map<string, ContractOperation>(
    Object.entries(listOperations).map(([resource, id]) => [resource, operations.get(id)!]),
  );
  const callerLimit = createConcurrencyLimit('concurrent streams');
  const openOfOrganizations = createConcurrencyLimit('concurrent streams for an organization');
  const byOrganization = new Map<number, Set<Stream>>();
  const recent = createRecentChanges();
  const checks = createFairLimit({ max: Infinity, maxPerKey: maxConcurrentChecks });

  // All streams share one listener.
  listen(db, topicNames.changes, (detail) => {
    if (detail === undefined) {
      // Changes may have been missed, so all streams end. Clients refetch when they reconnect.
      for (const stream of [...byOrganization.values()].flatMap((streams) => [...streams])) stream.end();
      return;
    }
    const { organizationId, ...event } = readChange(detail);
    const { resource } = event;
    const isForAll = organizationId === globalOrganizationId && readableByAll.has(resource);
    recent.add(organizationId, resource);
    const message = messageOf(event);
    const audiences = isForAll ? byOrganization.values() : [byOrganization.get(organizationId) ?? []];
    for (const audience of audiences)
      for (const stream of audience) if (stream.sees(resource)) stream.send(message);
  });

  return {
    async streamEvents({ caller, http, signal }) {
      if (http.request.method === 'HEAD') return { status: 200 };
      // The client has disconnected or the server is shutting down, so no later event would close the stream.
      if (signal.aborted)
        throw new ApiError('unavailable', 'The server is shutting down.', { retryAfterSeconds: 3 });
      const forget = acquireAllLimits([
        [callerLimit, nameOf(caller), maxStreamsPerCaller],
        [openOfOrganizations, String(caller.organizationId), streamsForOneOrganization],
      ]);
      const stream = openStream(http.reply, (resource) => {
        const operation = operationsOf.get(resource);
        return operation !== undefined && isAllowed(operation, caller);
      });
      const audience = byOrganization.get(caller.organizationId) ?? new Set();
      byOrganization.set(caller.organizationId, audience.add(stream));
      const missed = new Set([
        ...recent.of(caller.organizationId),
        ...recent.of(globalOrganizationId).filter((resource) => readableByAll.has(resource)),
      ]);
      for (const resource of [...missed].filter(stream.sees))
        stream.send(messageOf({ resource, id: null, change: 'updated' }));

      const keepAlive = setInterval(() => stream.send(': \n\n'), keepAliveMs);
      const check = () =>
        authenticate(http.request).then(
          (now) => {
            if (now === null || !hasSamePermissions(now, caller)) stream.end();
          },
          () => stream.end(),
        );
      // A check that waits covers all changes until it begins.
      let isCheckWaiting = false;
      const authorize = () => {
        if (isCheckWaiting) return;
        isCheckWaiting = true;
        void checks.run(String(caller.organizationId), async () => {
          isCheckWaiting = false;
          if (!http.reply.raw.closed) await check();
        });
      };
      const authorizeAgain = setInterval(authorize, authorizeAgainMs);
      const stopListening = onRightsChange(db, caller, authorize);
      // Permissions may have been revoked after the request was authenticated and before the listener was
      // registered.
      authorize();
      signal.addEventListener('abort', () => stream.end(), { once: true });
      http.reply.raw.once('close', () => {
        clearInterval(keepAlive);
        clearInterval(authorizeAgain);
        stopListening();
        audience.delete(stream);
        if (audience.size === 0 && byOrganization.get(caller.organizationId) === audience)
          byOrganization.delete(caller.organizationId);
        forget();
      });
      return 'streamed';
    },
  };
}

function nameOf({ userId, apiKeyId }: Caller): string {
  return userId === null ? `key ${apiKeyId}` : `user ${userId}`;
}

/**
 * True if the caller still has the same permissions. A changed role ends the stream, and the client
 * reconnects with the new role.
 */
function hasSamePermissions(now: Caller, before: Caller): boolean {
  return now.organizationId === before.organizationId && now.role === before.role && !now.isTwoFactorMissing;
}

function messageOf(event: Omit<Change, 'organizationId'>): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** Creates a store of the resources that changed recently in each organization. */
function createRecentChanges() {
  // The map is sorted by time of the last change, with the latest organization last.
  const byOrganization = new Map<number, Map<string, number>>();
  return {
    add(organizationId: number, resource: string): void {
      const now = performance.now();
      const changes = byOrganization.get(organizationId) ?? new Map<string, number>();
      byOrganization.delete(organizationId);
      byOrganization.set(organizationId, changes.set(resource, now));
      for (const [id, times] of byOrganization) {
        if (Math.max(...times.values()) > now - recentChangesMs) break;
        byOrganization.delete(id);
      }
    },
    of(organizationId: number): string[] {
      const since = performance.now() - recentChangesMs;
      const changes = byOrganization.get(organizationId) ?? [];
      return [...changes].filter(([, at]) => at > since).map(([resource]) => resource);
    },
  };
}

function openStream(reply: FastifyReply, canSee: Stream['sees']): Stream {
  const { raw } = reply;
  const headers = Object.fromEntries(
    Object.entries(reply.getHeaders()).map(([key, value]) => [key, value as string]),
  );
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  });
  raw.write('retry: 3000\n\n');
  return {
    sees: canSee,
    send(message) {
      if (raw.writableLength > maxUnreadBytes) raw.destroy();
      else if (!raw.writableEnded) raw.write(message);
    },
    end: () => void raw.end(),
  };
}
