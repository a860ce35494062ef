import { sql } from 'kysely';
import { normalizeRecipients } from '../../../../domain/channels/email-recipients.ts';
import { type EventData, maxEventsOfDigest } from '../../../../domain/routing/notification-event.ts';
import { nextAttemptAt } from '../../../../domain/scheduling/retry-schedule.ts';
import { renderEmail } from '../../../../domain/templates/render-email.ts';
import type { Database } from '../../../../platform/database/index.ts';
import { type Claim, type DueLoop, startDueLoop } from '../../../../platform/due-rows/index.ts';
import type { MailErrorCode, Mailer } from '../../../../platform/email/index.ts';
import type { Log } from '../../../../platform/log.ts';
import type { TokenSigner } from '../../../../platform/secrets/index.ts';
import { listOwnerAddresses } from '../../../accounts/index.ts';
import { toEventData } from '../model/event-data.ts';
import type { StoredEvent } from '../model/stored-events.ts';
import { dueOwnerMailsTable } from '../plan/plan-service-event.ts';
import { refundEmailsAcrossOrganizations, reserveEmailsAcrossOrganizations } from '../send/email-budget.ts';

export interface OwnerMailLoopDeps {
  db: Database;
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
  accepted_recipients: string[];
}

const timeoutMs = 30_000;
/** Lease duration. It's longer than an attempt, so that no other server sends the same email. */
const leaseMs = 3 * timeoutMs;
/**
 * Delays between attempts. After the last delay, the waiting events are dropped, unless a newer event among them has
 * delays left.
 */
const retrySeconds = [60, 300, 900, 3_600, 3_600, 14_400, 14_400, 14_400];

/**
 * Sends events about channels to the owners of the organization by email, if no channel can report them soon. All
 * waiting events of an organization are sent as one email, because one outage can affect dozens of channels. If no
 * owner receives the email, this is logged.
 */
export function startOwnerMailLoop(deps: OwnerMailLoopDeps): DueLoop {
  return startDueLoop<OwnerMailRow>({
    ...deps,
    table: dueOwnerMailsTable,
    batchSize: 4,
    maxInFlight: 8,
    isOneByOne: true,
    leaseMs,
    columns: ['accepted_recipients'],
    where: () => isFirst,
    handle: ([claim]) => sendOwnerMail(deps, claim!),
  });
}

/**
 * True for the first of the emails that can be sent together, so that only one of them is claimed. An email that
 * waits for its retry doesn't hold up newer ones.
 */
const isFirst = sql`NOT EXISTS (
  SELECT FROM owner_mails older
  WHERE older.organization_id = owner_mails.organization_id AND older.id < owner_mails.id
    AND older.accepted_recipients = owner_mails.accepted_recipients
    AND (older.due_at <= pacekeeper_now() OR older.lease_until > pacekeeper_now()))`;

async function sendOwnerMail(deps: OwnerMailLoopDeps, claim: Claim<OwnerMailRow>): Promise<void> {
  const { db, log, mailer } = deps;
  const { organization_id: organizationId, accepted_recipients: accepted } = claim.row;
  const owners = normalizeRecipients(await listOwnerAddresses(db, organizationId));
  const to = owners.filter((address) => !accepted.includes(address));
  const fields = { organization_id: organizationId };
  if (mailer === null || owners.length === 0) {
    log.warn(fields, noOneNotified);
    return finish(db, claim);
  }
  if (to.length === 0) return finish(db, claim);
  const budget = await reserveEmailsAcrossOrganizations(
    db,
    'message',
    new Map([[organizationId, to.length]]),
  );
  const { granted = 0, renewsAt } = budget.get(organizationId) ?? {};
  if (granted < to.length && renewsAt) {
    await refundEmailsAcrossOrganizations(db, 'message', new Map([[organizationId, granted]]));
    return postpone(db, claim, renewsAt, { accepted: [], failures: 0 });
  }
  const events = await claimEvents(db, claim);
  const newest = events.at(-1)!;
  const mail = {
    ...renderEmail(toData(deps, claim, events)),
    to,
    messageId: mailer.messageIdOf(newest.eventId),
    inReplyTo: null,
    date: newest.at,
  };
  const result = await mailer.send(mail, { fairKey: String(organizationId), timeoutMs });
  // The mail server received no recipient, so the attempt doesn't count toward the budget.
  if (result.error !== null && unreachable.has(result.error.code))
    await refundEmailsAcrossOrganizations(db, 'message', new Map([[organizationId, to.length]]));
  const isDone = result.error === null && result.rejectedRecipients.every(({ status }) => status >= 500);
  const failures = Math.min(...events.map((event) => event.failures)) + 1;
  const nextDueAt =
    isDone || result.error?.code === 'rejected'
      ? null
      : nextAttemptAt(retrySeconds, failures, claim.now, null, Math.random());
  if (nextDueAt !== null) return postpone(db, claim, nextDueAt, { accepted: result.accepted, failures: 1 });
  if (accepted.length + result.accepted.length === 0)
    log.warn({ ...fields, code: result.error?.code }, noOneNotified);
  return finish(db, claim);
}

