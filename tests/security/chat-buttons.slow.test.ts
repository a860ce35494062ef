import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createTokenSigner } from '../../src/platform/secrets/index.ts';
import {
  createMattermostWorld,
  createSlackWorld,
  linkChatIdentity,
  nowSeconds,
  type SlackWorld,
  signAsSlack,
  slackForm,
  slackSecret,
  slackUser,
  tokenIn,
} from '../helpers/chat-platforms.ts';
import { resetClockOffset, setClockOffset } from '../helpers/database.ts';
import { requireTwoFactor } from '../helpers/require-two-factor.ts';
import { writeProviderFile } from '../helpers/sign-on-world.ts';
import { startTestServer, testSecretKey } from '../helpers/test-server.ts';
import { createWebhookInbox } from '../helpers/webhook-inbox.ts';
import { callError, createPeople, type Person, trustedProxyEnvironment } from './people.ts';

const inbox = await createWebhookInbox();
afterAll(() => inbox.close());
/** Issuer of a configured login provider. `formerIssuer` is one that was removed from the configuration. */
const issuer = 'https://login.example.com';
const formerIssuer = 'https://former-login.example.com';
const server = await startTestServer({
  ...trustedProxyEnvironment,
  PACEKEEPER_OIDC_FILE: writeProviderFile({
    corp: { provider: { issuer, clientId: 'pacekeeper', clientSecret: 'a secret' } },
  }),
});
const people = createPeople(server);
afterEach(() => resetClockOffset(server.db));

async function createLinkedWorld(secret?: string) {
  const world = await createSlackWorld(server, inbox, secret === undefined ? {} : { secret });
  const member = await people.join(world.organization.owner, 'member');
  const user = slackUser();
  expect((await linkChatIdentity(server, member)(await world.linkToken(user))).status).toBe(201);
  return { ...world, member, user };
}

type LinkedWorld = Awaited<ReturnType<typeof createLinkedWorld>>;

async function expectUnchanged(world: Pick<SlackWorld, 'alert' | 'activity'>): Promise<void> {
  expect(await world.alert()).toMatchObject({ status: 'unacknowledged', snoozed_until: null });
  expect(await world.activity()).toEqual([]);
}

/** A valid button press after an attack has tampered with it. */
interface Attempt {
  body: string;
  headers: Record<string, string>;
  url?: string;
}

