import { createHmac } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/client/api-client.ts';
import { createAcknowledgeToken } from '../../src/modules/notifications/index.ts';
import { readConfig } from '../../src/platform/config.ts';
import { createTokenSigner } from '../../src/platform/secrets/index.ts';
import { insertAlerts } from '../../src/server/server-fixture.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { fillLogin, navigate } from '../helpers/browser-checks.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { type LoginProvider, startLoginProvider } from '../helpers/login-provider.ts';
import { TestBrowserSession, writeProviderFile } from '../helpers/sign-on-world.ts';
import {
  startTestServer,
  type TestOrganization,
  type TestServer,
  testSecretKey,
} from '../helpers/test-server.ts';
import { findFreePort, nginxPath, noNginxSuffix, startNginx } from '../helpers/upstreams/nginx-proxy.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

const json = { 'content-type': 'application/json' };
const page = { accept: 'text/html' };
const rule = { name: 'Majors', rule_type: 'majors_behind', thresholds: { moderate: 1 } } as const;

let count = 0;

describe.skipIf(nginxPath === null)(`a base path behind nginx${noNginxSuffix}`, () => {
  describe.each([
    ['kept', ''],
    ['stripped', '/'],
  ])('that the proxy has %s', (_form, path) => {
    let server: TestServer;
    let provider: LoginProvider;
    let organization: TestOrganization;
    let origin: string;
    let baseUrl: string;

    beforeAll(async () => {
      await ensureWebPage();
      const port = await findFreePort();
      origin = `http://127.0.0.1:${port}`;
      baseUrl = `${origin}/pacekeeper`;
      provider = await startLoginProvider({ redirectUris: () => [`${baseUrl}/sso/corp/callback`] });
      server = await startTestServer({
        PACEKEEPER_BASE_URL: baseUrl,
        PACEKEEPER_TRUSTED_PROXIES: '127.0.0.1',
        PACEKEEPER_OIDC_FILE: writeProviderFile({
          corp: { provider, settings: { groups: [{ group: 'ops', organization: 'Acme', role: 'admin' }] } },
        }),
      });
      await server.createOrganization('Acme');
      const nginx = await startNginx(
        port,
        `    location /pacekeeper/ {
      proxy_pass ${server.url}${path};
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }`,
      );
      atEndOfFile(() => nginx.close());
    });
    beforeEach(async () => {
      organization = await server.createOrganization(`Team ${++count}`);
    });

    test.each(['/', '/alerts/5', '/docs', '/docs/rules', '/api/v1/swagger'])(
      'is part of every link in the document at %s',
      async (document) => {
        const response = await fetch(baseUrl + document, { headers: page });
        expect(response.status).toBe(200);
        const links = [...(await response.text()).matchAll(/\s(?:href|src)="([^"#]+)/g)]
          .map(([, link]) => new URL(link!, response.url))
          .filter((url) => url.origin === origin);
        expect(links.length).toBeGreaterThan(3);
        for (const { href } of links) {
          expect(href).toContain(`${baseUrl}/`);
          expect((await fetch(href, { headers: page })).status, href).toBe(200);
        }
      },
    );

    test('is in every URL that a response contains', async () => {
      const root = (await (await fetch(`${baseUrl}/`)).json()) as Record<string, string>;
      for (const name of ['docs', 'api_reference', 'api_description'])
        expect((await fetch(origin + root[name]!)).status, root[name]).toBe(200);
      expect(root['api']).toBe('/pacekeeper/api/v1/client');
      const described = await fetch(`${baseUrl}/api/v1/swagger/openapi-client.json`);
      expect(await described.json()).toMatchObject({ servers: [{ url: root['api'] }] });
      expect(await (await fetch(`${baseUrl}/api/v1/swagger/start.js`)).text()).toContain(
        '"/pacekeeper/api/v1/swagger/openapi-client.json"',
      );
      const { providers } = await createApiClient({ baseUrl }).call('listLoginProviders');
      expect(providers[0]!.login_url).toBe('/pacekeeper/sso/corp/login');
    });

    test('is in the Location header of a created resource, and in its other URLs', async () => {
      const { email, password } = organization;
      const client = createApiClient({ baseUrl });
      const { access_token } = await client.call('login', { body: { email, password } });
      const headers = { ...json, authorization: `Bearer ${access_token}` };
      const bodies = { rules: rule, 'api-keys': { name: 'a', role: 'viewer' } };
      for (const [list, body] of Object.entries(bodies)) {
        const url = `${baseUrl}/api/v1/client/${list}`;
        const created = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
        expect(created.status, await created.clone().text()).toBe(201);
        const location = created.headers.get('location')!;
        expect(location).toMatch(new RegExp(`^/pacekeeper/api/v1/client/${list}/\\d+$`));
        expect((await fetch(origin + location, { headers })).status).toBe(200);
      }
      const api = createApiClient({ baseUrl, apiKey: organization.apiKey });
      const hook = await api.call('createHook', { body: { name: 'ci', kind: 'github' } });
      const body = JSON.stringify({ zen: 'ping' });
      const signature = createHmac('sha256', hook.secret).update(body).digest('hex');
      const sent = await fetch(hook.url, {
        method: 'POST',
        body,
        headers: { ...json, 'x-github-event': 'ping', 'x-hub-signature-256': `sha256=${signature}` },
      });
      expect([hook.url.startsWith(`${baseUrl}/hooks/`), sent.status]).toEqual([true, 202]);
      const { url } = await api.call('getForecastCalendar');
      expect([url!.startsWith(`${baseUrl}/calendar/`), (await fetch(url!)).status]).toEqual([true, 200]);
      await insertAlerts(server.db, organization.id, { name: 'payments' });
      const { items } = await api.call('listAlertConfigs', {});
      const badge = await api.call('getAlertConfigBadge', { path: { id: items[0]!.id } });
      expect(badge.markdown).toContain(`${baseUrl}/alert-configs/`);
      expect((await fetch(badge.url)).status).toBe(200);
    });

    test('is in the acknowledge page and its login link', async () => {
      const channel = await organization.api.call('createNotificationChannel', {
        body: { name: 'Ops', url: 'http://127.0.0.1:9/hook', require_login_to_acknowledge: true },
      });
      const { alertIds } = await insertAlerts(server.db, organization.id, { name: 'payments' });
      const signer = createTokenSigner({ purpose: 'acknowledge-link', current: testSecretKey });
      const target = { organizationId: organization.id, alertId: alertIds[0]!, channelId: channel.id };
      const token = createAcknowledgeToken(signer, target, new Date());
      const text = await (await fetch(`${baseUrl}/ack/${token}`)).text();
      expect(text).toContain(`href="/pacekeeper/login?next=${encodeURIComponent(`/ack/${token}`)}"`);
    });

    test('is in the redirects and cookies of single sign-on', async () => {
      provider.accounts.set('ada', {
        sub: 'ada',
        email: 'ada@corp.example',
        email_verified: true,
        name: 'Ada',
        groups: ['ops'],
      });
      provider.loginAs = 'ada';
      const browser = new TestBrowserSession({ url: baseUrl });
      const { location } = await browser.request(`${baseUrl}/sso/corp/login?next=%2Falerts`);
      const callback = await provider.followLogin(location!.href);
      expect(callback.href).toContain(`${baseUrl}/sso/corp/callback`);
      const end = await browser.request(callback);
      expect(end.location!.href).toBe(`${baseUrl}/login?sso=done&next=%2Falerts`);
      expect([...browser.cookies.keys()].toSorted()).toEqual([
        expect.stringMatching(/^pacekeeper_refresh_[0-9a-f]{8}$/),
        expect.stringMatching(/^pacekeeper_session_[0-9a-f]{8}$/),
      ]);
      expect((await browser.request(`${baseUrl}/api/v1/auth/me`)).body).toMatchObject({
        user: { email: 'ada@corp.example' },
      });
    });

    describe.skipIf(browserPath === null)(`in a browser${noBrowserSuffix}`, () => {
      let browser: TestBrowser;
      beforeAll(async () => {
        browser = await startBrowser();
      });

      test('stays in the URLs of the page, from the login to changes that appear automatically', async () => {
        const { page, problems } = await browser.open({ viewport: { width: 1280, height: 900 } });
        await page.goto(`${baseUrl}/silences`);
        await page.waitForURL(`${baseUrl}/login?next=%2Fsilences`);
        await fillLogin(page, organization);
        await page.waitForURL(`${baseUrl}/silences`);
        await page.getByRole('heading', { name: 'Silences', level: 1 }).waitFor();
        await navigate(page, 'Alerts');
        await page.waitForURL(`${baseUrl}/alerts`);
        await page.goto(`${baseUrl}/rules`);
        await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
        await organization.api.call('createRule', {
          body: { ...rule, name: 'appears by itself' },
        });
        await page.getByText('appears by itself').waitFor();
        await page.getByRole('button', { name: `Team ${count}` }).click();
        for (const [name, path] of [
          ['Documentation', '/docs'],
          ['API reference', '/api/v1/swagger'],
        ] as const)
          expect(await page.getByRole('menuitem', { name }).getAttribute('href')).toBe(`/pacekeeper${path}`);
        await page.getByRole('menuitem', { name: 'Log out' }).click();
        await page.waitForURL(`${baseUrl}/login?logged_out=yes`);
        expect(problems).toEqual([]);
      });
    });

    test('is optional for agents and health checks that reach the server directly', async () => {
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
      const { items } = await organization.api.call('listRules', {});
      expect(items).toEqual([]);
    });
  });
});

describe('the path of PACEKEEPER_BASE_URL', () => {
  test.each(['/pacekeeper', '/tools/pacekeeper/', '/alerts', '/apis', '/v1.2_~-'])('can be %s', (path) => {
    const { baseUrl } = readConfig({ PACEKEEPER_BASE_URL: `https://apps.example${path}` });
    expect(baseUrl).toBe(`https://apps.example${path.replace(/\/$/, '')}`);
  });

  test.each(['/api', '/api/x', '/docs', '/sso/', '/a b', '/a%20b', '/a"b', '/ü', '/a//b', '/hooks/x'])(
    'can’t be %s, and the error gives the reason',
    (path) => {
      expect(() => readConfig({ PACEKEEPER_BASE_URL: `https://apps.example${path}` })).toThrow(
        /letters, digits, and "-\._~", and can't begin with one of Pacekeeper's own/,
      );
    },
  );
});
