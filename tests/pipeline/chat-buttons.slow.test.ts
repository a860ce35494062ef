import { afterAll, describe, expect, test } from 'vitest';
import {
  createMattermostWorld,
  createSlackWorld,
  linkChatIdentity,
  nowSeconds,
  signAsSlack,
  slackForm,
  slackSecret,
  slackUser,
} from '../helpers/chat-platforms.ts';
import { startTestServer } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { createPeople, trustedProxyEnvironment } from '../security/people.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
const server = await startTestServer(trustedProxyEnvironment);
const people = createPeople(server);

describe('Slack', () => {
  test('a new alert has buttons instead of the acknowledge link, and a linked member can acknowledge the alert with one', async () => {
    const world = await createSlackWorld(server, inbox);
    const elements = world.message.blocks.flatMap((block) => block.elements ?? []);
    expect(elements.map((element) => element.action_id ?? null)).toEqual([
      'pacekeeper_acknowledge',
      'pacekeeper_snooze',
      'view alert',
      null,
    ]);
    expect(JSON.stringify(world.message)).not.toContain('/ack/');
    expect(new URL(world.channel.interactivity_url!).pathname).toMatch(/^\/chat\/slack\/[\w-]{22}$/);

    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    const token = await world.linkToken(user);
    expect(await world.activity()).toEqual([]);
    expect((await linkChatIdentity(server, member)(token)).status).toBe(201);

    const response = await world.press('acknowledge', user);
    expect(response).toMatchObject({ replace_original: true });
    expect(JSON.stringify(response.blocks)).toContain('Acknowledged by A member');
    expect(JSON.stringify(response.blocks)).not.toContain('pacekeeper_');
    expect(JSON.stringify(response.blocks)).toContain('View alert');
    expect(await world.activity()).toEqual(['acknowledged by user A member']);
    expect((await world.alert()).acknowledged_by).toEqual({
      type: 'user',
      id: member.userId,
      name: 'A member',
    });
  });

  test('a snooze lasts seven days and keeps the acknowledge button, and a second click has no effect', async () => {
    const world = await createSlackWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    await linkChatIdentity(server, member)(await world.linkToken(user));

    const response = await world.press('snooze', user);
    expect(
      response.blocks!.flatMap(({ elements }) => elements ?? []).map((each) => each.action_id),
    ).toContain('pacekeeper_acknowledge');
    expect(JSON.stringify(response.blocks)).not.toContain('pacekeeper_snooze');
    expect(JSON.stringify(response.blocks)).toMatch(
      /Snoozed until \w+ \d+, \d{4}, \d\d:\d\d UTC by A member/,
    );
    const { snoozed_until } = await world.alert();
    const days = (Date.parse(snoozed_until!) / 1_000 - nowSeconds()) / 86_400;
    expect(Math.round(days * 100) / 100).toBe(7);

    expect(await world.press('snooze', user)).toMatchObject({
      response_type: 'ephemeral',
      text: expect.stringMatching(/^This alert is already snoozed until /),
    });
    expect((await world.alert()).snoozed_until).toBe(snoozed_until);
    expect(await world.activity()).toEqual(['snoozed by user A member']);

    // The buttons of the updated message work like those of the original one.
    const value = response.blocks!.flatMap(({ elements }) => elements ?? [])[0]!.value!;
    expect(await world.press('acknowledge', user, value)).toMatchObject({ replace_original: true });
    expect((await world.alert()).status).toBe('acknowledged');
  });

  test('two simultaneous clicks acknowledge the alert once, and the second member sees who did it', async () => {
    const world = await createSlackWorld(server, inbox);
    const users = [slackUser(), slackUser()];
    for (const user of users) {
      const member = await people.join(world.organization.owner, 'member');
      await linkChatIdentity(server, member)(await world.linkToken(user));
    }
    const before = world.responses().length;
    await Promise.all(
      users.map((user) => {
        const body = world.form('acknowledge', user);
        return world.send(body, signAsSlack(world.secret, body));
      }),
    );
    const responses = world.responses().slice(before);
    expect(responses.map((response) => response.replace_original).sort()).toEqual([false, true]);
    expect(responses.find((response) => !response.replace_original)!.text).toBe(
      'A member already acknowledged this alert.',
    );
    expect(await world.activity()).toHaveLength(1);
  });

  test('a click on a resolved or deleted alert returns an explanation', async () => {
    const world = await createSlackWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    await linkChatIdentity(server, member)(await world.linkToken(user));
    await world.organization.api.call('resolveAlert', { path: { id: world.alertId } });
    for (const action of ['acknowledge', 'snooze'] as const) {
      expect(await world.press(action, user)).toMatchObject({
        replace_original: false,
        text: 'This alert is already resolved.',
      });
    }
    const { items } = await world.organization.api.call('listRules', {});
    await world.organization.api.call('deleteRule', { path: { id: items[0]!.id } });
    expect((await world.press('acknowledge', user)).text).toBe('This alert no longer exists.');
  });

  test('a click on a link, which Slack also reports, has no effect', async () => {
    const world = await createSlackWorld(server, inbox);
    for (const form of [
      slackForm({ action: 'view alert', value: '', user: slackUser(), responseUrl: world.responseUrl }),
      slackForm(
        { action: 'pacekeeper_acknowledge', value: '', user: slackUser(), responseUrl: world.responseUrl },
        { type: 'view_submission' },
      ),
    ]) {
      expect((await world.send(form, signAsSlack(world.secret, form))).status).toBe(200);
    }
    expect(world.responses()).toEqual([]);
  });

  test('channels that share a Slack app accept requests at the URL of any of them', async () => {
    const secret = slackSecret();
    const first = await createSlackWorld(server, inbox, { secret });
    const second = await createSlackWorld(server, inbox, { secret, organization: first.organization });
    const member = await people.join(first.organization.owner, 'member');
    const user = slackUser();
    await linkChatIdentity(server, member)(await first.linkToken(user));
    const body = second.form('acknowledge', user);
    expect((await first.send(body, signAsSlack(secret, body))).status).toBe(200);
    expect((await second.alert()).status).toBe('acknowledged');
    expect((await first.alert()).status).toBe('unacknowledged');
  });

  test('two organizations with the same Slack workspace link accounts separately', async () => {
    const secret = slackSecret();
    const [one, two] = [
      await createSlackWorld(server, inbox, { secret }),
      await createSlackWorld(server, inbox, { secret }),
    ];
    const user = slackUser();
    const member = await people.join(one.organization.owner, 'member');
    await linkChatIdentity(server, member)(await one.linkToken(user));
    expect((await two.press('acknowledge', user)).text).toMatch(/^Link your account: /);
    expect((await two.alert()).status).toBe('unacknowledged');
    expect((await one.press('acknowledge', user)).replace_original).toBe(true);

    const other = await people.join(two.organization.owner, 'member');
    await linkChatIdentity(server, other)(await two.linkToken(user));
    await two.press('acknowledge', user);
    expect((await two.alert()).acknowledged_by).toMatchObject({ id: other.userId });
  });

  test('test messages and messages about acknowledged alerts have no buttons, and without a secret no message has any', async () => {
    const world = await createSlackWorld(server, inbox);
    const { api } = world.organization;
    const sent = () =>
      inbox.requests.filter(({ path }) => world.channel.url!.endsWith(path)).map(({ body }) => body);
    const tested = await api.call('testNotificationChannel', { path: { id: world.channel.id } });
    expect(tested.success).toBe(true);
    await api.call('acknowledgeAlert', { path: { id: world.alertId } });
    await expect.poll(() => sent().length).toBe(3);
    for (const body of sent().slice(1)) expect(body).not.toContain('pacekeeper_');

    const { interactivity_url } = await api.call('updateNotificationChannel', {
      path: { id: world.channel.id },
      body: { preset_options: {} },
    });
    expect(interactivity_url).toBeNull();
    await api.call('unacknowledgeAlert', { path: { id: world.alertId } });
    await expect.poll(() => sent().length).toBe(4);
    expect(sent()[3]).not.toContain('pacekeeper_');
    expect(sent()[3]).toContain('/ack/');
  });

  test('the interactivity URL stays the same when the secret is rotated', async () => {
    const world = await createSlackWorld(server, inbox);
    const { interactivity_url, has_preset_options } = await world.organization.api.call(
      'updateNotificationChannel',
      { path: { id: world.channel.id }, body: { preset_options: { slack_signing_secret: slackSecret() } } },
    );
    expect({ interactivity_url, has_preset_options }).toEqual({
      interactivity_url: world.channel.interactivity_url,
      has_preset_options: true,
    });
  });
});