describe('a request to Slack’s URL that isn’t authentic', () => {
  type Attack = [string, number, (world: LinkedWorld, body: string) => Attempt | Promise<Attempt>];

  const attacks: Attack[] = [
    ['with a forged signature', 401, (_, body) => ({ body, headers: signAsSlack(slackSecret(), body) })],
    [
      'without a signature',
      401,
      (_, body) => ({ body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    ],
    [
      'with the signature of another body',
      401,
      ({ secret, user, form }, body) => ({
        body: form('snooze', user),
        headers: signAsSlack(secret, body),
      }),
    ],
    [
      'that is more than five minutes old',
      401,
      ({ secret }, body) => ({ body, headers: signAsSlack(secret, body, nowSeconds() - 301) }),
    ],
    [
      'from the future',
      401,
      ({ secret }, body) => ({ body, headers: signAsSlack(secret, body, nowSeconds() + 330) }),
    ],
    [
      'with a new timestamp and an old signature',
      401,
      ({ secret }, body) => ({
        body,
        headers: {
          ...signAsSlack(secret, body, nowSeconds() - 600),
          'x-slack-request-timestamp': String(nowSeconds()),
        },
      }),
    ],
    [
      'to an unknown ID',
      401,
      ({ secret }, body) => ({
        body,
        headers: signAsSlack(secret, body),
        url: `http://a/chat/slack/${'a'.repeat(22)}`,
      }),
    ],
    [
      'to a malformed ID',
      401,
      ({ secret }, body) => ({ body, headers: signAsSlack(secret, body), url: 'http://a/chat/slack/1' }),
    ],
    [
      'to the channel of another app',
      401,
      async ({ secret }, body) => ({
        body,
        headers: signAsSlack(secret, body),
        url: (await createSlackWorld(server, inbox)).channel.interactivity_url!,
      }),
    ],
    [
      'with a huge body',
      413,
      ({ secret }, body) => {
        const huge = `${body}&x=${'x'.repeat(256 * 1024)}`;
        return { body: huge, headers: signAsSlack(secret, huge) };
      },
    ],
    [
      'with another content type',
      415,
      ({ secret }, body) => ({
        body,
        headers: { ...signAsSlack(secret, body), 'content-type': 'application/json' },
      }),
    ],
    ['without a payload', 400, ({ secret }) => ({ body: 'a=b', headers: signAsSlack(secret, 'a=b') })],
  ];

  const attacksAfterChanges: Attack[] = [
    [
      'signed with a secret that was rotated',
      401,
      async ({ secret, organization, channel }, body) => {
        await organization.api.call('updateNotificationChannel', {
          path: { id: channel.id },
          body: { preset_options: { slack_signing_secret: slackSecret() } },
        });
        return { body, headers: signAsSlack(secret, body) };
      },
    ],
    [
      'signed with a secret that was removed',
      401,
      async ({ secret, organization, channel }, body) => {
        await organization.api.call('updateNotificationChannel', {
          path: { id: channel.id },
          body: { preset_options: {} },
        });
        return { body, headers: signAsSlack(secret, body) };
      },
    ],
    [
      'to a channel that was deleted',
      401,
      async ({ secret, organization, channel }, body) => {
        await organization.api.call('deleteNotificationChannel', { path: { id: channel.id } });
        return { body, headers: signAsSlack(secret, body) };
      },
    ],
    [
      'to a channel whose secrets can’t be decrypted',
      401,
      async ({ secret, channel }, body) => {
        await sql`UPDATE notification_channels SET url_sealed = 'of another key' WHERE id = ${channel.id}`.execute(
          server.db,
        );
        return { body, headers: signAsSlack(secret, body) };
      },
    ],
  ];

  async function expectRejection(world: LinkedWorld, status: number, spoil: Attack[2]): Promise<void> {
    const before = world.responses().length;
    const { body, headers, url } = await spoil(world, world.form('acknowledge', world.user));
    const response = await world.send(body, headers, url);
    expect(response.status).toBe(status);
    if (status === 401)
      expect(await response.json()).toMatchObject({ detail: 'Unknown channel or invalid signature.' });
    await expectUnchanged(world);
    expect(world.responses()).toHaveLength(before);
  }

  // These attacks change nothing, so they can share a world.
  let shared: Promise<LinkedWorld> | undefined;
  test.each(attacks)('%s is rejected with %i and changes nothing', async (_, status, spoil) => {
    await expectRejection(await (shared ??= createLinkedWorld()), status, spoil);
  });

  test.each(attacksAfterChanges)('%s is rejected with %i and changes nothing', async (_, status, spoil) => {
    await expectRejection(await createLinkedWorld(), status, spoil);
  });

  test('an unknown ID and an invalid signature get the same response', async () => {
    const world = await createLinkedWorld();
    const body = world.form('acknowledge', world.user);
    const texts = await Promise.all(
      [world.channel.interactivity_url!, `http://a/chat/slack/${'b'.repeat(22)}`].map(async (url) => {
        const response = await world.send(body, signAsSlack(slackSecret(), body), url);
        const { request_id: _, ...rest } = (await response.json()) as { request_id: string };
        return rest;
      }),
    );
    expect(texts[0]).toEqual(texts[1]);
  });

  test('a repeated delivery has no second effect', async () => {
    const world = await createLinkedWorld();
    const body = world.form('acknowledge', world.user);
    const headers = signAsSlack(world.secret, body);
    const before = world.responses().length;
    await world.send(body, headers);
    await world.organization.api.call('unacknowledgeAlert', { path: { id: world.alertId } });
    for (const copy of [1, 2]) expect((await world.send(body, headers)).status, String(copy)).toBe(200);
    expect((await world.alert()).status).toBe('unacknowledged');
    expect(await world.activity()).toEqual(['acknowledged by user A member']);
    expect(world.responses()).toHaveLength(before + 1);
  });

  test('a response is sent only to Slack or to the host of the channel', async () => {
    const world = await createLinkedWorld();
    const other = await createWebhookInbox();
    afterAll(() => other.close());
    const value = world.valueOf('acknowledge');
    const hosts = [
      `${other.url}steal`,
      'https://hooks.slack.com.evil.example/',
      'http://hooks.slack.com/',
      'no URL',
    ];
    for (const responseUrl of hosts) {
      const body = slackForm({ action: 'pacekeeper_acknowledge', value, user: world.user, responseUrl });
      expect((await world.send(body, signAsSlack(world.secret, body))).status).toBe(200);
    }
    expect(other.requests).toEqual([]);
  });
});

describe('the permission for an authentic button press', () => {
  const unlinked = /^Link your account: <http:.*\/link-chat-account#token=[\w-]{43}>$/;
  const cases: [string, RegExp, (world: LinkedWorld) => Promise<{ value?: string } | undefined | void>][] = [
    [
      'by an unlinked account',
      unlinked,
      async ({ member }) => {
        const { items } = await member.api.call('listChatAccounts');
        await member.api.call('unlinkChatAccount', { path: { id: items[0]!.id } });
      },
    ],
    [
      'by a member who left',
      unlinked,
      async ({ member, organization }) => {
        await organization.owner.call('deleteMember', { path: { id: member.memberId } });
      },
    ],
    [
      'by a member whose password was reset',
      unlinked,
      async ({ member, organization }) => {
        const token = await people.resetToken(organization.owner, member.memberId);
        expect(await people.useResetToken(token, 'a new long password')).toBe(204);
      },
    ],
    [
      'by a member through groups that the login provider confirmed more than 12 hours ago',
      /^Log in to Pacekeeper, then try again\.$/,
      ({ member, organization }) => grantByGroups(organization.id, member.userId, '12 hours 1 minute'),
    ],
    [
      'by a member through groups that were confirmed in the future, as after the clock jumped back',
      /^Log in to Pacekeeper, then try again\.$/,
      ({ member, organization }) => grantByGroups(organization.id, member.userId, '-2 minutes'),
    ],
    [
      'by a member through groups of a login provider that is no longer configured',
      /^Log in to Pacekeeper, then try again\.$/,
      ({ member, organization }) => grantByGroups(organization.id, member.userId, '1 minute', formerIssuer),
    ],
    [
      'by a member without the two-factor authentication that the organization now requires',
      /^Your organization requires two-factor authentication\. .*: <http/,
      ({ organization }) => requireTwoFactor(server, organization),
    ],
    [
      'by a member without two-factor authentication whose login provider is no longer configured',
      /^Your organization requires two-factor authentication\. .*: <http/,
      async ({ member, organization }) => {
        await linkIdentity(member.userId, formerIssuer);
        await requireTwoFactor(server, organization);
      },
    ],
    [
      'by a member who became a viewer',
      /^Your role in Pacekeeper is read-only/,
      async ({ member, organization }) => {
        await organization.owner.call('updateMember', {
          path: { id: member.memberId },
          body: { role: 'viewer' },
        });
      },
    ],
    [
      'on a message that is older than seven days',
      /^Buttons work for 7 days\. Open the alert in Pacekeeper instead: <http/,
      async ({ organization, alertId, channel }) => {
        const { rows } = await sql<{ event_id: string }>`
          SELECT event_id FROM audit_entries WHERE alert_id = ${alertId} AND event_id IS NOT NULL`.execute(
          server.db,
        );
        const claims = { o: organization.id, c: channel.id, a: alertId, e: rows[0]!.event_id, r: '' };
        return { value: signerOf('chat-button').sign(claims, new Date((nowSeconds() - 1) * 1_000)) };
      },
    ],
    [
      'with a modified token',
      /^This button isn't valid\.$/,
      async ({ valueOf }) => ({ value: `${valueOf('acknowledge').slice(0, -1)}_` }),
    ],
    [
      'with a token that was signed for another purpose',
      /^This button isn't valid\.$/,
      async ({ organization, alertId, channel }) => {
        const claims = { o: organization.id, c: channel.id, a: alertId, e: '', r: '' };
        return { value: signerOf('acknowledge-link').sign(claims, new Date((nowSeconds() + 60) * 1_000)) };
      },
    ],
    [
      'with a button of another organization',
      /^This button isn't valid\.$/,
      async ({ secret }) => {
        const other = await createSlackWorld(server, inbox, { secret });
        return { value: other.valueOf('acknowledge') };
      },
    ],
    [
      'with a button of a channel of another app',
      /^The channel of this message was deleted or no longer has buttons/,
      async ({ organization }) => {
        const other = await createSlackWorld(server, inbox, { organization });
        return { value: other.valueOf('acknowledge') };
      },
    ],
    [
      'with a button of a channel that was deleted',
      /^The channel of this message was deleted or no longer has buttons/,
      async ({ organization, secret }) => {
        const other = await createSlackWorld(server, inbox, { organization, secret });
        await organization.api.call('deleteNotificationChannel', { path: { id: other.channel.id } });
        return { value: other.valueOf('acknowledge') };
      },
    ],
  ];

  test.each(cases)(
    'is missing, so the person gets an ephemeral response and nothing changes: %s',
    async (_, text, prepare) => {
      const world = await createLinkedWorld();
      const { value } = (await prepare(world)) ?? {};
      for (const action of ['acknowledge', 'snooze'] as const) {
        const response = await world.press(action, world.user, value);
        expect(response).toMatchObject({ replace_original: false, response_type: 'ephemeral' });
        expect(response.text).toMatch(text);
      }
      const { items } = await world.organization.api.call('listAlerts', {});
      expect(items.map(({ status, snoozed_until }) => [status, snoozed_until])).toEqual(
        items.map(() => ['unacknowledged', null]),
      );
      await expectUnchanged(world);
    },
  );

  test('is granted to a member whose role comes from groups for 12 hours after the last check by the login provider', async () => {
    const world = await createLinkedWorld();
    await grantByGroups(world.organization.id, world.member.userId, '11 hours 59 minutes');
    expect(await world.press('acknowledge', world.user)).toMatchObject({ replace_original: true });
    expect((await world.alert()).acknowledged_by).toMatchObject({ id: world.member.userId });
  });

  test('doesn’t require two-factor authentication for a member with a configured login provider', async () => {
    const world = await createLinkedWorld();
    await linkIdentity(world.member.userId, issuer);
    await requireTwoFactor(server, world.organization);
    expect(await world.press('acknowledge', world.user)).toMatchObject({ replace_original: true });
  });

  test('is missing for an account with the same ID in another Slack workspace', async () => {
    const world = await createLinkedWorld();
    expect((await world.press('acknowledge', { ...world.user, team: 'T0002' })).text).toMatch(unlinked);
    await expectUnchanged(world);
  });

  test('ends when the secret of the channel is replaced, for accounts that were verified with the former secret', async () => {
    const world = await createLinkedWorld();
    const secret = slackSecret();
    await world.organization.api.call('updateNotificationChannel', {
      path: { id: world.channel.id },
      body: { preset_options: { slack_signing_secret: secret } },
    });
    const body = world.form('acknowledge', world.user);
    expect((await world.send(body, signAsSlack(secret, body))).status).toBe(200);
    expect(world.responses().at(-1)!.text).toMatch(unlinked);
    await expectUnchanged(world);
  });
});

describe('a link for a chat account', () => {
  const errorOf = async (response: Response) => ({
    status: response.status,
    ...((await response.json()) as { code: string; detail: string }),
  });

  test('works once, and only if it is the newest', async () => {
    const world = await createSlackWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    const [first, second] = [await world.linkToken(user), await world.linkToken(user)];
    const link = linkChatIdentity(server, member);
    expect(await errorOf(await link(first))).toMatchObject({ status: 404, code: 'not_found' });
    const statuses = await Promise.all([link(second), link(second)]);
    expect(statuses.map(({ status }) => status).sort()).toEqual([201, 404]);
    expect((await member.api.call('listChatAccounts')).items).toHaveLength(1);
  });

  test('expires after 15 minutes', async () => {
    const world = await createSlackWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    const token = await world.linkToken(user);
    // The access token expires after 15 minutes as well, so the next step requires a new one.
    await setClockOffset(server.db, '14 minutes');
    expect(await member.api.call('previewChatAccount', { body: { token } })).toEqual({
      platform: 'slack',
      workspace_name: 'acme',
      user_name: 'ada',
      chat_user_id: user.id,
      organization_name: expect.any(String),
    });
    await sql`UPDATE chat_links SET expires_at = expires_at - interval '2 minutes'`.execute(server.db);
    expect(await callError(member.api.call('previewChatAccount', { body: { token } }))).toMatchObject({
      status: 404,
    });
    await resetClockOffset(server.db);
  });

  test('shows that a person is from another Slack workspace, with IDs that no one can choose', async () => {
    const world = await createSlackWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const { responseUrl } = world;
    const value = world.valueOf('acknowledge');
    const preview = async (user: ReturnType<typeof slackUser>) => {
      const more = { team: { id: 'T0001', domain: 'acme' } };
      const body = slackForm({ action: 'pacekeeper_acknowledge', value, user, responseUrl }, more);
      expect((await world.send(body, signAsSlack(world.secret, body))).status).toBe(200);
      const token = tokenIn(world.responses().at(-1)!.text);
      return member.api.call('previewChatAccount', { body: { token } });
    };
    const [colleague, guest] = [slackUser(), slackUser({ team: 'T0002' })];
    expect(await preview(colleague)).toMatchObject({ workspace_name: 'acme', chat_user_id: colleague.id });
    expect(await preview(guest)).toMatchObject({
      workspace_name: 'another workspace (T0002)',
      chat_user_id: guest.id,
    });
  });

  test('requires a code for an account with two-factor authentication, and each code works once', async () => {
    const world = await createSlackWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const { token, refreshToken } = member;
    const headers = { cookie: `pacekeeper_refresh=${refreshToken}` };
    const api = createApiClient({ baseUrl: server.url, token, headers });
    const { secret } = await api.call('startTwoFactor', { body: { password: member.password } });
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    const codeIn = (seconds: number) => app.generate({ timestamp: nowSeconds() * 1_000 + seconds * 1_000 });
    await api.call('confirmTwoFactor', { body: { code: codeIn(0) } });
    const codes: [string | undefined, number][] = [
      [undefined, 400],
      ['000000', 400],
      [codeIn(30), 201],
      [codeIn(30), 400],
    ];
    for (const [code, status] of codes) {
      const answer = await linkChatIdentity(server, member)(await world.linkToken(slackUser()), code);
      expect(answer.status, code).toBe(status);
      if (status === 400) expect(await answer.json()).toMatchObject({ errors: [{ field: 'code' }] });
    }
    expect((await member.api.call('listChatAccounts')).items).toHaveLength(1);
  });

  test('reveals nothing outside its organization, and shows members which organization to switch to', async () => {
    const world = await createSlackWorld(server, inbox);
    const other = await server.createOrganization();
    const stranger = await people.join(other.owner, 'owner');
    const token = await world.linkToken(slackUser());
    expect(await callError(stranger.api.call('previewChatAccount', { body: { token } }))).toMatchObject({
      status: 404,
    });
    expect((await linkChatIdentity(server, stranger)(token)).status).toBe(404);

    // The person joins but is still logged in to their own organization.
    await joinAs(world.organization, stranger);
    for (const refused of [
      await errorOf(await linkChatIdentity(server, stranger)(token)),
      await callError(stranger.api.call('previewChatAccount', { body: { token } })),
    ]) {
      expect(refused).toMatchObject({ status: 409, code: 'conflict' });
    }
  });

  test('can’t move an account from the person it is linked to', async () => {
    const world = await createLinkedWorld();
    const rival = await people.join(world.organization.owner, 'member');
    await sql`
      INSERT INTO chat_links (organization_id, token_hash, platform, realm, workspace_id, workspace_name, chat_user_id,
        chat_user_name, expires_at)
      SELECT organization_id, sha256('x'::bytea || ${'y'.repeat(42)}::bytea), platform, realm, workspace_id, workspace_name,
        chat_user_id, chat_user_name, pacekeeper_now() + interval '1 minute'
      FROM chat_accounts WHERE organization_id = ${world.organization.id}`.execute(server.db);
    expect(await errorOf(await linkChatIdentity(server, rival)(`x${'y'.repeat(42)}`))).toMatchObject({
      status: 409,
    });
    expect((await rival.api.call('listChatAccounts')).items).toEqual([]);
    await world.press('acknowledge', world.user);
    expect((await world.alert()).acknowledged_by).toMatchObject({ id: world.member.userId });
  });

  test('requires a session, not only an access token or an API key', async () => {
    const world = await createSlackWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const token = await world.linkToken(slackUser());
    expect((await linkChatIdentity(server, { ...member, refreshToken: 'x' })(token)).status).toBe(401);
    const byKey = createApiClient({ baseUrl: server.url, apiKey: world.organization.apiKey });
    expect(await callError(byKey.call('linkChatAccount', { body: { token } }))).toMatchObject({
      code: 'login_required',
    });
    expect((await linkChatIdentity(server, member)(token)).status).toBe(201);
  });

  test('belongs to one person, and no one else can see or unlink it', async () => {
    const world = await createLinkedWorld();
    const { items } = await world.member.api.call('listChatAccounts');
    const stranger = await people.join((await server.createOrganization()).owner, 'owner');
    for (const api of [world.organization.owner, stranger.api]) {
      expect((await api.call('listChatAccounts')).items).toEqual([]);
      expect(await callError(api.call('unlinkChatAccount', { path: { id: items[0]!.id } }))).toMatchObject({
        status: 404,
      });
    }
  });
});

describe('Mattermost', () => {
  type World = Awaited<ReturnType<typeof createMattermostWorld>>;

  const attacks: [string, number, (world: World) => { body: string; headers?: Record<string, string> }][] = [
    [
      'a forged token',
      401,
      (world) => {
        const { token, ...context } = world.integration('acknowledge').context;
        const forged = { ...context, token: `${token!.slice(0, -1)}_` };
        return { body: world.request('acknowledge', slackUser(), forged) };
      },
    ],
    [
      'no token',
      401,
      (world) => ({ body: world.request('acknowledge', slackUser(), { action: 'acknowledge' }) }),
    ],
    [
      'an acknowledge link token',
      401,
      (world) => {
        const claims = { o: world.organization.id, a: world.alertId, c: world.channel.id };
        const token = signerOf('acknowledge-link').sign(claims, new Date((nowSeconds() + 60) * 1_000));
        return { body: world.request('acknowledge', slackUser(), { action: 'acknowledge', token }) };
      },
    ],
    ["a body that isn't JSON", 401, () => ({ body: '{' })],
    [
      'another content type',
      415,
      (world) => ({
        body: world.request('acknowledge', slackUser()),
        headers: { 'content-type': 'text/plain' },
      }),
    ],
    [
      'a huge body',
      413,
      (world) => ({
        body: world.request('acknowledge', slackUser({ name: 'x'.repeat(17_000) })),
      }),
    ],
  ];

  // These attacks change nothing, so they share a world.
  let shared: Promise<World> | undefined;
  test.each(attacks)(
    'a request with %s is rejected with %i and changes nothing',
    async (_, status, attack) => {
      const world = await (shared ??= createMattermostWorld(server, inbox));
      const { body, headers } = attack(world);
      expect((await world.send(body, headers)).status).toBe(status);
      await expectUnchanged(world);
    },
  );

  const refusals: [string, RegExp, (world: World, member: Person) => Promise<unknown>][] = [
    [
      'in a channel that was deleted',
      /^The channel of this message was deleted/,
      (world) => world.organization.api.call('deleteNotificationChannel', { path: { id: world.channel.id } }),
    ],
    [
      'in a channel that now sends to another server',
      /^The channel of this message was deleted or no longer has buttons/,
      (world) =>
        world.organization.api.call('updateNotificationChannel', {
          path: { id: world.channel.id },
          body: { url: 'http://127.0.0.1:9/hooks/x', preset_options: { buttons_url: server.url } },
        }),
    ],
    [
      'after more than seven days',
      /^Buttons work for 7 days/,
      () => setClockOffset(server.db, '7 days 1 minute'),
    ],
    [
      'by a viewer',
      /^Your role in Pacekeeper is read/,
      (world, { memberId }) =>
        world.organization.owner.call('updateMember', { path: { id: memberId }, body: { role: 'viewer' } }),
    ],
    [
      'by a member who left',
      /^Link your account:/,
      (world, { memberId }) => world.organization.owner.call('deleteMember', { path: { id: memberId } }),
    ],
  ];

  test.each(refusals)(
    'a button press %s gets a response in the chat and changes nothing',
    async (_, text, prepare) => {
      const world = await createMattermostWorld(server, inbox);
      const member = await people.join(world.organization.owner, 'member');
      const user = slackUser();
      expect((await linkChatIdentity(server, member)(await world.linkToken(user))).status).toBe(201);
      await prepare(world, member);
      const answer = await world.press('acknowledge', user);
      expect(answer.update).toBeUndefined();
      expect(answer.ephemeral_text!.replaceAll('\\', '')).toMatch(text);
      await resetClockOffset(server.db);
      await expectUnchanged(world);
    },
  );

  test('a repeated request has no second effect', async () => {
    const world = await createMattermostWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    await linkChatIdentity(server, member)(await world.linkToken(user));
    const body = world.request('acknowledge', user);
    await world.send(body);
    await world.organization.api.call('unacknowledgeAlert', { path: { id: world.alertId } });
    expect(await (await world.send(body)).json()).toEqual({});
    expect((await world.alert()).status).toBe('unacknowledged');
  });

  test('an account linked for one channel isn’t linked for another, because someone else can run the server of the other channel', async () => {
    const world = await createMattermostWorld(server, inbox);
    const member = await people.join(world.organization.owner, 'member');
    const user = slackUser();
    await linkChatIdentity(server, member)(await world.linkToken(user));
    const { api } = world.organization;
    await api.call('updateNotificationChannel', {
      path: { id: world.channel.id },
      body: { preset_options: { buttons_url: `${server.url}/` } },
    });
    expect((await world.press('acknowledge', user)).ephemeral_text).toMatch(/^The channel of this message/);
    await expectUnchanged(world);
  });
});

test('the tokens of buttons and the signing secret are never shown', async () => {
  const world = await createLinkedWorld();
  const { api, owner } = world.organization;
  const { items } = await owner.call('listAlertDeliveries', { path: { id: world.alertId } });
  const delivery = await owner.call('getNotificationDelivery', { path: { id: items[0]!.id } });
  expect(delivery.payload).toContain('pacekeeper_acknowledge');
  const shown = JSON.stringify([
    delivery,
    await api.call('getNotificationChannel', { path: { id: world.channel.id } }),
    await api.call('listAuditLog', {}),
  ]);
  expect(shown).not.toContain(world.valueOf('acknowledge'));
  expect(shown).not.toContain(world.secret);
});

function signerOf(purpose: 'chat-button' | 'acknowledge-link') {
  return createTokenSigner({ purpose, current: testSecretKey });
}

async function linkIdentity(userId: number, from: string): Promise<void> {
  await sql`
    INSERT INTO user_identities (user_id, issuer, subject, checked_at)
    VALUES (${userId}, ${from}, ${`person ${userId}`}, pacekeeper_now())`.execute(server.db);
}

/**
 * Converts a membership to one that the groups of a login provider granted. `ago` is the time since the
 * provider last checked the person.
 */
async function grantByGroups(
  organizationId: number,
  userId: number,
  ago: string,
  from = issuer,
): Promise<void> {
  await sql`
    WITH identity AS (
      INSERT INTO user_identities (user_id, issuer, subject, checked_at)
      VALUES (${userId}, ${from}, ${`person ${userId}`}, pacekeeper_now() - ${ago}::interval)
      RETURNING id
    )
    UPDATE memberships SET granted_by_identity_id = identity.id FROM identity
    WHERE organization_id = ${organizationId} AND user_id = ${userId}`.execute(server.db);
}

async function joinAs(organization: LinkedWorld['organization'], person: Person): Promise<void> {
  const token = await people.invite(organization.owner, person.email, 'member');
  await person.api.call('acceptInvitation', { body: { token } });
}
