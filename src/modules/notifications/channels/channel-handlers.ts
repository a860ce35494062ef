import { sql } from 'kysely';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Tx, transaction, type WakeUps } from '../../../platform/database/index.ts';
import { triggerDueRows } from '../../../platform/due-rows/index.ts';
import { notFound } from '../../../platform/errors.ts';
import { type ApiRequest, assertMatch, type Caller, type Handlers } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { recordEdit } from '../../audit/index.ts';
import { clearDefaultChannel } from '../../settings/index.ts';
import { channelsDue } from '../deliveries/claim/channels-due.ts';
import { openChannel } from '../deliveries/secrets/channel-secrets.ts';
import { cancelDeliveriesOfChannel } from '../deliveries/settle/close-deliveries.ts';
import { startWaitingDeliveries } from '../deliveries/settle/retry-deliveries.ts';
import { changedSecrets } from './changed-secrets.ts';
import {
  type ChannelBefore,
  type ChannelBody,
  checkChannelBody,
  newChannel,
  toChannelValues,
} from './channel-body.ts';
import {
  type ChannelCheckDeps,
  type ChannelCheckOperations,
  channelCheckHandlers,
} from './channel-check-handlers.ts';
import {
  type ChannelRow,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannelChoices,
  listChannels,
  lockChannel,
  removeFromRules,
  updateChannel,
} from './channel-queries.ts';
import { createUrlPolicy, type UrlPolicyConfig } from './webhook-url.ts';

export interface ChannelHandlerDeps extends Omit<ChannelCheckDeps, 'urlPolicy'> {
  wakeUps: WakeUps;
  config: UrlPolicyConfig;
}

type ChannelOperations =
  | 'listNotificationChannels'
  | 'createNotificationChannel'
  | 'getNotificationChannel'
  | 'updateNotificationChannel'
  | 'deleteNotificationChannel'
  | 'toggleNotificationChannel'
  | 'listNotificationChannelsDropdown'
  | ChannelCheckOperations;