describe('Mattermost', () => {
  test('a click by a linked member updates the message with the name of the member', async () => {
    const world = await createMattermostWorld(server, inbox);
    const [attachment] = world.message.attachments;
    expect(attachment!.actions!.map(({ name }) => name)).toEqual(['Acknowledge', 'Snooze 7 days']);
    expect(attachment!.actions![0]!.integration.url).toBe(`${server.url}/chat/mattermost`);
    expect(attachment!.text).not.toContain('/ack/');

    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    await linkChatIdentity(server, member)(await world.linkToken(user));
    const snoozed = await world.press('snooze', user);
    expect(snoozed.update!.props.attachments[0]!.actions!.map(({ id }) => id)).toEqual(['acknowledge']);
    const { update } = await world.press('acknowledge', user);
    expect(update!.props.attachments[0]!.text).toMatch(/^Acknowledged by A member\n\[View alert\]/);
    expect(update!.props.attachments[0]!.actions).toEqual([]);
    expect((await world.activity()).sort()).toEqual([
      'acknowledged by user A member',
      'snoozed by user A member',
    ]);
    expect(await world.press('acknowledge', user)).toEqual({
      ephemeral_text: 'A member already acknowledged this alert\\.',
    });
  });
});

test('members can list and unlink their chat accounts, and the audit log records linking and unlinking', async () => {
  const world = await createSlackWorld(server, inbox);
  const member = await people.join(world.organization.owner, 'viewer');
  const user = slackUser({ name: 'ada <b>' });
  await linkChatIdentity(server, member)(await world.linkToken(user));
  const { items } = await member.api.call('listChatAccounts');
  expect(items).toMatchObject([{ platform: 'slack', workspace_name: 'acme', user_name: 'ada <b>' }]);
  expect((await world.organization.owner.call('listChatAccounts')).items).toEqual([]);
  await member.api.call('unlinkChatAccount', { path: { id: items[0]!.id } });
  expect((await member.api.call('listChatAccounts')).items).toEqual([]);
  const log = await world.organization.api.call('listAuditLog', { query: { limit: 5 } });
  expect(log.items.map(({ action, actor }) => `${action} by ${actor.name}`)).toEqual(
    expect.arrayContaining([
      'member.chat_account_unlinked by A viewer',
      'member.chat_account_linked by A viewer',
    ]),
  );
});
