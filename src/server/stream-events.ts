import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Schemas } from '../generated/client-api.ts';
import { onRightsChange } from '../modules/accounts/index.ts';
import type { WakeUps } from '../platform/database/index.ts';
import { ApiError } from '../platform/errors.ts';
import {
  type Caller,
  type ContractOperation,
  createOpenLimit,
  type Handlers,
  isAllowed,
  type OperationId,
  openInAll,
  readContract,
} from '../platform/http/index.ts';

const streamsForOneCaller = 5;
/** Each of the thousand keys that an organization can have is a caller. */
const streamsForOneOrganization = 500;
const keepAliveMs = 20_000;
/**
 * Streams of an organization whose permissions are checked in parallel. A role change affects all of them, and an
 * organization can have thousands.
 */
const checksAtOnce = 4;
/** Who does not read is not waited for: the page looks again when it reconnects. */
const maxUnreadBytes = 256 * 1024;

/** Who reads and then opens a stream is told what changed in between, if it took no longer than this. */
const rememberedMs = 10_000;

export interface StreamDeps {
  wakeUps: WakeUps;
  authenticate(request: FastifyRequest): Promise<Caller | null>;
  /** In tests: another pace than once a minute. */
  authorizeAgainMs?: number;
}

interface Stream {
  /** Whether the caller can see changes of a resource. */
  sees(resource: string): boolean;
  send(message: string): void;
  end(): void;
}

/** The list operation of each resource. Only callers that can use it are notified of changes. */
const listedBy: Readonly<Record<Schemas['ChangeEventResource'], OperationId>> = {
  gather_job: 'listGatherJobs',
  scrape_job: 'listScrapeJobs',
  helm_sync_job: 'listHelmSyncJobs',
  discovery_job: 'listDiscoveryJobs',
  release: 'listReleases',
  version: 'listVersions',
  agent: 'listAgents',
  setting: 'listSettings',
  rule: 'listRules',
  alert_config: 'listAlertConfigs',
  alert: 'listAlerts',
  notification_channel: 'listNotificationChannels',
  notification_template: 'listNotificationTemplates',
  notification_rule: 'listNotificationRules',
  silence: 'listSilences',
  freshness_target: 'listFreshnessTargets',
  hook: 'listHooks',
  audit_export: 'listAuditExports',
  notification_settings: 'getNotificationSettings',
  notification_delivery: 'listNotificationDeliveries',
  api_key: 'listAPIKeys',
  member: 'listMembers',
};

/** Of the organization Global, what every organization may read. The rest of it is its own, like that of any other. */
const readableByAll: ReadonlySet<string | undefined> = new Set(['gather_job', 'helm_sync_job']);
const globalOrganizationId = 1;

/**
 * `GET /events`: what has changed, as `{resource, id, change}` and nothing more; who sees it reads it by the usual
 * operations. Changes come from every server as wake-ups `changes:organization/resource/id/change`; without the last
 * part it is an update.
 */
