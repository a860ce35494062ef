/**
 * The scenes are page states that appear only after an action: dialogs, menus, errors, printed pages, and the
 * documentation.
 */
import type { Page } from 'playwright-core';
import { createApiClient } from '../src/client/api-client.ts';
import { createOrganization } from '../src/modules/accounts/index.ts';
import type { Database } from '../src/platform/database/index.ts';
import type { PageWorld } from '../tests/helpers/page-world.ts';
import { channelPlatforms } from '../web/src/components/channel-platform.ts';

export interface Scene {
  name: string;
  path: string;
  /** User of the scene. `stranger` means that no user is logged in. */
  as?: 'owner' | 'viewer' | 'stranger' | 'newcomer' | 'wordy';
  /** Runs before the page opens. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Runs after the page loads. */
  act?: (page: Page) => Promise<unknown>;
  isPrinted?: boolean;
}

/** Users of the scenes, in addition to those of the page tests. */
export const sceneLogins = {
  newcomer: { email: 'nina@example.org', password: 'a password of the newcomer' },
  wordy: { email: 'walter@example.org', password: 'a password of the wordy' },
};

export async function buildSceneWorld(db: Database, { url }: PageWorld): Promise<Record<string, number>> {
  await createOrganization(db, { name: 'Nothing yet', owner: sceneLogins.newcomer });
  await createOrganization(db, {
    name: 'Gesellschaft für Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau mbH',
    owner: sceneLogins.wordy,
  });
  const { access_token: token } = await createApiClient({ baseUrl: url }).call('login', {
    body: sceneLogins.wordy,
  });
  const api = createApiClient({ baseUrl: url, token });
  const word = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
  const names = [
    `${word} ${word}`,
    'خدمة الدفع الإلكتروني (production)',
    'a'.repeat(200),
    'registry.example.org/platform/team-of-the-north/very/deep/path/to/the/image-of-the-service',
  ];
  const rule = await api.call('createRule', {
    body: {
      name: `${word}: ${word}`,
      rule_type: 'days_behind',
      description: `${word} `.repeat(8).trim(),
      thresholds: {
        moderate: 30,
        high: 90,
      },
    },
  });
  const source = await api.call('createGatherJob', {
    body: {
      name: names[3]!,
      source_type: 'github_releases',
      is_active: false,
      artifact_name: `github.com/${'organization'.repeat(3)}/${'repository'.repeat(9)}`,
    },
  });
  const labels = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `key-${index}-${'of-a-label-'.repeat(index % 3)}`.slice(0, 60).replace(/-$/, ''),
      index % 4 === 0 ? word : `value ${index}`,
    ]),
  );
  const ids: Record<string, number> = {};
  for (const [index, name] of names.entries()) {
    const { id } = await api.call('createScrapeJob', {
      body: { name, parser_type: 'manual', labels: index === 1 ? { team: 'المدفوعات' } : labels },
    });
    const version = `2026.11.24-${'0123456789abcdef'.repeat(3)}${index}`;
    await api.call('setScrapeJobVersion', { path: { id }, body: { version } });
    const body = { name: name.slice(0, 190), scrape_job_id: id, gather_job_id: source.id, rule_id: rule.id };
    const config = await api.call('createAlertConfig', { body: { ...body, labels } });
    if (index < 2) Object.assign(ids, { [`wordy-${index}`]: id, [`wordy-config-${index}`]: config.id });
  }
  ids['wordy-rule'] = rule.id;
  ids['wordy-source'] = source.id;
  return ids;
}

const button = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const item = (name: string | RegExp) => (page: Page) => page.getByRole('menuitem', { name }).first().click();
const key = (keys: string) => (page: Page) => page.keyboard.press(keys);
const steps =
  (...all: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const each of all) await each(page);
  };
const rowMenu = (...names: (string | RegExp)[]) =>
  steps(button(/^Actions for /), ...names.map((name) => item(name)));
const select = async (page: Page) => {
  const boxes = page.getByRole('row').getByRole('checkbox');
  for (const index of [1, 2, 4]) await boxes.nth(index).check();
};
const fill = (label: string | RegExp, text: string) => (page: Page) =>
  page.getByRole('dialog').getByLabel(label).first().fill(text);

