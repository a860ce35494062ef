import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createUser } from '../../src/modules/accounts/index.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn, navigateInPage, scrollsSideways, seriousViolations } from '../helpers/browser-checks.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { isLong } from '../helpers/long-tests.ts';
import { createMailInbox, type MailInbox } from '../helpers/mail-inbox.ts';
import { createMonitoredSoftware } from '../helpers/monitored.ts';
import { startTestServer, type TestOrganization, type TestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';
import { createWebhookInbox, verifyWebhook, type WebhookInbox } from '../helpers/webhook-inbox.ts';

describe.skipIf(browserPath === null)(`the notification pages${noBrowserSuffix}`, () => {
  let server: TestServer;
  let browser: TestBrowser;
  let mails: MailInbox;
  beforeAll(async () => {
    await ensureWebPage();
    mails = await createMailInbox();
    atEndOfFile(() => mails.close());
    server = await startTestServer({
      PACEKEEPER_SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
      PACEKEEPER_EMAIL_FROM: 'alerts@ops.example',
      PACEKEEPER_EMAIL_DOMAINS: 'ops.example',
    });
    browser = await startBrowser();
  });

  async function createWorld() {
    const organization = await server.createOrganization();
    const inbox = await createWebhookInbox();
    onTestFinished(() => inbox.close());
    return { organization, inbox, api: organization.api };
  }

  /** Opens a page with a logged-in user. */
  async function openAs(login: Pick<TestOrganization, 'email' | 'password'>, to: string) {
    const watched = await browser.open({ viewport: { width: 1280, height: 900 } });
    await logIn(watched.page, server.url, login, to);
    return watched;
  }

  async function createChannel({ api, inbox }: World, name: string, path = 'hook', body = {}) {
    const { id } = await api.call('createNotificationChannel', {
      body: { name, url: `${inbox.url}${path}`, ...body },
    });
    return id;
  }

  test('create a channel with the fields of its platform, and send a test signed with the displayed secret', async () => {
    const world = await createWorld();
    const { page, problems } = await openAs(world.organization, '/notification-channels');
    await page.getByRole('link', { name: 'New channel' }).first().click();
    await page.getByRole('button', { name: /^Generic webhook/ }).click();
    await page.getByLabel(/^Name/).first().fill('Operations');
    const address = page.getByRole('textbox', { name: 'URL' });
    await address.fill('https://10.0.0.1/hook');
    await page.getByText(/The URL isn't allowed/).waitFor();
    await address.fill(`${world.inbox.url}hook`);
    await page.getByText("The URL isn't encrypted (http://).").waitFor();
    await page.getByRole('button', { name: 'Advanced options' }).click();
    await page.getByRole('button', { name: 'Generate' }).click();
    const secret = await page.locator('code', { hasText: /^whsec_/ }).innerText();
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByRole('heading', { name: 'Operations', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test delivered').waitFor();
    await page.getByText(/Status 200 after/).waitFor();
    const [received] = await world.inbox.waitFor(1);
    expect(verifyWebhook(received!, secret)).toMatchObject({ type: 'channel.test' });
    await page.getByText('Request', { exact: true }).click();
    await page.getByRole('region', { name: 'Request body' }).getByText('channel.test').first().waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Set as default' }).click();
    await page.getByText('receives alerts that match no notification rule').waitFor();
    const { default_channel_id } = await world.api.call('getNotificationSettings');
    expect(default_channel_id).not.toBeNull();
    expect(problems).toEqual([]);
  });

  test('create an email channel with its recipients, and send a test that arrives', async () => {
    const { organization, api } = await createWorld();
    const { page, problems } = await openAs(organization, '/notification-channels/new');
    await page.getByRole('button', { name: /^Email/ }).click();
    await page.getByRole('heading', { name: 'New email channel' }).waitFor();
    await page.getByLabel(/^Name/).first().fill('Team');
    const recipients = page.getByRole('combobox', { name: 'Recipients' });
    await recipients.fill('oncall@ops.example');
    await recipients.press('Enter');
    await recipients.fill('eve@evil.example');
    await recipients.press('Enter');
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByText(/^eve@evil\.example must be the email address of a member/).waitFor();
    await recipients.press('Backspace');
    await page.getByRole('button', { name: 'Create channel' }).click();
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await page.getByText('oncall@ops.example').first().waitFor();

    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test delivered').waitFor();
    expect(mails.mails.at(-1)).toMatchObject({ to: ['oncall@ops.example'] });
    const { items } = await api.call('listNotificationChannels');
    expect(items).toMatchObject([{ channel_type: 'email', recipients: ['oncall@ops.example'], url: null }]);

    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Digest interval (minutes)').fill('15');
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('digest every 15 minutes').waitFor();
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test('keep the secrets of a channel when it is saved again, and show each rejected value at its field', async () => {
    const world = await createWorld();
    const options = { routing_key: 'a'.repeat(32) };
    const id = await createChannel(world, 'On call', 'pager', {
      preset: 'pagerduty',
      preset_options: options,
      headers: { 'X-Team': 'platform' },
    });
    const { page, problems } = await openAs(world.organization, `/notification-channels/${id}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel(/^Name/).first().fill('Night shift');
    await form.getByRole('button', { name: 'Add header' }).click();
    await form.getByLabel('Header 2 name').fill('Host');
    await form.getByLabel('Header 2 value').fill('example.org');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText("this header can't be overridden").waitFor();
    expect(problems.splice(0).join()).toContain('400');
    await form.getByRole('button', { name: 'Remove header Host' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Night shift', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    const [received] = await world.inbox.waitFor(1);
    expect(received!.headers['x-team']).toBe('platform');
    expect(JSON.parse(received!.body)).toMatchObject(options);
    expect(problems).toEqual([]);
  });

  test('list the affected rules before a channel is deleted', async () => {
    const world = await createWorld();
    const id = await createChannel(world, 'Chat');
    await world.api.call('createNotificationRule', { body: { name: 'Only chat', channel_ids: [id] } });
    const { page, problems } = await openAs(world.organization, `/notification-channels/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Only chat').waitFor();
    await question.getByText(/will be disabled: no other channel/).waitFor();
    await question.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No channels yet').waitFor();
    await navigateInPage(page, '/notification-rules');
    await page.getByText('Disabled: channels deleted').waitFor();
    expect(problems).toEqual([]);
  });

  test('show the position of an error in a template, insert a variable with a click to fix it, and send the saved template to receivers', async () => {
    const world = await createWorld();
    const id = await createChannel(world, 'Operations');
    const { page, problems } = await openAs(world.organization, '/notification-templates');
    const editor = page.getByRole('textbox', { name: 'Template' });
    await write(page, editor, '{\n  "text": {{ alert.colour | json }}\n}');
    await page.getByText(/^Line 2, column \d+: .*alert\.colour/).waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    await page.getByText("Can't render this template.").waitFor();

    await write(page, editor, '{"severity": ');
    await page.getByRole('button', { name: /^alert\.severity string/ }).click();
    await editor.press('ControlOrMeta+End');
    await page.keyboard.insertText('}');
    await page.getByText('Valid JSON').waitFor();
    await page
      .getByRole('region', { name: 'Rendered message' })
      .getByText('"severity": "critical"')
      .waitFor();
    await page.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('Template saved').waitFor();

    await world.api.call('testNotificationChannel', { path: { id } });
    const [received] = await world.inbox.waitFor(1);
    expect(JSON.parse(received!.body)).toEqual({ severity: 'critical' });

    await page.getByRole('button', { name: 'Reset to default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to default' }).click();
    await page.getByText('Template reset to default').waitFor();
    await editor.getByText('"organization"').waitFor();
    expect(problems).toEqual([]);
  });

  test('let keyboard users leave the template editor with Escape and then Tab', async () => {
    const world = await createWorld();
    const { page } = await openAs(world.organization, '/notification-templates');
    const editor = page.getByRole('textbox', { name: 'Template' });
    await editor.click();
    await page.keyboard.press('Tab');
    expect(await hasFocus(editor)).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    expect(await hasFocus(editor)).toBe(false);
  });

  test('customize a template for one channel', async () => {
    const world = await createWorld();
    const id = await createChannel(world, 'Chat', 'chat', { preset: 'slack' });
    const { page, problems } = await openAs(world.organization, `/notification-channels/${id}`);
    await page.getByRole('button', { name: 'Customize: New alerts' }).click();
    const dialog = page.getByRole('dialog');
    await write(page, dialog.getByRole('textbox', { name: 'Template' }), '{"own": {{ event | json }}}');
    await dialog.getByRole('region', { name: 'Rendered message' }).getByText('"own"').waitFor();
    await dialog.getByRole('button', { name: 'Save template' }).click();
    await page.getByText('custom template').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    const [received] = await world.inbox.waitFor(1);
    expect(JSON.parse(received!.body)).toEqual({ own: 'channel.test' });
    expect(problems).toEqual([]);
  });

  test('create a rule, move it before another, and simulate who is notified and why the others are not', async () => {
    const world = await createWorld();
    const { api } = world;
    const pager = await createChannel(world, 'On call');
    const chat = await createChannel(world, 'Chat');
    const fallback = await createChannel(world, 'Operations');
    await api.call('updateNotificationSettings', { body: { default_channel_id: fallback } });
    await api.call('createNotificationRule', {
      body: { name: 'All to chat', channel_ids: [chat], severities: ['moderate'], priority: 10 },
    });
    const { page, problems } = await openAs(world.organization, '/notification-rules');
    await page.getByRole('link', { name: 'New notification rule' }).click();
    await page.getByRole('heading', { name: 'New notification rule' }).waitFor();
    await page.getByLabel(/^Name/).first().fill('Platform to on call');
    await page.getByRole('checkbox', { name: 'Critical' }).check();
    await page.getByRole('button', { name: 'Add condition' }).click();
    await page.getByLabel('Label 1').fill('team');
    await page.getByLabel('Value 1').fill('platform');
    await page.getByRole('button', { name: 'Create notification rule' }).click();
    await page.getByText('Select at least one channel, or use the default channel.').waitFor();
    await page.getByPlaceholder('Choose channels').click();
    await page.getByRole('option', { name: 'On call' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('Summary: critical; label team = platform → On call').waitFor();
    await page.getByRole('button', { name: 'Create notification rule' }).click();

    const rules = page.getByRole('list', { name: 'Notification rules in order' }).locator('> li');
    await rules.nth(1).getByText('Platform to on call').waitFor();
    await page.getByRole('button', { name: 'Move Platform to on call up' }).click();
    await rules.nth(0).getByText('Platform to on call').waitFor();
    const { items } = await api.call('listNotificationRules', { query: { sort: 'priority' } });
    expect(items.map(({ name, channel_ids }) => [name, channel_ids])).toEqual([
      ['Platform to on call', [pager]],
      ['All to chat', [chat]],
    ]);

    await page.getByRole('button', { name: 'Simulate' }).click();
    const answer = page.getByRole('region', { name: 'Simulate an alert' }).getByRole('status');
    await answer.getByText(/Operations \(default channel, no rule matches\): notified immediately/).waitFor();
    await rules.nth(0).getByText('Label: expected team = "platform", got none').waitFor();
    await rules.nth(1).getByText('Severity: expected moderate, got critical').waitFor();
    await page.getByRole('button', { name: 'Add label' }).click();
    await page.getByLabel('Label 1 key').fill('team');
    await page.getByLabel('Label 1 value').fill('platform');
    await answer.getByText(/On call \(Platform to on call\): notified immediately/).waitFor();
    await rules.nth(0).getByText('Matches', { exact: true }).waitFor();

    await api.call('updateNotificationRule', { path: { id: items[0]!.id }, body: { stop_processing: true } });
    await api.call('updateNotificationRule', { path: { id: items[1]!.id }, body: { severities: [] } });
    await api.call('toggleNotificationChannel', { path: { id: pager } });
    await rules.nth(0).getByText('all its channels are disabled').waitFor();
    await rules.nth(1).getByText('"Platform to on call" stops processing').waitFor();
    await answer
      .getByText(/On call \(Platform to on call\): not notified, the channel is disabled/)
      .waitFor();
    expect(world.inbox.requests).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('assign owners to team channels, and send alerts to the owners or to the default channel with one rule', async () => {
    const world = await createWorld();
    const { api } = world;
    const labels = { owner: 'acme/payments' };
    await createMonitoredSoftware(server, world.organization, { labels });
    const team = await createChannel(world, 'Payments');
    const fallback = await createChannel(world, 'Operations');
    await api.call('updateNotificationSettings', { body: { default_channel_id: fallback } });
    const { page, problems } = await openAs(world.organization, `/notification-channels/${team}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Owners').click();
    await page.getByRole('option', { name: 'acme/payments' }).click();
    await dialog.getByLabel('Owners').fill('Team A');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('acme/payments, Team A').waitFor();
    expect(await api.call('getNotificationChannel', { path: { id: team } })).toMatchObject({
      owners: ['acme/payments', 'Team A'],
    });

    await navigateInPage(page, '/notification-rules/new');
    await page.getByLabel(/^Name/).first().fill('To the owners');
    await page.getByRole('switch', { name: "Send to the owner's channels" }).check();
    await page.getByText("→ the owner's channels, otherwise the default channel").waitFor();
    await page.getByRole('button', { name: 'Create notification rule' }).click();
    await page.getByText("the owner's channels, otherwise default channel: Operations").waitFor();

    await page.getByRole('button', { name: 'Simulate' }).click();
    const answer = page.getByRole('region', { name: 'Simulate an alert' }).getByRole('status');
    await answer
      .getByText('Operations (To the owners; no enabled channel lists the owner): notified immediately')
      .waitFor();
    await page.getByRole('button', { name: 'Add label' }).click();
    await page.getByLabel('Label 1 key').fill('owner');
    await page.getByLabel('Label 1 value').fill('@acme/payments');
    await answer.getByText('Payments (To the owners): notified immediately').waitFor();
    expect(problems).toEqual([]);
  });

  test('silence selected alerts by the labels that they share, and end the silence on its page', async () => {
    const world = await createWorld();
    const { api } = world;
    const channel = await createChannel(world, 'Operations');
    await api.call('updateNotificationSettings', { body: { default_channel_id: channel } });
    const labels = { team: 'payments', env: 'production' };
    await createMonitoredSoftware(server, world.organization, { labels });
    const { page, problems } = await openAs(world.organization, '/alerts');
    await page.getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Silence alerts like these' }).click();
    const dialog = page.getByRole('dialog', { name: 'New silence' });
    await dialog.getByText('Matches 1 open alert.').waitFor();
    expect(await dialog.getByLabel('Label 1').inputValue()).toBe('env');
    expect(await dialog.getByLabel('Value 2').inputValue()).toBe('payments');
    await dialog.getByRole('button', { name: 'Create silence' }).click();
    await dialog.getByText('Enter a reason.').waitFor();
    await dialog.getByLabel('Reason').fill('Database maintenance');
    await dialog.getByRole('button', { name: 'Create silence' }).click();
    await page
      .getByText(/silenced/)
      .first()
      .waitFor();

    await navigateInPage(page, '/silences');
    await page.getByText('label env = production; label team = payments').waitFor();
    await page.getByRole('button', { name: 'Actions for Database maintenance' }).click();
    await page.getByRole('menuitem', { name: 'End now' }).click();
    await page.getByText('Ended', { exact: true }).first().waitFor();
    const { items: silences } = await api.call('listSilences');
    expect(silences).toMatchObject([{ reason: 'Database maintenance', status: 'ended' }]);
    expect(problems).toEqual([]);
  });

  test('list dead letters, show their failed attempts, and retry them', async () => {
    const world = await createWorld();
    const { api, inbox } = world;
    inbox.answerAlways({ status: 503, body: 'busy' });
    await api.call('putOrgOverride', {
      path: { key: 'delivery.retry_schedule_seconds' },
      body: { value: [1] },
    });
    const channel = await createChannel(world, 'Operations');
    await api.call('updateNotificationSettings', { body: { default_channel_id: channel } });
    await createMonitoredSoftware(server, world.organization);
    const { page, problems } = await openAs(world.organization, '/notification-deliveries');
    // The delivery becomes a dead letter while the page is open, and the page updates automatically.
    await page.getByRole('cell', { name: 'Dead letter', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Dead letters' }).click();
    await page.getByRole('link', { name: 'New alert' }).click();
    await page.getByText('The receiver returned 503').first().waitFor();
    await page.getByText('Attempt 2', { exact: true }).waitFor();
    await page.getByText('Response', { exact: true }).first().click();
    await page.getByRole('region', { name: 'Response to attempt 2' }).getByText('busy').waitFor();
    await page.getByRole('region', { name: 'Message' }).getByText('"alert.created"').first().waitFor();
    await page.getByRole('link', { name: 'View alert' }).waitFor();

    await page.goBack();
    inbox.answerAlways({ status: 200 });
    await page.getByRole('button', { name: 'Retry delivery' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('Retry 1 dead letter?').waitFor();
    await question.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('1 delivery queued for retry.').waitFor();
    await page.getByText('No dead letters').waitFor();
    await page.getByRole('tab', { name: 'All' }).click();
    await page.getByRole('cell', { name: 'Delivered', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('show a retry for a disabled channel as waiting, and send it when the channel is enabled', async () => {
    const world = await createWorld();
    const { api, inbox } = world;
    inbox.answerAlways({ status: 503 });
    await api.call('putOrgOverride', {
      path: { key: 'delivery.retry_schedule_seconds' },
      body: { value: [1] },
    });
    const id = await createChannel(world, 'Operations');
    await api.call('updateNotificationSettings', { body: { default_channel_id: id } });
    await createMonitoredSoftware(server, world.organization);
    const { page, problems } = await openAs(world.organization, '/notification-deliveries');
    await page.getByRole('cell', { name: 'Dead letter', exact: true }).waitFor();
    await api.call('toggleNotificationChannel', { path: { id } });
    await page.getByRole('link', { name: 'New alert' }).click();
    await expect.poll(() => page.getByText('The receiver returned 503').count()).toBe(2);
    await page.getByRole('link', { name: 'Edit channel' }).click();
    await page.getByRole('dialog', { name: 'Edit channel' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Waiting for its channel to be enabled', { exact: true }).waitFor();
    await page.getByText('2 of 4', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.goBack();
    await page.getByRole('cell', { name: /Waiting for its channel to be enabled\./ }).waitFor();

    inbox.answerAlways({ status: 200 });
    await api.call('toggleNotificationChannel', { path: { id } });
    await page.getByRole('cell', { name: 'Delivered', exact: true }).waitFor();
    expect(problems).toEqual([]);
  });

  test('show an overdue delivery as due now and a later one as waiting for earlier messages, but no past time', async () => {
    const world = await createWorld();
    const { api, inbox } = world;
    inbox.answerAlways({ status: 503 });
    await api.call('putOrgOverride', {
      path: { key: 'delivery.retry_schedule_seconds' },
      body: { value: [3_600] },
    });
    const channel = await createChannel(world, 'Operations');
    await api.call('updateNotificationSettings', { body: { default_channel_id: channel } });
    await createMonitoredSoftware(server, world.organization);
    const { page, problems } = await openAs(world.organization, '/notification-deliveries');
    await page.getByText(/Next attempt: in (\d+ minutes|[12] hours?)/).waitFor();
    const { items: alerts } = await api.call('listAlerts', { query: {} });
    // The delivery of the acknowledgment waits until the first delivery is final.
    await api.call('acknowledgeAlert', { path: { id: alerts[0]!.id } });
    await page.reload();
    await page.getByText('Next attempt: due now.').waitFor();
    await page.getByText('Waiting for earlier messages.').waitFor();
    expect(await page.getByText(/Next attempt: [^.]* ago/).count()).toBe(0);
    expect(await page.getByRole('link', { name: alerts[0]!.alert_config_name }).count()).toBe(2);
    await page.getByRole('link', { name: /acknowledged/i }).click();
    await page.getByText("After the channel's earlier messages").waitFor();
    expect(problems).toEqual([]);
  });

  test('show a viewer all pages, but no secret URL and no action without permission', async () => {
    const world = await createWorld();
    const { api, organization } = world;
    const id = await createChannel(world, 'Operations', 'secret-path');
    const { id: ruleId } = await api.call('createNotificationRule', {
      body: { name: 'All', channel_ids: [id] },
    });
    await createMonitoredSoftware(server, organization);
    await world.inbox.waitFor(1);
    const viewer = {
      email: `viewer-${randomBytes(4).toString('hex')}@example.org`,
      password: 'a password for a viewer',
    };
    await createUser(server.db, { organizationId: organization.id, role: 'viewer', user: viewer });
    const { page, problems } = await openAs(viewer, `/notification-channels/${id}`);
    await page.getByText(/^http:\/\/127\.0\.0\.1:\d+\/…$/).waitFor();
    expect(await page.content()).not.toContain('secret-path');
    const offered = async () => page.locator('main').getByRole('button').allInnerTexts();
    expect(await offered()).toEqual(['Created', 'Print', 'Export CSV']);
    for (const [path, text, buttons] of [
      ['/notification-channels', 'Operations', ['Name', 'Print', 'Export CSV']],
      [`/notification-rules/${ruleId}`, 'Conditions', []],
      ['/notification-deliveries', 'All', ['Created', 'Print', 'Export CSV']],
    ] as const) {
      await navigateInPage(page, path);
      await page.getByText(text, { exact: true }).first().waitFor();
      expect([path, await offered()]).toEqual([path, buttons]);
    }
    await navigateInPage(page, '/notification-templates');
    await page.getByRole('textbox', { name: 'Template' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Template' }).getAttribute('aria-readonly')).toBe('true');
    expect(await page.getByRole('button', { name: 'Save template' }).count()).toBe(0);
    await navigateInPage(page, '/notification-rules');
    await page.getByText('all alert events').waitFor();
    expect(await page.getByRole('button', { name: /^Move|Save/ }).count()).toBe(0);
    expect(problems).toEqual([]);
  });

  // In short test runs, `every-page.slow.test.ts` checks these pages with less content.
  test.runIf(isLong).each(['light', 'dark'] as const)(
    'are accessible in %s colors and fit a narrow screen',
    async (colorScheme) => {
      const world = await createWorld();
      const channel = await createChannel(world, 'Operations');
      await world.api.call('createNotificationRule', { body: { name: 'All', channel_ids: [channel] } });
      await createMonitoredSoftware(server, world.organization);
      await world.inbox.waitFor(1);
      const { page, problems } = await openAs(world.organization, '/notification-channels');
      await page.emulateMedia({ colorScheme });
      const { items } = await world.api.call('listNotificationDeliveries', { query: {} });
      const found: string[] = [];
      for (const [path, text] of [
        ['/notification-channels', 'Operations'],
        ['/notification-channels/new', 'Mattermost'],
        ['/notification-channels/new?preset=telegram', 'Create channel'],
        [`/notification-channels/${channel}`, 'Status'],
        ['/notification-templates', 'Valid JSON'],
        ['/notification-rules', 'Simulate'],
        ['/notification-rules/new', 'Create notification rule'],
        ['/notification-deliveries', 'Export CSV'],
        [`/notification-deliveries/${items[0]!.id}`, 'Copy message'],
      ] as const) {
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(`${server.url}${path}`);
          await page.getByText(text).first().waitFor();
          const serious = await seriousViolations(page);
          found.push(...serious.map((violation) => `${path} at ${width}: ${violation}`));
          if (await scrollsSideways(page)) found.push(`${path} scrolls sideways at ${width}`);
        }
      }
      expect(found).toEqual([]);
      expect(problems).toEqual([]);
    },
  );

  interface World {
    organization: TestOrganization;
    inbox: WebhookInbox;
    api: TestOrganization['api'];
  }
});

type Locator = ReturnType<Page['locator']>;

/**
 * Replaces the text of the editor as pasting does, so that the editor doesn't close brackets or indent lines.
 */
async function write(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.click();
  await editor.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

const hasFocus = (editor: Locator): Promise<boolean> =>
  editor.evaluate((element) => element.matches(':focus'));
