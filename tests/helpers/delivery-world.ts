import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { ChangeCause } from '../../src/domain/alerts/open-alert.ts';
import { systemActor } from '../../src/domain/audit/actor.ts';
import type { EventType } from '../../src/domain/routing/notification-event.ts';
import type { AlertSeverity } from '../../src/domain/rules/severity.ts';
import type { SendingHours } from '../../src/domain/scheduling/sending-hours.ts';
import { writeEntries } from '../../src/modules/audit/index.ts';
import { responseContext } from '../../src/modules/notifications/deliveries/message/prepare-message.ts';
import {
  type DeliveryLoop,
  type DeliveryLoopOptions,
  type DeliveryPlan,
  planDeliveries,
  sealChannelColumn,
  startDeliveryLoop,
} from '../../src/modules/notifications/index.ts';
import {
  createWakeUps,
  type Database,
  type PostgresAddress,
  transaction,
} from '../../src/platform/database/index.ts';
import { createLog, type Log } from '../../src/platform/log.ts';
import {
  createEgressGuard,
  createHttpPolicy,
  createOutboundClient,
} from '../../src/platform/outbound/index.ts';
import { createSecretBox, createTokenSigner } from '../../src/platform/secrets/index.ts';
import { sharedSandbox } from './shared-sandbox.ts';

export interface ChannelFields {
  /** URL of a webhook channel. */
  url?: string;
  /** Recipients of an email channel. If set, the channel sends email. */
  recipients?: string[];
  name?: string;
  preset?: string;
  presetOptions?: Record<string, string>;
  template?: string;
  headers?: Record<string, string>;
  signingSecret?: string;
  digestMinutes?: number;
  digestSchedule?: string;
  sendingHours?: SendingHours[];
  alwaysFor?: AlertSeverity[];
  isActive?: boolean;
}

export type DeliveryWorld = ReturnType<typeof createDeliveryWorld>;

/**
 * Creates organizations, channels, alerts, and their events without the modules that normally create them,
 * and runs delivery loops.
 */
