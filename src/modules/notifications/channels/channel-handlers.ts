import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Caller, Handlers } from '../../../platform/http/index.ts';
import { checkChannelBody } from './channel-body.ts';
import {
  type ChannelCheckDeps,
  type ChannelCheckOperations,
  channelCheckHandlers,
} from './channel-check-handlers.ts';
import { channelEdits, toChannel } from './channel-edits.ts';
import { type ChannelRow, findChannel, listChannelChoices, listChannels } from './channel-queries.ts';
import { createUrlPolicy, type UrlPolicyConfig } from './webhook-url.ts';

export interface ChannelHandlerDeps extends Omit<ChannelCheckDeps, 'urlPolicy'> {
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
  const { db, secretBox, baseUrl } = deps;
  const edits = channelEdits(deps);
  const checkDeps = { ...deps, urlPolicy: createUrlPolicy(deps.config) };

  function show(row: ChannelRow, caller: Caller): Schemas['NotificationChannel'] {
    const { preset, preset_options_sealed: options, interactivity_id: id } = row;
    const hasButtons = preset === 'slack' && options !== null && id !== null;
    return {
      ...toChannel(secretBox, row, caller),
      interactivity_url: hasButtons ? `${baseUrl}/chat/slack/${id}` : null,
    };
  }

  return {
    ...channelCheckHandlers(checkDeps),

    async listNotificationChannels({ caller, query }) {
      const page = await listChannels(db, caller.organizationId, query, query);
      return {
        status: 200,
        body: { ...page, items: page.items.map((row) => show(row, caller)) },
      };
    },

    async createNotificationChannel(request) {
      const { caller, body } = request;
      await checkChannelBody(checkDeps, caller.organizationId, body);
      const [row] = await transaction(db, (tx) => edits.create(tx, request, [body]));
      return { status: 201, body: show(row!, caller) };
    },

    async getNotificationChannel({ caller, path }) {
      const row = await findChannel(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: show(row, caller) };
    },

    async updateNotificationChannel(request) {
      const { caller, path, body } = request;
      await checkChannelBody(checkDeps, caller.organizationId, body);
      const row = await transaction(db, (tx) => edits.update(tx, request, path.id, body));
      return { status: 200, body: show(row, caller) };
    },

    async toggleNotificationChannel(request) {
      const row = await transaction(db, (tx) => edits.toggle(tx, request, request.path.id));
      return { status: 200, body: show(row, request.caller) };
    },

    async deleteNotificationChannel(request) {
      await transaction(db, (tx) => edits.delete(tx, request, request.path.id));
      return { status: 204 };
    },

    async listNotificationChannelsDropdown({ caller }) {
      return { status: 200, body: await listChannelChoices(db, caller.organizationId) };
    },
  };
}
