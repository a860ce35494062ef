import { createHmac, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Schemas } from '../../src/generated/client-api.ts';
import { createMonitoredSoftware } from './monitored.ts';
import type { SharedTestServer, TestOrganization } from './test-server.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

export type ButtonAction = 'acknowledge' | 'snooze';

/** A user of a chat platform. */
export interface ChatUser {
  team: string;
  id: string;
  name: string;
}

interface SlackMessage {
  text: string;
  blocks: {
    type: string;
    elements?: { action_id?: string; value?: string; url?: string; text?: { text: string } }[];
    text?: { text: string };
  }[];
}

interface MattermostMessage {
  text: string;
  attachments: {
    text: string;
    actions?: { id: string; name: string; integration: { url: string; context: Record<string, string> } }[];
  }[];
}

/** Response that Slack shows after a user presses a button. */
export interface SlackResponse {
  replace_original: boolean;
  response_type?: string;
  text: string;
  blocks?: SlackMessage['blocks'];
}

export const slackSecret = () => randomBytes(16).toString('hex');

export const slackUser = (more: Partial<ChatUser> = {}): ChatUser => ({
  team: 'T0001',
  id: `U${randomBytes(5).toString('hex').toUpperCase()}`,
  name: 'ada',
  ...more,
});

/** Returns the signature headers that Slack sends with a body. */
export function signAsSlack(secret: string, body: string, atSeconds = nowSeconds()): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`v0:${atSeconds}:${body}`).digest('hex');
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': String(atSeconds),
    'x-slack-signature': `v0=${signature}`,
  };
}

export function nowSeconds(): number {
  return Math.floor(Date.parse(new Date().toISOString()) / 1_000);
}

let presses = 0;

