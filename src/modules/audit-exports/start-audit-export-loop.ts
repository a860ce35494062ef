import { sql } from 'kysely';
import { deliveryCodes } from '../../domain/channels/delivery-codes.ts';
import { nextAttemptAt } from '../../domain/scheduling/retry-schedule.ts';
import { parseSyslogUrl } from '../../domain/syslog/syslog-url.ts';
import type { Database } from '../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  type DueTable,
  finishDueRows,
  startDueLoop,
} from '../../platform/due-rows/index.ts';
import type { Log } from '../../platform/log.ts';
import type { OutboundClient } from '../../platform/outbound/index.ts';
import { type SecretBox, SecretBoxError } from '../../platform/secrets/index.ts';
import { type ExportedEntry, listEntriesInOrder } from '../audit/index.ts';
import { type SendResult, secretValues, sendWebhook } from '../notifications/index.ts';
import {
  type ExportSecrets,
  type SealedExport,
  sealedExportColumns,
  unsealExportSecrets,
} from './audit-export-secrets.ts';
import { type Horizon, nextVisibleHorizon } from './choose-horizon.ts';
import { sendSyslog } from './send-syslog.ts';

export const dueAuditExportsTable = {
  name: 'audit_exports',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;

export interface AuditExportLoopDeps {
  db: Database;
  log: Log;
  outbound: OutboundClient;
  secretBox: SecretBox;
  /** Public URL of this installation. Syslog messages contain its host. */
  baseUrl: string;
  /** Version of Pacekeeper. */
  version: string;
}

type ExportRow = SealedExport & {
  organization_id: number;
  id: number;
  last_entry_id: number;
  horizon_id: number | null;
  horizon_writers: string[] | null;
  failures: number;
};

const entriesPerRequest = 100;
const timeoutMs = 15_000;
const horizonMs = 1_000;
/**
 * Number of running exports at which no more exports of an organization are claimed. One claim can contain
 * several exports, so the actual number can be higher.
 */
const maxOfOrganization = 4;
/**
 * Delays of the first retries. Then exports retry every 15 minutes, for as long as the entries are retained.
 */
const retrySeconds = [10, 30, 60, 300, 900];

/** Sends new audit log entries to the receivers of each organization's exports. */
export function startAuditExportLoop(deps: AuditExportLoopDeps): DueLoop {
  const busy = createBusyOrganizations();
  return startDueLoop<ExportRow>({
    ...deps,
    table: dueAuditExportsTable,
    batchSize: 8,
    maxInFlight: 32,
    isOneByOne: true,
    // The lease lasts longer than a request, so that no other server sends the same entries.
    leaseMs: 4 * timeoutMs,
    // Select exports by their pending entries instead of a due time. Every audited edit would have to update
    // a due time, so concurrent edits would block each other on the row of an export.
    where: () => sql`organization_id <> ALL(${busy.organizationIds()}::bigint[]) AND EXISTS (
      SELECT FROM audit_log
      WHERE audit_log.organization_id = audit_exports.organization_id AND audit_log.id > audit_exports.last_entry_id)`,
    columns: [...sealedExportColumns, 'last_entry_id', 'horizon_id', 'horizon_writers', 'failures'],
    handle: ([claim]) => busy.count(claim!.row.organization_id, () => exportEntries(deps, claim!)),
  });
}

/**
 * Tracks the organizations that have reached the limit of running exports. No more exports of these
 * organizations are claimed, so that unresponsive receivers of one organization don't delay the exports of
 * others.
 */
function createBusyOrganizations() {
  const counts = new Map<number, number>();
  return {
    organizationIds: () =>
      [...counts].filter(([, count]) => count >= maxOfOrganization).map(([organizationId]) => organizationId),
    async count(organizationId: number, work: () => Promise<void>): Promise<void> {
      counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
      try {
        await work();
      } finally {
        const left = counts.get(organizationId)! - 1;
        if (left > 0) counts.set(organizationId, left);
        else counts.delete(organizationId);
      }
    },
  };
}

async function exportEntries(deps: AuditExportLoopDeps, claim: Claim<ExportRow>): Promise<void> {
  const { db } = deps;
  const { row } = claim;
  const { reached, waiting } = await readHorizon(db, row);
  const entries =
    reached === null
      ? []
      : await listEntriesInOrder(
          db,
          row.organization_id,
          { after: row.last_entry_id, upTo: reached },
          entriesPerRequest,
        );
  const last = entries.at(-1);
  const horizon = sql`horizon_id = ${waiting?.id ?? null}::bigint,
    horizon_writers = ${waiting?.writers ?? null}::text[]`;
  const dueIn = (ms: number) => new Date(claim.now.getTime() + ms);
  if (last === undefined) {
    await finishDueRows(db, dueAuditExportsTable, [{ claim, nextDueAt: dueIn(horizonMs) }], {
      alsoSet: horizon,
    });
    return;
  }
  const answer = await send(deps, claim, entries);
  // Entries are considered received only after this update. If the server stops before it, they are sent
  // again.
  if (answer.error === null) {
    await finishDueRows(db, dueAuditExportsTable, [{ claim, nextDueAt: claim.now }], {
      alsoSet: sql`${horizon}, last_entry_id = ${last.id}, last_entry_at = ${last.created_at}::timestamptz,
        last_success_at = pacekeeper_now(), failures = 0, failing_since = NULL, last_error = NULL`,
    });
    return;
  }
  // Replace the message for a 410 response, which says that the channel is disabled. An export isn't disabled.
  const error =
    answer.error.code === 'gone'
      ? { ...answer.error, message: 'The receiver returned 410 Gone.' }
      : answer.error;
  const failures = row.failures + 1;
  const nextDueAt = nextAttemptAt(
    retrySeconds,
    Math.min(failures, retrySeconds.length),
    claim.now,
    answer.retryAfter,
    Math.random(),
  );
  await finishDueRows(db, dueAuditExportsTable, [{ claim, nextDueAt }], {
    alsoSet: sql`${horizon}, failures = ${failures}, failing_since = coalesce(failing_since, pacekeeper_now()),
      last_error = ${JSON.stringify(error)}::jsonb`,
  });
}

/**
 * Returns the ID up to which no more entries can appear. A transaction that adds entries locks the table
 * before it gets an ID, and holds the lock until it ends, so the locks show which transactions can still add
 * entries.
 */
async function readHorizon(
  db: Database,
  { organization_id, horizon_id, horizon_writers }: ExportRow,
): Promise<ReturnType<typeof nextVisibleHorizon>> {
  const newest = await sql<{ id: number | null }>`
    SELECT max(id) AS id FROM audit_log WHERE organization_id = ${organization_id}`.execute(db);
  // This must be a separate statement, because it must list the writers after the newest entry was read.
  const running = await sql<{ writers: string[] }>`
    SELECT coalesce(array_agg(virtualtransaction), '{}') AS writers FROM pg_locks
    WHERE locktype = 'relation' AND relation = 'audit_log'::regclass AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(db);
  const waiting: Horizon | null =
    horizon_id === null || horizon_writers === null ? null : { id: horizon_id, writers: horizon_writers };
  return nextVisibleHorizon(
    { newestId: newest.rows[0]!.id ?? 0, writers: running.rows[0]!.writers },
    waiting,
  );
}

/**
 * Identifies a request by its entries. The time of the last entry is included, because new entries can have
 * the same IDs as entries that were lost in a failover. Without the time, receivers would drop the new
 * entries as duplicates.
 */
function webhookIdOf(organizationId: number, exportId: number, entries: readonly ExportedEntry[]): string {
  const [first, last] = [entries[0]!, entries.at(-1)!];
  return `audit_${organizationId}_${exportId}_${first.id}_${last.id}_${Date.parse(last.created_at)}`;
}

async function send(
  { log, outbound, secretBox, baseUrl, version }: AuditExportLoopDeps,
  { row, now }: Claim<ExportRow>,
  entries: readonly ExportedEntry[],
): Promise<Pick<SendResult, 'retryAfter' | 'error'>> {
  const { organization_id: organizationId, id } = row;
  let secrets: ExportSecrets;
  try {
    secrets = unsealExportSecrets(secretBox, organizationId, id, row);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    log.error({ err: error, audit_export_id: id }, "an audit export can't be decrypted; will retry");
    const message = deliveryCodes.secrets_unreadable.join(' ');
    return { retryAfter: null, error: { code: 'secrets_unreadable', message } };
  }
  const { url, headers, signingSecret } = secrets;
  const syslog = parseSyslogUrl(url);
  if (syslog !== null)
    return sendSyslog(outbound, syslog, {
      organizationId,
      auditExportId: id,
      entries,
      timeoutMs,
      source: {
        hostname: new URL(baseUrl).hostname,
        software: 'Pacekeeper',
        version,
      },
    });
  const data = { organization_id: organizationId, audit_export_id: id, entries };
  return sendWebhook(outbound, {
    method: 'POST',
    contentType: 'application/json',
    url,
    headers,
    version,
    timeoutMs,
    at: now,
    webhookId: webhookIdOf(organizationId, id, entries),
    body: JSON.stringify({
      type: 'audit_log.entries',
      timestamp: now.toISOString(),
      data,
    }),
    signingSecrets: signingSecret === null ? [] : [signingSecret],
    hidden: secretValues({
      url,
      headers,
      signingSecret,
      closingPath: null,
      presetOptions: {},
      previousSigningSecret: null,
      token: null,
    }),
  });
}