export function streamHandlers({
  wakeUps,
  authenticate,
  authorizeAgainMs = 60_000,
}: StreamDeps): Handlers<'streamEvents'> {
  const operations = new Map(readContract('client').map((operation) => [operation.operationId, operation]));
  const operationsOf = new Map<string, ContractOperation>(
    Object.entries(listedBy).map(([resource, id]) => [resource, operations.get(id)!]),
  );
  const openOfCallers = createOpenLimit(streamsForOneCaller, 'concurrent streams');
  const openOfOrganizations = createOpenLimit(
    streamsForOneOrganization,
    'concurrent streams for an organization',
  );
  const byOrganization = new Map<number, Set<Stream>>();
  const recent = createRecentChanges();
  const checks = createChecks();

  // One listener for all streams.
  wakeUps.on('changes', (detail) => {
    if (detail === undefined) {
      // Something may have been missed: whoever reconnects reads anew.
      for (const stream of [...byOrganization.values()].flatMap((streams) => [...streams])) stream.end();
      return;
    }
    const [organization, resource, id, change = 'updated'] = detail.split('/');
    const isForAll = Number(organization) === globalOrganizationId && readableByAll.has(resource);
    if (!resource) return;
    recent.add(Number(organization), resource);
    // What has no id is named by its resource alone.
    const message = messageOf({ resource, id: id ? Number(id) : null, change });
    const audiences = isForAll ? byOrganization.values() : [byOrganization.get(Number(organization)) ?? []];
    for (const audience of audiences)
      for (const stream of audience) if (stream.sees(resource)) stream.send(message);
  });

  return {
    async streamEvents({ caller, http, signal }) {
      if (http.request.method === 'HEAD') return { status: 200 };
      // Gone already, or we are about to be: nothing would ever close the stream.
      if (signal.aborted)
        throw new ApiError('unavailable', 'The server is shutting down.', { retryAfterSeconds: 3 });
      const forget = openInAll([
        [openOfCallers, nameOf(caller)],
        [openOfOrganizations, String(caller.organizationId)],
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
            if (now === null || !isSameRight(now, caller)) stream.end();
          },
          () => stream.end(),
        );
      const authorize = () => checks.want(caller.organizationId, check);
      const authorizeAgain = setInterval(authorize, authorizeAgainMs);
      const stopListening = onRightsChange(wakeUps, caller, authorize);
      // The right may have ended after the request was authenticated and before this listens.
      authorize();
      signal.addEventListener('abort', () => stream.end(), { once: true });
      http.reply.raw.once('close', () => {
        clearInterval(keepAlive);
        clearInterval(authorizeAgain);
        stopListening();
        checks.forget(caller.organizationId, check);
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

/** Another role is another right: who keeps one of them comes again. */
function isSameRight(now: Caller, before: Caller): boolean {
  return now.organizationId === before.organizationId && now.role === before.role && !now.isTwoFactorMissing;
}

type Check = () => Promise<void>;

/** Runs each waiting check once, even if it was requested several times. Organizations don't wait for each other. */
function createChecks() {
  const byOrganization = new Map<number, { waiting: Set<Check>; running: number }>();

  function beginNext(organizationId: number): void {
    const checks = byOrganization.get(organizationId);
    if (!checks || checks.running >= checksAtOnce) return;
    const [next] = checks.waiting;
    if (!next) {
      if (checks.running === 0) byOrganization.delete(organizationId);
      return;
    }
    checks.waiting.delete(next);
    checks.running += 1;
    void next().finally(() => {
      checks.running -= 1;
      beginNext(organizationId);
    });
  }

  return {
    /** @param check Never rejects. */
    want(organizationId: number, check: Check): void {
      const checks = byOrganization.get(organizationId) ?? { waiting: new Set(), running: 0 };
      byOrganization.set(organizationId, checks);
      checks.waiting.add(check);
      beginNext(organizationId);
    },
    forget(organizationId: number, check: Check): void {
      byOrganization.get(organizationId)?.waiting.delete(check);
    },
  };
}

function messageOf(event: { resource: string | undefined; id: number | null; change: string }): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

/** What has changed of late in each organization, by the resource alone. */
function createRecentChanges() {
  // The organization that changed last stands last.
  const byOrganization = new Map<number, Map<string, number>>();
  return {
    add(organizationId: number, resource: string): void {
      const now = performance.now();
      const changes = byOrganization.get(organizationId) ?? new Map<string, number>();
      byOrganization.delete(organizationId);
      byOrganization.set(organizationId, changes.set(resource, now));
      for (const [id, times] of byOrganization) {
        if (Math.max(...times.values()) > now - rememberedMs) break;
        byOrganization.delete(id);
      }
    },
    of(organizationId: number): string[] {
      const since = performance.now() - rememberedMs;
      const changes = byOrganization.get(organizationId) ?? [];
      return [...changes].filter(([, at]) => at > since).map(([resource]) => resource);
    },
  };
}

function openStream(reply: FastifyReply, sees: Stream['sees']): Stream {
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
    sees,
    send(message) {
      if (raw.writableLength > maxUnreadBytes) raw.destroy();
      else if (!raw.writableEnded) raw.write(message);
    },
    end: () => void raw.end(),
  };
}