export function createDeliveryWorld({
  db,
  connection,
  log,
}: {
  db: Database;
  connection: PostgresAddress;
  log?: Log;
}) {
  const key = randomBytes(32);
  const secretBox = createSecretBox({ current: key });
  const acknowledgeSigner = createTokenSigner({ purpose: 'acknowledge-link', current: key });
  const buttonSigner = createTokenSigner({ purpose: 'chat-button', current: key });
  const usedLog = log ?? createLog({ level: 'fatal', format: null });
  const wakeUps = createWakeUps({ db, connection, log: usedLog });
  const sandbox = sharedSandbox({ workers: 1, deadlineMs: 2_000, maxHeapMb: 256 });
  const createOutbound = () =>
    createOutboundClient({
      guard: createEgressGuard({ allow: ['127.0.0.0/8'] }),
      allowHttp: createHttpPolicy({ insecureHosts: [], allowHttpWebhooks: true }),
    });
  const outbound = createOutbound();
  const loops = new Set<DeliveryLoop>();
  const baseUrl = 'https://pacekeeper.example.com';

  const tools = { secretBox, sandbox, responseSandbox: sandbox, acknowledgeSigner, buttonSigner, baseUrl };
  const loopOptions: DeliveryLoopOptions = {
    ...tools,
    db,
    log: usedLog,
    outbound,
    mailer: null,
    version: '0.1.0',
  };

  function startLoop(changes: Partial<DeliveryLoopOptions> = {}): DeliveryLoop {
    const loop = startDeliveryLoop({ ...loopOptions, ...changes });
    loops.add(loop);
    return loop;
  }

  async function createOrganization(name = 'Acme'): Promise<number> {
    const { rows } = await sql<{
      id: number;
    }>`INSERT INTO organizations (name) VALUES (${name}) RETURNING id`.execute(db);
    return rows[0]!.id;
  }

  async function setSetting(organizationId: number, name: string, value: unknown): Promise<void> {
    await sql`
      INSERT INTO settings (organization_id, key, value) VALUES (${organizationId}, ${name}, ${JSON.stringify(value)}::jsonb)
      ON CONFLICT (organization_id, key) DO UPDATE SET value = excluded.value`.execute(db);
  }

  async function createChannel(organizationId: number, fields: ChannelFields): Promise<number> {
    return transaction(db, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        INSERT INTO notification_channels (organization_id, name, channel_type, recipients, url_sealed, url_masked, preset, template, digest_minutes, is_active,
          digest_schedule, sending_hours, always_for)
        VALUES (${organizationId}, ${fields.name ?? 'Operations'}, ${fields.recipients ? 'email' : 'webhook'}, ${fields.recipients ?? []},
          '', ${fields.url === undefined ? '' : new URL(fields.url).origin + '/…'},
          ${fields.preset ?? 'generic'}, ${fields.template ?? null}, ${fields.digestMinutes ?? null}, ${fields.isActive ?? true},
          ${fields.digestSchedule ?? null}, ${JSON.stringify(fields.sendingHours ?? [])}::jsonb, ${fields.alwaysFor ?? ['critical']})
        RETURNING id`.execute(tx);
      const { id } = rows[0]!;
      const seal = (
        column: Parameters<typeof sealChannelColumn>[3],
        value: string | Record<string, string> | undefined,
      ) => (value === undefined ? null : sealChannelColumn(secretBox, organizationId, id, column, value));
      await sql`
        UPDATE notification_channels
        SET url_sealed = coalesce(${seal('url_sealed', fields.url)}::bytea, ''), headers_sealed = ${seal('headers_sealed', fields.headers)},
          preset_options_sealed = ${seal('preset_options_sealed', fields.presetOptions)},
          signing_secret_sealed = ${seal('signing_secret_sealed', fields.signingSecret)}
        WHERE organization_id = ${organizationId} AND id = ${id}`.execute(tx);
      return id;
    });
  }

  /** Creates an organization with a channel, and sets that channel as its default. */
  async function createOrganizationWithChannel(fields: ChannelFields) {
    const organizationId = await createOrganization();
    const channelId = await createChannel(organizationId, fields);
    await setSetting(organizationId, 'default_notification_channel_id', channelId);
    return { organizationId, channelId };
  }

  /** Creates open alerts, each with its own alert configuration. */
  async function createAlerts(organizationId: number, count = 1): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      WITH gather AS (
        INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme)
        VALUES (${organizationId}, 'nginx', 'github_releases', 'github.com/nginx/nginx', 'auto') RETURNING id
      ), scrape AS (
        INSERT INTO scrape_jobs (organization_id, name, parser_type)
        VALUES (${organizationId}, 'payments', 'manual') RETURNING id
      ), rule AS (
        INSERT INTO rules (organization_id, name, rule_type, threshold_moderate)
        VALUES (${organizationId}, 'No older than 30 days', 'days_behind', 30) RETURNING id
      ), config AS (
        INSERT INTO alert_configs
          (organization_id, name, scrape_job_id, gather_organization_id, gather_job_id, rule_id, ordinal, due_at)
        SELECT ${organizationId}, 'payments ' || n, scrape.id, ${organizationId}, gather.id, rule.id, n - 1, 'infinity'
        FROM gather, scrape, rule, generate_series(1, ${count}::integer) AS n RETURNING id, rule_id
      )
      INSERT INTO alerts
        (organization_id, alert_config_id, rule_id, rule_type, severity, reason, discovered_version, latest_version,
         artifact_name)
      SELECT ${organizationId}, config.id, config.rule_id, 'days_behind', 'high', 'behind', '1.25.3', '1.27.1',
        'github.com/nginx/nginx'
      FROM config ORDER BY config.id RETURNING id`.execute(db);
    return rows.map((row) => row.id);
  }

  interface RaisedEvent {
    alertId: number;
    eventType?: EventType;
    severity?: AlertSeverity;
    isSnoozed?: boolean;
    cause?: ChangeCause;
    openingCause?: string;
    labels?: Record<string, string>;
  }

  /** Raises events as `applyAlertChanges` does, in one transaction. */
  async function raiseEvents(
    organizationId: number,
    events: readonly RaisedEvent[],
  ): Promise<(DeliveryPlan & { eventId: string })[]> {
    return transaction(db, async (tx) => {
      const { rows } = await sql<{
        id: number;
        last_sequence: number;
        rule_id: number;
        alert_config_id: number;
      }>`
        SELECT id, last_sequence, rule_id, alert_config_id FROM alerts
        WHERE organization_id = ${organizationId} AND id = ANY(${events.map((event) => event.alertId)}::bigint[])`.execute(
        tx,
      );
      const alerts = new Map(rows.map((row) => [row.id, row]));
      const raised = events.map(
        ({
          alertId,
          eventType = 'alert.created',
          severity = 'high',
          isSnoozed = false,
          cause = null,
          openingCause = null,
          labels = {},
        }) => {
          const alert = alerts.get(alertId)!;
          alert.last_sequence += 1;
          const sequence = alert.last_sequence;
          const eventId = randomUUID();
          const subject = {
            eventType,
            severity,
            ruleId: alert.rule_id,
            alertConfigId: alert.alert_config_id,
            labels,
          };
          return { eventId, eventType, alertId, sequence, subject, isSnoozed, cause, openingCause };
        },
      );
      const entries = await writeEntries(
        tx,
        organizationId,
        raised.map(({ eventId, eventType, alertId, sequence, subject }) => ({
          alertId,
          action: eventType.split('.')[1]!,
          actor: systemActor,
          event: { type: eventType, id: eventId, sequence, data: eventData(alertId, eventType, subject) },
        })),
      );
      await sql`
        UPDATE alerts SET last_sequence = n.last_sequence
        FROM jsonb_to_recordset(${JSON.stringify([...alerts.values()])}::jsonb) AS n (id bigint, last_sequence integer)
        WHERE alerts.organization_id = ${organizationId} AND alerts.id = n.id`.execute(tx);
      const planned = raised.map((event, index) => ({ ...event, entryId: entries[index]!.id }));
      const plans = await planDeliveries(tx, organizationId, planned);
      return plans.map((plan, index) => ({ ...plan, eventId: raised[index]!.eventId }));
    });
  }

  function eventData(
    alertId: number,
    eventType: EventType,
    subject: { severity: AlertSeverity; labels: object },
  ) {
    const isResolved = eventType === 'alert.resolved';
    return {
      alert: {
        id: alertId,
        config_name: 'payments-api in production',
        rule_name: 'No older than 30 days',
        rule_type: 'days_behind',
        severity: subject.severity,
        previous_severity: null,
        status: isResolved ? 'resolved' : 'unacknowledged',
        reason: 'behind',
        discovered_version: '1.25.3',
        latest_version: '1.27.1',
        behind_by: 45,
        artifact_name: 'github.com/nginx/nginx',
        repository_url: null,
        target_file: null,
        release_url: null,
        labels: subject.labels,
      },
      is_acknowledged: false,
      actor: { name: null },
    };
  }

  async function deliveries(organizationId: number) {
    return db
      .selectFrom('notification_deliveries')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute();
  }

  /** Returns the stored attempts with their response bodies decrypted. */
  async function attempts(organizationId: number) {
    const rows = await db
      .selectFrom('delivery_attempts')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('notification_delivery_id')
      .orderBy('number')
      .execute();
    return rows.map(({ response_body_sealed: sealed, ...row }) => {
      const context = responseContext(organizationId, row.notification_delivery_id, row.number);
      return { ...row, response_body: sealed && secretBox.openText(sealed, context) };
    });
  }

  async function channel(organizationId: number, channelId: number) {
    return db
      .selectFrom('notification_channels')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', channelId)
      .executeTakeFirstOrThrow();
  }

  async function trail(organizationId: number) {
    return db
      .selectFrom('audit_entries')
      .select(['alert_id', 'action', 'event_type', 'to_value', 'detail'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute();
  }

  async function close(): Promise<void> {
    await Promise.all([...loops].map((loop) => loop.stop()));
    await outbound.close();
    await sandbox.close();
    await wakeUps.close();
  }

  return {
    db,
    wakeUps,
    secretBox,
    acknowledgeSigner,
    sandbox,
    outbound,
    baseUrl,
    tools,
    log: usedLog,
    loopOptions,
    createOutbound,
    startLoop,
    createOrganization,
    setSetting,
    createChannel,
    createOrganizationWithChannel,
    createAlerts,
    raiseEvents,
    deliveries,
    attempts,
    channel,
    trail,
    close,
  };
}

/** Polls until the result is neither `undefined` nor `false`, then returns it. */
export async function pollUntil<T>(
  ask: () => Promise<T | undefined | false>,
  timeoutMs = 60_000,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs;
  for (let waitMs = 2; ; waitMs = Math.min(20, waitMs * 1.5)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > endsAt) throw new Error(`it did not happen within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