/** Returns the scenes of a fleet. */
export async function scenesOf(world: PageWorld, db: Database): Promise<Scene[]> {
  const ids = await buildSceneWorld(db, world);
  const first = (path: string, index = 0) => path.replace('$id', String(world.ids[path]?.[index]));
  const [alert, source, failing] = [
    first('/alerts/$id'),
    first('/gather-jobs/$id'),
    first('/gather-jobs/$id', 1),
  ];
  const [tracker, monitor] = [first('/scrape-jobs/$id', 1), first('/alert-configs/$id')];
  const [channel, repository] = [first('/notification-channels/$id'), first('/discovery/$id')];
  const edit = button('Edit');
  const { user_code: code } = await createApiClient({ baseUrl: world.url }).call('startDeviceLogin');
  return [
    ...channelPlatforms.map((platform) => ({
      name: `channel-${platform}`,
      path: `/notification-channels/new?preset=${platform}`,
      act: button('Advanced options'),
    })),
    { name: 'today-team', path: '/', act: button(/^shop /) },
    { name: 'today-details', path: '/', act: (page) => page.locator('summary').first().click() },
    {
      name: 'environments-hint',
      path: '/environments',
      act: (page) =>
        page
          .getByRole('button', { name: / in production: / })
          .nth(3)
          .focus(),
    },
    { name: 'edit-source', path: source, act: button('Edit upstream source') },
    { name: 'edit-tracker', path: tracker, act: button('Edit version tracker') },
    { name: 'edit-helm', path: first('/helm-sync-jobs/$id'), act: edit },
    { name: 'edit-rule', path: first('/rules/$id', 1), act: edit },
    { name: 'edit-monitor', path: monitor, act: button('Edit monitor') },
    { name: 'edit-notification-rule', path: first('/notification-rules/$id'), act: edit },
    { name: 'edit-channel', path: channel, act: edit },
    { name: 'edit-discovery', path: repository, act: edit },
    { name: 'channel-template', path: channel, act: button('Customize: New alerts') },
    { name: 'delete-source', path: source, act: steps(button('Actions for terraform'), item('Delete')) },
    { name: 'delete-tracker', path: tracker, act: rowMenu('Delete') },
    { name: 'failing-source', path: failing },
    { name: 'missing-tracker', path: first('/scrape-jobs/$id', 2) },
    { name: 'new-silence', path: '/silences', act: button('New silence') },
    { name: 'edit-silence', path: '/silences', act: rowMenu('Edit') },
    { name: 'new-api-key', path: '/api-keys', act: button('New API key') },
    {
      name: 'created-api-key',
      path: '/api-keys',
      act: steps(button('New API key'), fill(/^Name/, 'Deploy'), button('Create API key')),
    },
    { name: 'edit-api-key', path: '/api-keys', act: rowMenu('Edit') },
    { name: 'revoke-api-key', path: '/api-keys', act: rowMenu('Revoke') },
    { name: 'new-trust', path: '/deployment-trusts', act: button('New trust') },
    { name: 'new-hook', path: '/hooks', act: button('New hook') },
    {
      name: 'created-hook',
      path: '/hooks',
      act: steps(button('New hook'), fill(/^Name/, 'Deployments'), button('Create hook')),
    },
    { name: 'new-audit-export', path: '/audit-exports', act: button('New audit export') },
    { name: 'invite-member', path: '/members', act: button('Invite member') },
    {
      name: 'invited-member',
      path: '/members',
      act: steps(
        button('Invite member'),
        fill(/^Email/, 'olga@example.org'),
        button(/^(Create|Send) invitation/),
      ),
    },
    { name: 'member-menu', path: '/members', act: rowMenu() },
    { name: 'remove-member', path: '/members', act: rowMenu('Remove') },
    { name: 'add-agent', path: '/agents', act: button('Add agent') },
    { name: 'new-target', path: '/freshness', act: button('New target') },
    { name: 'alerts-selected', path: '/alerts', act: select },
    { name: 'alerts-more', path: '/alerts', act: steps(select, button('More actions')) },
    ...['Snooze', 'Resolve', 'Assign', 'Comment', 'Silence alerts like these'].map((action) => ({
      name: `alerts-${action.toLowerCase().split(' ')[0]!}`,
      path: '/alerts',
      act: steps(select, button('More actions'), item(new RegExp(`^${action}`))),
    })),
    {
      name: 'alerts-acknowledge',
      path: '/alerts',
      act: steps(select, button('More actions'), item('Acknowledge with a comment')),
    },
    { name: 'alert-row-menu', path: '/alerts', act: rowMenu() },
    { name: 'alert-menu', path: alert, act: button('More') },
    { name: 'alert-snooze', path: alert, act: steps(button('More'), item(/^Custom/)) },
    { name: 'alert-resolve', path: alert, act: steps(button('More'), item('Resolve')) },
    { name: 'alert-ignore', path: alert, act: steps(button('More'), item(/^Ignore/)) },
    { name: 'alert-snoozed', path: first('/alerts/$id', 2) },
    { name: 'alert-resolved', path: first('/alerts/$id', 3) },
    { name: 'software-selected', path: '/software', act: select },
    ...['Label', 'Change rule', 'Disable', 'Delete'].map((action) => ({
      name: `software-${action.toLowerCase().split(' ').at(-1)!}`,
      path: '/software',
      act: steps(select, button(action)),
    })),
    { name: 'software-columns', path: '/software', act: button('Columns') },
    { name: 'software-groups', path: '/software?group=team' },
    { name: 'saved-views', path: '/software', act: button('Views') },
    { name: 'save-view', path: '/software', act: steps(button('Views'), item('Save this view')) },
    { name: 'promotion', path: '/environments?view=promotion' },
    { name: 'environment-cell', path: '/environments', act: button(/^Show /) },
    { name: 'compare-environments', path: '/environments', act: button('Compare environments') },
    { name: 'palette', path: '/', act: key('Control+k') },
    {
      name: 'palette-results',
      path: '/',
      act: steps(key('Control+k'), (page) => page.locator('[role=dialog] input').fill('checkout')),
    },
    { name: 'keyboard-help', path: '/', act: key('?') },
    { name: 'user-menu', path: '/', act: button(/^Acme/) },
    { name: 'subscribe', path: '/forecast', act: button('Subscribe to calendar') },
    { name: 'edit-setting', path: '/settings', act: edit },
    { name: 'simulate', path: '/notification-rules', act: button('Simulate') },
    { name: 'accept', path: repository, act: button('Accept all') },
    { name: 'correct', path: repository, act: rowMenu('Correct') },
    { name: 'found-artifacts', path: `${repository}?group_by=artifact` },
    { name: 'two-factor-setup', path: '/account', act: setUpTwoFactor(world.owner.password) },
    { name: 'device-approval', path: `/device?code=${code}` },
    { name: 'device-unknown', path: '/device?code=AAAA-BBBB' },
    { name: 'login-providers', path: '/login', as: 'stranger', prepare: offerProviders },
    { name: 'login-refused', path: '/login?sso_error=no_access', as: 'stranger', prepare: offerProviders },
    { name: 'login-wrong', path: '/login', as: 'stranger', act: logInWith('vera@example.org', 'wrong') },
    {
      name: 'login-code',
      path: '/login',
      as: 'stranger',
      prepare: askForCode,
      act: logInWith('vera@example.org', 'a password'),
    },
    { name: 'docs', path: '/docs', as: 'stranger' },
    ...['concepts', 'notifications', 'rules', 'configuration', 'cli', 'reliability', 'getting-started'].map(
      (page) => ({ name: `docs-${page}`, path: `/docs/${page}`, as: 'stranger' as const }),
    ),
    { name: 'swagger', path: '/api/v1/swagger', as: 'stranger' },
    ...['/freshness/report', alert, '/forecast', '/support', '/software', '/environments'].map((path) => ({
      name: `print-${path.slice(1).replaceAll('/', '-').replace(/\d+/, 'one')}`,
      path,
      // Replace `print`, because a headless browser closes the dialog immediately and removes the printed rows with it.
      prepare: (page: Page) => page.addInitScript('window.print = () => {}'),
      act: key('Control+p'),
      isPrinted: true,
    })),
    { name: 'server-away', path: '/alerts', prepare: (page) => failAll(page, 'abort') },
    { name: 'server-error', path: '/alerts', prepare: (page) => failAll(page, 'fail') },
    { name: 'deleted', path: '/alerts/999999' },
    { name: 'unknown-page', path: '/nowhere' },
    { name: 'not-allowed', path: '/members', as: 'viewer' },
    ...['/alerts', '/software', '/settings', '/notification-channels', monitor, channel].map((path) => ({
      name: `viewer-${path.slice(1).replace(/\/.*/, '-one')}`,
      path,
      as: 'viewer' as const,
    })),
    ...['', 'software', 'environments', 'freshness', 'freshness/report', 'alerts', 'forecast', 'support'].map(
      (page) => ({
        name: `empty-${page === '' ? 'today' : page.replace('/', '-')}`,
        path: `/${page}`,
        as: 'newcomer' as const,
      }),
    ),
    ...[
      'gather-jobs',
      'scrape-jobs',
      'helm-sync-jobs',
      'discovery',
      'alert-configs',
      'rules',
      'versions',
      'notification-channels',
      'notification-rules',
      'notification-deliveries',
      'silences',
      'releases',
      'agents',
      'api-keys',
      'deployment-trusts',
      'hooks',
      'audit-exports',
      'members',
      'audit-log',
    ].map((page) => ({ name: `empty-${page}`, path: `/${page}`, as: 'newcomer' as const })),
    ...['software', 'alert-configs', 'scrape-jobs', 'gather-jobs', 'rules', 'alerts', 'environments'].map(
      (page) => ({ name: `wordy-${page}`, path: `/${page}`, as: 'wordy' as const }),
    ),
    { name: 'wordy-software-item', path: `/software/${ids['wordy-0']}`, as: 'wordy' },
    { name: 'wordy-rtl', path: `/software/${ids['wordy-1']}`, as: 'wordy' },
    { name: 'wordy-monitor', path: `/alert-configs/${ids['wordy-config-0']}`, as: 'wordy' },
    {
      name: 'wordy-edit-monitor',
      path: `/alert-configs/${ids['wordy-config-0']}`,
      as: 'wordy',
      act: button('Edit monitor'),
    },
    { name: 'wordy-rule', path: `/rules/${ids['wordy-rule']}`, as: 'wordy' },
    { name: 'wordy-source', path: `/gather-jobs/${ids['wordy-source']}`, as: 'wordy' },
  ];
}