const noOneNotified = 'no owner of an organization was notified of problems with its channels';

const unreachable: ReadonlySet<MailErrorCode> = new Set<MailErrorCode>([
  'login_failed',
  'connection_failed',
  'name_not_found',
  'tls_failed',
]);

interface OwnerEvent extends StoredEvent {
  failures: number;
  organizationName: string;
}

/** Claims all events that can be sent in this email, and returns them in order. */
async function claimEvents(db: Database, { row, leaseToken }: Claim<OwnerMailRow>): Promise<OwnerEvent[]> {
  const { rows } = await sql<OwnerEvent>`
    WITH chosen AS (
      SELECT id FROM owner_mails
      WHERE organization_id = ${row.organization_id} AND accepted_recipients = ${row.accepted_recipients}::text[]
        AND (lease_token = ${leaseToken} OR lease_until IS NULL OR lease_until <= pacekeeper_now())
      ORDER BY id <> ${row.id}, id LIMIT ${maxEventsOfDigest} FOR NO KEY UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE owner_mails m
      SET lease_token = ${leaseToken}, lease_until = pacekeeper_now() + ${leaseMs} * interval '1 millisecond'
      FROM chosen WHERE m.organization_id = ${row.organization_id} AND m.id = chosen.id
      RETURNING m.audit_entry_id, m.failures
    )
    SELECT e.event_id AS "eventId", e.event_type AS "eventType", e.sequence, e.alert_id AS "alertId",
      e.created_at AS at, e.data, o.name AS "organizationName", claimed.failures
    FROM claimed
    JOIN audit_entries e ON e.organization_id = ${row.organization_id} AND e.id = claimed.audit_entry_id
    JOIN organizations o ON o.id = e.organization_id
    ORDER BY e.id`.execute(db);
  return rows;
}

/** Returns the data of the event, or of a digest if there are several. */
function toData(
  { baseUrl, acknowledgeSigner }: OwnerMailLoopDeps,
  { row, now }: Claim<OwnerMailRow>,
  events: readonly OwnerEvent[],
): EventData {
  const [single, ...others] = events.map((event) =>
    toEventData(event, {
      organizationId: row.organization_id,
      organizationName: event.organizationName,
      baseUrl,
      acknowledgeSigner,
      channelId: 0,
      timezone: 'UTC',
      sentAt: now,
      notes: new Map(),
    }),
  );
  if (others.length === 0) return single!;
  const { event_id, sequence, timestamp, timezone, idempotency_key, organization } = others.at(-1)!;
  return {
    event: 'digest',
    event_id,
    sequence,
    timestamp,
    timezone,
    idempotency_key,
    organization,
    acknowledge_url: null,
    is_acknowledged: false,
    actor: { name: null },
    cause: null,
    events: [single!, ...others],
  };
}

/** Makes all events of the claim due again. */
async function postpone(
  db: Database,
  { row, leaseToken }: Claim<OwnerMailRow>,
  until: Date,
  { accepted, failures }: { accepted: readonly string[]; failures: number },
): Promise<void> {
  await sql`
    UPDATE owner_mails
    SET due_at = ${until}, attempts = 0, lease_token = NULL, lease_until = NULL, failures = failures + ${failures},
      accepted_recipients = accepted_recipients || ${[...accepted]}::text[]
    WHERE organization_id = ${row.organization_id} AND lease_token = ${leaseToken}`.execute(db);
}

/** Deletes all events of the claim. */
async function finish(db: Database, { row, leaseToken }: Claim<OwnerMailRow>): Promise<void> {
  await sql`
    DELETE FROM owner_mails
    WHERE organization_id = ${row.organization_id} AND lease_token = ${leaseToken}`.execute(db);
}
