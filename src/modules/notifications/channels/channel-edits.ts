import { sql } from 'kysely';
import type { StoredChannelSecrets } from '../../../domain/channels/channel-target.ts';
import { deliveryCodes } from '../../../domain/channels/delivery-codes.ts';
import { pausedUntil } from '../../../domain/channels/sending-pace.ts';
import { nextDigestAt } from '../../../domain/channels/sending-times.ts';
import { nextOpening } from '../../../domain/scheduling/sending-hours.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { changeTopic, dueTopic, type Tx, wake } from '../../../platform/database/index.ts';
import { triggerDueRows } from '../../../platform/due-rows/index.ts';
import { notFound } from '../../../platform/errors.ts';
import {
  type ApiRequest,
  assertIfMatch,
  type Caller,
  type EditContext,
} from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { publishChanges, recordEdit, recordEdits } from '../../audit/index.ts';
import { clearDefault } from '../../settings/index.ts';
import { cancelDeliveriesOfChannel } from '../deliveries/model/close-deliveries.ts';
import { dueChannelsTable } from '../deliveries/model/due-channels-table.ts';
import { moveWaitingDigest } from '../deliveries/model/move-waiting-digest.ts';
import { type ChannelSecrets, tryUnsealChannelSecrets } from '../deliveries/secrets/channel-secrets.ts';
import { startWaitingDeliveries } from '../deliveries/worker/retry-deliveries.ts';
import { isDifferent, listChangedSecrets } from './changed-secrets.ts';
import { type ChannelBody, newChannel, type PreviousChannel, toChannelValues } from './channel-body.ts';
import {
  type ChannelRow,
  type ChannelValues,
  deleteChannel,
  findChannel,
  insertChannels,
  listChannelsById,
  lockChannel,
  removeFromRules,
  updateChannel,
} from './channel-queries.ts';
import { maskedPath } from './webhook-url.ts';

export interface ChannelEditDeps {
  secretBox: SecretBox;
}

