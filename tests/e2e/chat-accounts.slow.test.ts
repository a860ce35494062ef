import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import {
  fillLogin,
  logIn,
  navigateInPage,
  seriousViolations,
  startSession,
} from '../helpers/browser-checks.ts';
import { createSlackWorld, slackUser } from '../helpers/chat-platforms.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';
import { createWebhookInbox, type WebhookInbox } from '../helpers/webhook-inbox.ts';

describe.skipIf(browserPath === null)(`linking a chat account in a browser${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  let inbox: WebhookInbox;

  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
    inbox = await createWebhookInbox();
  });
  afterAll(() => inbox.close());

  test('a user logs in from the link, links the account, clicks a button in the chat, and unlinks the account', async () => {
    const world = await createSlackWorld(server, inbox);
    const user = slackUser({ name: 'ada.chat' });
    const token = await world.linkToken(user);
    const { page, problems } = await browser.open({ viewport: { width: 390, height: 844 } });
    await page.goto(`${server.url}/link-chat-account#token=${token}`);
    await page.getByText('Log in to link the chat account').waitFor();
    expect(page.url()).not.toContain(token);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Log in' }).click();
    await fillLogin(page, world.organization);
    await page.getByText(`ada.chat (${user.id})`).waitFor();
    expect(page.url()).not.toContain(token);
    expect(await seriousViolations(page)).toEqual([]);
    expect((await world.organization.owner.call('listChatAccounts')).items).toEqual([]);
    await page.getByRole('button', { name: 'Link account' }).click();
    await page.getByText('Chat account linked').waitFor();
    expect(await seriousViolations(page)).toEqual([]);

    expect(await world.press('acknowledge', user)).toMatchObject({ replace_original: true });
    expect((await world.alert()).status).toBe('acknowledged');

    await navigateInPage(page, '/account');
    const section = page.getByRole('region', { name: 'Chat accounts' });
    await section.getByText('Slack · acme').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await section.getByRole('button', { name: 'Unlink ada.chat' }).click();
    await page.getByRole('button', { name: 'Unlink account' }).click();
    await section.waitFor({ state: 'detached' });
    expect((await world.organization.owner.call('listChatAccounts')).items).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('an account with two-factor authentication requires a code to link', async () => {
    const world = await createSlackWorld(server, inbox);
    const { page, problems } = await browser.open({ viewport: { width: 390, height: 844 } });
    await startSession(page, server.url, world.organization);
    const post = async (path: string, data: object) =>
      (await page.request.post(`${server.url}/api/v1/auth/two-factor${path}`, { data, headers })).json();
    const headers = { origin: server.url };
    const { secret } = (await post('', { password: world.organization.password })) as { secret: string };
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await post('/confirm', { code: app.generate() });
    await page.goto(`${server.url}/link-chat-account#token=${await world.linkToken(slackUser())}`);
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.fill('000000');
    await page.getByRole('button', { name: 'Link account' }).click();
    await page.getByText("isn't correct.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await code.fill(app.generate({ timestamp: Date.now() + 30_000 }));
    await page.getByRole('button', { name: 'Link account' }).click();
    await page.getByText('Chat account linked').waitFor();
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test('the form of a channel accepts the signing secret, and the page of the channel shows the URL for Slack', async () => {
    const organization = await server.createOrganization();
    const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
    const channel = await organization.api.call('createNotificationChannel', {
      body: { name: 'Operations', preset: 'slack', url: `${inbox.url}services/x` },
    });
    await logIn(page, server.url, organization, `/notification-channels/${channel.id}`);
    await page.getByRole('button', { name: 'Edit' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Slack signing secret').fill('0123456789abcdef0123456789abcdef');
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const url = page.getByText(/\/chat\/slack\/[\w-]{22}/);
    await url.waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await seriousViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Edit' }).first().click();
    await dialog.getByLabel('Remove the saved values').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await url.waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  });

  test('an invalid link shows how to get a new one', async () => {
    const world = await createSlackWorld(server, inbox);
    const { page } = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(page, server.url, world.organization, `/link-chat-account#token=${'x'.repeat(43)}`);
    await page.getByText('Click a button in the chat again to get a new one.').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
  });
});