/** Returns the form that Slack sends when a user presses a button, as documented for `block_actions`. */
export function slackForm(
  {
    action,
    value,
    user,
    responseUrl,
  }: { action: string; value: string; user: ChatUser; responseUrl: string },
  more: object = {},
): string {
  const payload = {
    type: 'block_actions',
    user: { id: user.id, username: user.name, name: user.name, team_id: user.team },
    api_app_id: 'A02',
    token: 'verification token',
    container: { type: 'message', message_ts: '1548261231.000200', channel_id: 'CBR2V3XEX' },
    trigger_id: `12466734323.1395872398.${++presses}`,
    team: { id: user.team, domain: 'acme' },
    enterprise: null,
    is_enterprise_install: false,
    channel: { id: 'CBR2V3XEX', name: 'operations' },
    message: { type: 'message', text: 'High: web is behind' },
    response_url: responseUrl,
    actions: [
      {
        type: 'button',
        action_id: action,
        block_id: 'pacekeeper',
        text: { type: 'plain_text', text: 'Acknowledge' },
        value,
        action_ts: '1548426417.840180',
      },
    ],
    ...more,
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

/** Creates an alert whose message, with buttons, has arrived in a Slack channel. */
export async function createSlackWorld(
  server: SharedTestServer,
  inbox: WebhookInbox,
  options: { secret?: string; organization?: TestOrganization } = {},
) {
  const secret = options.secret ?? slackSecret();
  const organization = options.organization ?? (await server.createOrganization());
  const path = `/services/${randomBytes(8).toString('hex')}`;
  const channel = await organization.api.call('createNotificationChannel', {
    body: {
      name: 'Operations',
      preset: 'slack',
      url: new URL(path, inbox.url).href,
      preset_options: { slack_signing_secret: secret },
    },
  });
  await organization.owner.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
  const message = await raiseAlert<SlackMessage>(server, inbox, organization, path);
  const responsePath = `/actions/${randomBytes(8).toString('hex')}`;
  const responseUrl = new URL(responsePath, inbox.url).href;

  const world = {
    secret,
    organization,
    channel,
    message: message.body,
    alertId: message.alertId,
    responseUrl,
    valueOf: (action: ButtonAction): string =>
      message.body.blocks
        .flatMap(({ elements }) => elements ?? [])
        .find((element) => element.action_id === `pacekeeper_${action}`)!.value!,
    form: (action: ButtonAction, user: ChatUser, value?: string): string =>
      slackForm({
        action: `pacekeeper_${action}`,
        value: value ?? world.valueOf(action),
        user,
        responseUrl,
      }),
    send: (body: string, headers: Record<string, string>, url = channel.interactivity_url!) =>
      fetch(`${server.url}${new URL(url).pathname}`, {
        method: 'POST',
        body,
        headers,
      }),
    responses: () =>
      inbox.requests
        .filter((request) => request.path === responsePath)
        .map(({ body }) => JSON.parse(body) as SlackResponse),
    async press(action: ButtonAction, user: ChatUser, value?: string): Promise<SlackResponse> {
      const before = world.responses().length;
      const body = world.form(action, user, value);
      const response = await world.send(body, signAsSlack(secret, body));
      expect({
        status: response.status,
        text: await response.text(),
      }).toEqual({
        status: 200,
        text: '',
      });
      expect(world.responses()).toHaveLength(before + 1);
      return world.responses().at(-1)!;
    },
    async linkToken(user: ChatUser): Promise<string> {
      return tokenIn((await world.press('acknowledge', user)).text);
    },
    alert: () => organization.api.call('getAlert', { path: { id: message.alertId } }),
    activity: () => activityOf(organization, message.alertId),
  };
  return world;
}

export type SlackWorld = Awaited<ReturnType<typeof createSlackWorld>>;

/** Creates an alert whose message, with buttons, has arrived in a Mattermost channel. */
export async function createMattermostWorld(server: SharedTestServer, inbox: WebhookInbox) {
  const organization = await server.createOrganization();
  const path = `/hooks/${randomBytes(8).toString('hex')}`;
  const channel = await organization.api.call('createNotificationChannel', {
    body: {
      name: 'Operations',
      preset: 'mattermost',
      url: new URL(path, inbox.url).href,
      preset_options: { buttons_url: server.url },
    },
  });
  await organization.owner.call('updateNotificationSettings', { body: { default_channel_id: channel.id } });
  const message = await raiseAlert<MattermostMessage>(server, inbox, organization, path);
  const [{ actions = [] } = {}] = message.body.attachments;

  const world = {
    organization,
    channel,
    message: message.body,
    alertId: message.alertId,
    integration: (action: ButtonAction) => actions.find(({ id }) => id === action)!.integration,
    request: (action: ButtonAction, user: ChatUser, context = world.integration(action).context) =>
      JSON.stringify({
        user_id: user.id,
        user_name: user.name,
        channel_id: 'c1',
        channel_name: 'operations',
        team_id: user.team,
        team_domain: 'acme',
        post_id: 'p1',
        trigger_id: `trigger ${++presses}`,
        type: 'button',
        data_source: '',
        context,
      }),
    send: (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
      fetch(world.integration('acknowledge').url, {
        method: 'POST',
        body,
        headers,
      }),
    async press(action: ButtonAction, user: ChatUser) {
      const response = await world.send(world.request(action, user));
      expect(response.status).toBe(200);
      return (await response.json()) as {
        ephemeral_text?: string;
        update?: {
          message: string;
          props: {
            attachments: MattermostMessage['attachments'];
          };
        };
      };
    },
    async linkToken(user: ChatUser): Promise<string> {
      return tokenIn((await world.press('acknowledge', user)).ephemeral_text!);
    },
    alert: () => organization.api.call('getAlert', { path: { id: message.alertId } }),
    activity: () => activityOf(organization, message.alertId),
  };
  return world;
}

export function tokenIn(text: string): string {
  return /\/link-chat-account#token=([\w-]{43})/.exec(text)![1]!;
}

async function raiseAlert<Message>(
  server: SharedTestServer,
  inbox: WebhookInbox,
  organization: TestOrganization,
  path: string,
): Promise<{ alertId: number; body: Message }> {
  const { configId } = await createMonitoredSoftware(server, organization);
  const find = async (): Promise<Schemas['Alert'] | undefined> =>
    (await organization.api.call('listAlerts', {})).items.find((alert) => alert.alert_config_id === configId);
  await expect.poll(find).toBeDefined();
  const received = () => inbox.requests.filter((request) => request.path === path);
  await expect.poll(() => received().length).toBe(1);
  return { alertId: (await find())!.id, body: JSON.parse(received()[0]!.body) as Message };
}

/** Returns the acknowledgments and snoozes of an alert with their actors. */
async function activityOf({ api }: TestOrganization, alertId: number): Promise<string[]> {
  const { items } = await api.call('listAlertActions', { path: { id: alertId } });
  return items
    .filter(({ action }) => action === 'acknowledged' || action === 'snoozed')
    .map(({ action, actor }) => `${action} by ${actor.type} ${actor.name}`);
}

/** Links a chat account to a logged-in user, as the page does. */
export function linkChatIdentity(
  server: Pick<SharedTestServer, 'url'>,
  { token, refreshToken }: { token: string; refreshToken: string },
): (linkToken: string, code?: string) => Promise<Response> {
  return (linkToken, code) =>
    fetch(`${server.url}/api/v1/auth/chat-accounts`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        cookie: `pacekeeper_refresh=${refreshToken}`,
      },
      body: JSON.stringify({ token: linkToken, code }),
    });
}