/** Changes channels inside a transaction. The caller must validate bodies with `checkChannelBody` first. */
export function channelEdits({ secretBox }: ChannelEditDeps) {
  return {
    /** @param channels At most 1,000. */
    async create(
      tx: Tx,
      context: EditContext,
      channels: readonly ApiRequest<'createNotificationChannel'>['body'][],
    ): Promise<ChannelRow[]> {
      const { caller } = context;
      const { organizationId } = caller;
      const ids = await insertChannels(tx, organizationId, channels.length, (id, index) => {
        const body = channels[index]!;
        const {
          url: _url,
          closing_path: _path,
          preset_options: _options,
          headers: _headers,
          signing_secret: _secret,
          token: _token,
          ...columns
        } = body;
        return {
          ...columns,
          ...noSecrets,
          ...toChannelValues(secretBox, organizationId, id, newChannel, body),
        };
      });
      const rows = await listChannelsById(tx, organizationId, ids);
      await recordEdits(
        tx,
        context,
        'notification_channel',
        rows.map((row) => ({
          after: toChannel(secretBox, row, caller),
          secrets: listChangedSecrets(newChannel, open(organizationId, row)),
        })),
      );
      publishChanges(tx, organizationId, 'notification_channel', ids, 'created');
      return rows;
    },

    update: (tx: Tx, context: EditContext, id: number, body: ChannelBody) =>
      changeChannel(tx, context, id, () => body),

    toggle: (tx: Tx, context: EditContext, id: number) =>
      changeChannel(tx, context, id, (before) => ({ is_active: !before.is_active })),

    async delete(tx: Tx, context: EditContext, id: number): Promise<void> {
      const { caller } = context;
      const { organizationId } = caller;
      const row = await lockChannel(tx, organizationId, id);
      if (!row) throw notFound();
      assertIfMatch(context, row);
      const rules = await removeFromRules(tx, organizationId, row.id);
      const wasDefault = await clearDefault(tx, organizationId, 'default_notification_channel_id', row.id);
      await cancelDeliveriesOfChannel(tx, organizationId, row.id, 'channel_deleted');
      await deleteChannel(tx, organizationId, row.id);
      await recordEdit(tx, context, 'notification_channel', {
        before: toChannel(secretBox, row, caller),
        secrets: listChangedSecrets(open(organizationId, row), newChannel),
        detail: {
          was_default: wasDefault,
          left_rule_ids: rules.changed,
          turned_off_rule_ids: rules.turnedOff,
        },
      });
      publishChanges(tx, organizationId, 'notification_channel', [row.id], 'deleted');
      publishChanges(tx, organizationId, 'notification_rule', rules.changed, 'updated');
      if (wasDefault) wake(tx, changeTopic(organizationId, 'notification_settings', null));
    },
  };

  /** Changes a channel while holding its row lock. */
  async function changeChannel(
    tx: Tx,
    context: EditContext,
    id: number,
    change: (before: ChannelRow) => ChannelBody,
  ): Promise<ChannelRow> {
    const { caller } = context;
    const { organizationId } = caller;
    const row = await lockChannel(tx, organizationId, id);
    if (!row) throw notFound();
    assertIfMatch(context, row);
    const before = open(organizationId, row);
    const body = change(row);
    const values = toChannelValues(secretBox, organizationId, row.id, before, body);

    const isOtherUrl = body.url != null && body.url !== before.url;
    const isOtherTracker = [values.project, values.tracker_sealed].some((value) => value !== undefined);
    const isOtherList = values.recipients !== undefined && isDifferent(values.recipients, row.recipients);
    const isEnabling = body.is_active === true && !row.is_active;
    const isTurnedOff = body.is_active === false && row.is_active;
    await updateChannel(tx, organizationId, row.id, {
      ...values,
      resetsFailures: isOtherUrl || isOtherList || isOtherTracker || isEnabling,
    });
    if (hasOtherDigest(row, values)) await moveDigest(tx, organizationId, { ...row, ...values });
    if (isEnabling) await startWaitingDeliveries(tx, organizationId, row.id);
    if (isTurnedOff) await cancelDeliveriesOfChannel(tx, organizationId, row.id, 'channel_inactive');
    // Make the channel due, because the change can affect when the next delivery is sent.
    await triggerDueRows(tx, dueChannelsTable, sql`organization_id = ${organizationId} AND id = ${row.id}`);
    wake(tx, dueTopic(dueChannelsTable.name));

    const after = (await findChannel(tx, organizationId, row.id))!;
    await recordEdit(tx, context, 'notification_channel', {
      before: toChannel(secretBox, row, caller),
      after: toChannel(secretBox, after, caller),
      secrets: listChangedSecrets(before, open(organizationId, after)),
    });
    publishChanges(tx, organizationId, 'notification_channel', [row.id], 'updated');
    return after;
  }

  function open(organizationId: number, row: ChannelRow): PreviousChannel {
    const { channel_type, preset, digest_minutes, digest_schedule, interactivity_id } = row;
    const { project, issue_type, account_email, request_method, body_format, closing_method } = row;
    const secrets = tryUnsealChannelSecrets(secretBox, organizationId, row.id, row);
    return {
      channel_type,
      project,
      issue_type,
      account_email,
      preset,
      digest_minutes,
      digest_schedule,
      interactivity_id,
      request_method,
      body_format,
      closing_method,
      // Secrets that can't be decrypted are treated as not set, so that people can enter them again or delete
      // the channel.
      ...(secrets ?? unreadableSecrets),
      // Remember secrets that can't be decrypted, because they must not be sent to a different receiver if the key is
      // restored.
      unreadable: secrets === null ? storedSecrets(row) : null,
    };
  }
}

function hasOtherDigest(before: ChannelRow, values: Partial<ChannelValues>): boolean {
  return (['digest_minutes', 'digest_schedule', 'timezone'] as const).some(
    (name) => values[name] !== undefined && values[name] !== before[name],
  );
}

/** Reschedules waiting digest deliveries for the next digest time of the changed channel. */
async function moveDigest(tx: Tx, organizationId: number, channel: ChannelRow): Promise<void> {
  const { id, digest_minutes: digestMinutes, digest_schedule: digestSchedule, timezone, now } = channel;
  const at = nextDigestAt({ digestMinutes, digestSchedule, timezone }, now);
  await moveWaitingDigest(tx, organizationId, id, at);
}

