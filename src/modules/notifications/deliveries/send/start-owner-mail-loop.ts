import { sql } from 'kysely';
import { normalizeRecipients } from '../../../../domain/channels/email-recipients.ts';
import { nextAttemptAt } from '../../../../domain/scheduling/retry-schedule.ts';
import { renderEmail } from '../../../../domain/templates/render-email.ts';
import type { Database, WakeUps } from '../../../../platform/database/index.ts';
import {
  type Claim,
  type DueLoop,
  finishDueRows,
  startDueLoop,
} from '../../../../platform/due-rows/index.ts';
import type { Mailer } from '../../../../platform/email/index.ts';
import type { Log } from '../../../../platform/log.ts';
import type { TokenSigner } from '../../../../platform/secrets/index.ts';
import { listOwnerAddresses } from '../../../accounts/index.ts';
import { type StoredEvent, toEventData } from '../plan/event-data.ts';
import { ownerMailsDue } from '../plan/plan-service-event.ts';
import { takeEmailsAcrossOrganizations } from './email-budget.ts';

export interface OwnerMailLoopDeps {
  db: Database;
  wakeUps: WakeUps;
  log: Log;
  /** `null` if the operator hasn't configured a mail server. */
  mailer: Mailer | null;
  /** Public URL of the server, without a trailing slash. */
  baseUrl: string;
  acknowledgeSigner: TokenSigner;
}

interface OwnerMailRow {
  organization_id: number;
  id: number;
  audit_entry_id: number;
  failures: number;
  accepted_recipients: string[];
}

const timeoutMs = 30_000;
/** An email that the mail server hasn't accepted after these delays isn't sent. */
const retrySeconds = [60, 300, 900, 3_600, 3_600, 14_400, 14_400, 14_400];

/**
 * Sends events about channels to the owners of the organization by email, if no channel can report them. Without a
 * mail server or owners, the log says that no one was notified.
 */
export function startOwnerMailLoop(deps: OwnerMailLoopDeps): DueLoop {
  return startDueLoop<OwnerMailRow>({
    ...deps,
    table: ownerMailsDue,
    topic: ownerMailsDue.name,
    batchSize: 4,
    maxInFlight: 8,
    isOneByOne: true,
    // The lease lasts longer than an attempt, so that no other server sends the same email.
    leaseMs: 3 * timeoutMs,
    columns: ['audit_entry_id', 'failures', 'accepted_recipients'],
    handle: ([claim]) => sendOwnerMail(deps, claim!),
  });
}

async function sendOwnerMail(deps: OwnerMailLoopDeps, claim: Claim<OwnerMailRow>): Promise<void> {
  const { db, log, mailer } = deps;
  const { organization_id: organizationId, failures, accepted_recipients: accepted } = claim.row;
  const owners = normalizeRecipients(await listOwnerAddresses(db, organizationId));
  const to = owners.filter((address) => !accepted.includes(address));
  const fields = { organization_id: organizationId };
  if (mailer === null || owners.length === 0) {
    log.warn(fields, 'an organization has no working channel, and no one was notified of it');
    return finish(db, claim);
  }
  if (to.length === 0) return finish(db, claim);
  const budget = await takeEmailsAcrossOrganizations(db, 'message', new Map([[organizationId, to.length]]));
  const { granted = 0, renewsAt } = budget.get(organizationId) ?? {};
  if (granted < to.length && renewsAt) {
    await finishDueRows(db, ownerMailsDue, [{ claim, nextDueAt: renewsAt }]);
    return;
  }
  const { event, organizationName } = await readEvent(db, claim.row);
  const { baseUrl, acknowledgeSigner } = deps;
  const content = renderEmail(
    toEventData(event, {
      organizationId,
      organizationName,
      baseUrl,
      acknowledgeSigner,
      channelId: 0,
      timezone: 'UTC',
      sentAt: claim.now,
      notes: new Map(),
    }),
  );
  const mail = {
    ...content,
    to,
    messageId: mailer.messageIdOf(event.eventId),
    inReplyTo: null,
    date: event.at,
  };
  const result = await mailer.send(mail, { fairKey: String(organizationId), timeoutMs });
  const isDone = result.error === null && result.refused.every(({ status }) => status >= 500);
  if (isDone || result.error?.code === 'rejected') return finish(db, claim);
  const nextDueAt = nextAttemptAt(retrySeconds, failures + 1, claim.now, null, Math.random());
  if (nextDueAt === null) {
    log.error({ ...fields, code: result.error?.code }, 'the owners of an organization could not be notified');
    return finish(db, claim);
  }
  await finishDueRows(db, ownerMailsDue, [{ claim, nextDueAt }], {
    alsoSet: sql`failures = failures + 1,
      accepted_recipients = accepted_recipients || ${[...result.accepted]}::text[]`,
  });
}

async function readEvent(
  db: Database,
  { organization_id, audit_entry_id }: OwnerMailRow,
): Promise<{ event: StoredEvent; organizationName: string }> {
  const { rows } = await sql<StoredEvent & { organizationName: string }>`
    SELECT e.event_id AS "eventId", e.event_type AS "eventType", e.sequence, e.alert_id AS "alertId",
      e.created_at AS at, e.data, o.name AS "organizationName"
    FROM audit_entries e JOIN organizations o ON o.id = e.organization_id
    WHERE e.organization_id = ${organization_id} AND e.id = ${audit_entry_id}`.execute(db);
  const { organizationName, ...event } = rows[0]!;
  return { event, organizationName };
}

async function finish(db: Database, { row, leaseToken }: Claim<OwnerMailRow>): Promise<void> {
  await sql`
    DELETE FROM owner_mails
    WHERE organization_id = ${row.organization_id} AND id = ${row.id} AND lease_token = ${leaseToken}`.execute(
    db,
  );
}