export function channelHandlers(deps: ChannelHandlerDeps): Handlers<ChannelOperations> {
  const { db, wakeUps, secretBox } = deps;
  const checkDeps = { ...deps, urlPolicy: createUrlPolicy(deps.config) };
  return {
    ...channelCheckHandlers(checkDeps),

    async listNotificationChannels({ caller, query }) {
      const page = await listChannels(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map((row) => toChannel(row, caller)) } };
    },

    async createNotificationChannel(request) {
      const { caller, body } = request;
      const { organizationId } = caller;
      await checkChannelBody(checkDeps, organizationId, body);
      const row = await transaction(db, async (tx) => {
        const {
          url: _url,
          preset_options: _options,
          headers: _headers,
          signing_secret: _secret,
          ...columns
        } = body;
        const id = await insertChannel(tx, organizationId, (id) => ({
          ...columns,
          ...noSecrets,
          ...toChannelValues(secretBox, organizationId, id, newChannel, body),
        }));
        const created = (await findChannel(tx, organizationId, id))!;
        await recordEdit(tx, request, 'notification_channel', {
          after: toChannel(created, caller),
          secrets: changedSecrets(newChannel, open(organizationId, created)),
        });
        publishChange(tx, organizationId, id, 'created');
        return created;
      });
      return { status: 201, body: toChannel(row, caller) };
    },

    async getNotificationChannel({ caller, path }) {
      const row = await findChannel(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toChannel(row, caller) };
    },

    async updateNotificationChannel(request) {
      const { caller, body } = request;
      await checkChannelBody(checkDeps, caller.organizationId, body);
      const row = await changeChannel(request, () => body);
      return { status: 200, body: toChannel(row, caller) };
    },

    async toggleNotificationChannel(request) {
      const row = await changeChannel(request, (before) => ({ is_active: !before.is_active }));
      return { status: 200, body: toChannel(row, request.caller) };
    },

    async deleteNotificationChannel(request) {
      const { caller, path } = request;
      const { organizationId } = caller;
      await transaction(db, async (tx) => {
        const row = await lockChannel(tx, organizationId, path.id);
        if (!row) throw notFound();
        assertMatch(request, row);
        const rules = await removeFromRules(tx, organizationId, row.id);
        const wasDefault = await clearDefaultChannel(tx, organizationId, row.id);
        await cancelDeliveriesOfChannel(tx, organizationId, row.id, 'channel_deleted');
        await deleteChannel(tx, organizationId, row.id);
        await recordEdit(tx, request, 'notification_channel', {
          before: toChannel(row, caller),
          secrets: changedSecrets(open(organizationId, row), newChannel),
          detail: {
            was_default: wasDefault,
            left_rule_ids: rules.changed,
            turned_off_rule_ids: rules.turnedOff,
          },
        });
        publishChange(tx, organizationId, row.id, 'deleted');
        for (const id of rules.changed)
          wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/notification_rule/${id}/updated`);
        if (wasDefault)
          wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/notification_settings//updated`);
      });
      return { status: 204 };
    },

    async listNotificationChannelsDropdown({ caller }) {
      return { status: 200, body: await listChannelChoices(db, caller.organizationId) };
    },
  };

  /** Changes a channel under its lock. */
  async function changeChannel(
    request: ApiRequest<'updateNotificationChannel' | 'toggleNotificationChannel'>,
    change: (before: ChannelRow) => ChannelBody,
  ): Promise<ChannelRow> {
    const { caller, path } = request;
    const { organizationId } = caller;
    return transaction(db, async (tx) => {
      const row = await lockChannel(tx, organizationId, path.id);
      if (!row) throw notFound();
      assertMatch(request, row);
      const before = open(organizationId, row);
      const body = change(row);
      const values = toChannelValues(secretBox, organizationId, row.id, before, body);

      const isOtherUrl = body.url !== undefined && body.url !== before.url;
      const isTurnedOn = body.is_active === true && !row.is_active;
      const isTurnedOff = body.is_active === false && row.is_active;
      await updateChannel(tx, organizationId, row.id, values, { resetsFailures: isOtherUrl || isTurnedOn });
      if (isTurnedOn) await startWaitingDeliveries(tx, organizationId, row.id);
      if (isTurnedOff) await cancelDeliveriesOfChannel(tx, organizationId, row.id, 'channel_inactive');
      // Whatever decides when the next delivery goes out may be another one now.
      await triggerDueRows(tx, channelsDue, sql`organization_id = ${organizationId} AND id = ${row.id}`);
      wakeUps.wakeAfterCommit(tx, channelsDue.name);

      const after = (await findChannel(tx, organizationId, row.id))!;
      await recordEdit(tx, request, 'notification_channel', {
        before: toChannel(row, caller),
        after: toChannel(after, caller),
        secrets: changedSecrets(before, open(organizationId, after)),
      });
      publishChange(tx, organizationId, row.id, 'updated');
      return after;
    });
  }

  function open(organizationId: number, row: ChannelRow): ChannelBefore {
    return { preset: row.preset, ...openChannel(secretBox, organizationId, row.id, row) };
  }

  function publishChange(
    tx: Tx,
    organizationId: number,
    id: number,
    change: 'created' | 'updated' | 'deleted',
  ): void {
    wakeUps.wakeAfterCommit(tx, `changes:${organizationId}/notification_channel/${id}/${change}`);
  }

  function toChannel(row: ChannelRow, caller: Caller): Schemas['NotificationChannel'] {
    return {
      id: row.id,
      name: row.name,
      channel_type: 'webhook',
      url: mayChangeChannels(caller) ? openUrl(secretBox, caller.organizationId, row) : row.url_masked,
      template: row.template,
      templates: row.templates,
      preset: row.preset,
      headers: Object.fromEntries(row.header_names.map((name) => [name, null])),
      has_preset_options: row.preset_options_sealed !== null,
      has_signing_secret: row.signing_secret_sealed !== null,
      digest_minutes: row.digest_minutes,
      require_login_to_acknowledge: row.require_login_to_acknowledge,
      is_active: row.is_active,
      is_default: row.is_default,
      health: {
        status: healthOf(row),
        consecutive_failures: row.consecutive_failures,
        last_success_at: row.last_success_at?.toISOString() ?? null,
        last_failure_at: row.last_failure_at?.toISOString() ?? null,
      },
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
      revision: row.revision,
    };
  }
}

/** The roles that `updateNotificationChannel` lets in. */
function mayChangeChannels({ role }: Caller): boolean {
  return role === 'member' || role === 'admin' || role === 'owner';
}

function openUrl(secretBox: SecretBox, organizationId: number, { id, url_sealed }: ChannelRow): string {
  const noOthers = {
    preset_options_sealed: null,
    headers_sealed: null,
    signing_secret_sealed: null,
    previous_signing_secret_sealed: null,
  };
  return openChannel(secretBox, organizationId, id, { ...noOthers, url_sealed }).url;
}

const failingFrom = 10;

function healthOf({ consecutive_failures, last_success_at }: ChannelRow): Schemas['ChannelHealthStatus'] {
  if (consecutive_failures >= failingFrom) return 'failing';
  if (consecutive_failures > 0) return 'degraded';
  return last_success_at === null ? 'unknown' : 'healthy';
}

/** What a new channel is where the request does not say it. */
const noSecrets = {
  url_sealed: Buffer.alloc(0),
  url_masked: '',
  preset_options_sealed: null,
  headers_sealed: null,
  header_names: [],
  signing_secret_sealed: null,
  previous_signing_secret_sealed: null,
  keepsPreviousSecret: false,
};