/** Converts a channel for the API. Only roles that can change a channel receive its full URL. */
export function toChannel(
  secretBox: SecretBox,
  row: ChannelRow,
  caller: Caller,
): Omit<Schemas['NotificationChannel'], 'interactivity_url'> {
  const secrets = tryUnsealChannelSecrets(secretBox, caller.organizationId, row.id, row);
  return {
    id: row.id,
    name: row.name,
    channel_type: row.channel_type,
    url: urlFor(caller, secrets, row),
    recipients: row.recipients,
    project: row.project,
    issue_type: row.issue_type,
    account_email: row.account_email,
    ticket_labels: row.ticket_labels,
    has_token: row.tracker_sealed !== null,
    template: row.template,
    templates: row.templates,
    preset: row.preset,
    headers: Object.fromEntries(row.header_names.map((name) => [name, null])),
    has_preset_options: row.preset_options_sealed !== null,
    has_signing_secret: row.signing_secret_sealed !== null,
    digest_minutes: row.digest_minutes,
    digest_schedule: row.digest_schedule,
    sending_hours: row.sending_hours,
    timezone: row.timezone,
    always_for: row.always_for,
    owners: row.owners,
    opens_at: nextOpening(row.sending_hours, row.timezone, row.now)?.toISOString() ?? null,
    require_login_to_acknowledge: row.require_login_to_acknowledge,
    is_active: row.is_active,
    is_default: row.is_default,
    health: {
      status: secrets === null ? 'failing' : healthOf(row),
      consecutive_failures: row.consecutive_failures,
      last_success_at: row.last_success_at?.toISOString() ?? null,
      last_failure_at: row.last_failure_at?.toISOString() ?? null,
      error: secrets === null ? unreadableError : null,
    },
    rate_limited_until: pausedUntil({ nextSendAt: row.next_send_at }, row.now)?.toISOString() ?? null,
    success_condition: row.success_condition,
    request_method: row.request_method,
    body_format: row.body_format,
    closing_path: closingPathFor(caller, secrets, row),
    closing_method: row.closing_method,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    revision: row.revision,
  };
}

function urlFor(caller: Caller, secrets: ChannelSecrets | null, row: ChannelRow): string | null {
  if (row.channel_type === 'email') return null;
  if (secrets === null) return row.url_masked;
  // The URL of a tracker isn't secret.
  return canChangeChannels(caller) || row.channel_type !== 'webhook' ? secrets.url : row.url_masked;
}

function closingPathFor(caller: Caller, secrets: ChannelSecrets | null, row: ChannelRow): string | null {
  if (row.closing_path_sealed === null) return null;
  return secrets !== null && canChangeChannels(caller) ? secrets.closingPath : maskedPath;
}

const unreadableError: Schemas['DeliveryError'] = {
  code: 'secrets_unreadable',
  message: deliveryCodes.secrets_unreadable.join(' '),
};

const unreadableSecrets: ChannelSecrets = {
  url: '',
  closingPath: null,
  presetOptions: {},
  headers: {},
  signingSecret: null,
  previousSigningSecret: null,
  token: null,
};

function storedSecrets(row: ChannelRow): StoredChannelSecrets {
  return {
    headerNames: row.header_names,
    hasClosingPath: row.closing_path_sealed !== null,
    hasPresetOptions: row.preset_options_sealed !== null,
    hasSigningSecret: row.signing_secret_sealed !== null,
    hasToken: row.tracker_sealed !== null,
  };
}

/** True for the roles that can call `updateNotificationChannel`. */
function canChangeChannels({ role }: Caller): boolean {
  return role === 'member' || role === 'admin' || role === 'owner';
}

/** Returns the URL and the closing path of a channel. Each is `null` if there is none or it can't be decrypted. */
export function decryptChannelAddress(
  secretBox: SecretBox,
  organizationId: number,
  { id, ...address }: Pick<ChannelRow, 'id' | 'url_sealed' | 'closing_path_sealed' | 'tracker_sealed'>,
): { url: string | null; closing_path: string | null } {
  const noOthers = {
    preset_options_sealed: null,
    headers_sealed: null,
    signing_secret_sealed: null,
    previous_signing_secret_sealed: null,
  };
  const secrets = tryUnsealChannelSecrets(secretBox, organizationId, id, { ...noOthers, ...address });
  return { url: secrets?.url || null, closing_path: secrets?.closingPath ?? null };
}

const failingFrom = 10;

function healthOf({ consecutive_failures, last_success_at }: ChannelRow): Schemas['ChannelHealthStatus'] {
  if (consecutive_failures >= failingFrom) return 'failing';
  if (consecutive_failures > 0) return 'degraded';
  return last_success_at === null ? 'unknown' : 'healthy';
}

/** Default values of a new channel. */
const noSecrets = {
  url_sealed: Buffer.alloc(0),
  url_masked: '',
  closing_path_sealed: null,
  preset_options_sealed: null,
  headers_sealed: null,
  header_names: [],
  interactivity_id: null,
  signing_secret_sealed: null,
  previous_signing_secret_sealed: null,
  tracker_sealed: null,
  keepsPreviousSecret: false,
  success_condition: null,
};