const setUpTwoFactor = (password: string) => async (page: Page) => {
  const section = page.getByRole('region', { name: 'Two-factor authentication' });
  await section.locator('input[type=password]').fill(password);
  await section.getByRole('button', { name: 'Set up two-factor authentication' }).click();
  await section.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
};

const logInWith = (email: string, password: string) => async (page: Page) => {
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
};

/** Simulates sign-on providers that an operator has configured. */
const offerProviders = (page: Page) =>
  page.route('**/api/v1/auth/providers', (route) =>
    route.fulfill({
      json: {
        password_login: true,
        providers: ['Example Corp', 'GitHub'].map((name) => ({ id: name, name, login_url: '/login' })),
      },
    }),
  );

const askForCode = (page: Page) =>
  page.route('**/api/v1/auth/login', (route) =>
    route.fulfill({
      status: 400,
      json: {
        status: 400,
        code: 'validation_failed',
        title: 'The request is invalid.',
        request_id: '1',
        detail: 'code is required',
        errors: [
          {
            field: 'code',
            message: 'is required',
          },
        ],
      },
    }),
  );

const failAll = (page: Page, how: 'abort' | 'fail') =>
  page.route(/\/api\/v1\/(?!auth\/me\b)(?!auth\/)/, (route) =>
    how === 'abort'
      ? route.abort()
      : route.fulfill({
          status: 500,
          json: {
            status: 500,
            code: 'internal',
            title: 'Something failed on the server.',
            detail: 'Something failed on the server.',
            request_id: '2f011552-cb21-4a03-989e-79545385ee37',
          },
        }),
  );
