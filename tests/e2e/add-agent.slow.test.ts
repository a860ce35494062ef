import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { createApiClient } from '../../src/client/api-client.ts';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logIn } from '../helpers/browser-checks.ts';
import { expectAccessible } from '../helpers/expect-accessible.ts';
import { type SharedTestServer, sharedTestServer } from '../helpers/test-server.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`adding an agent${noBrowserSuffix}`, () => {
  let server: SharedTestServer;
  let browser: TestBrowser;
  beforeAll(async () => {
    await ensureWebPage();
    server = await sharedTestServer();
    browser = await startBrowser();
  });

  test('requires a name, shows one command that contains the key, and shows when the agent has connected', async () => {
    const organization = await server.createOrganization();
    const { page, problems } = await browser.open({ viewport: { width: 390, height: 844 } });
    await logIn(page, server.url, organization, '/agents');
    await page.getByRole('button', { name: 'Add agent' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Add agent' });
    await dialog.getByLabel('Name').fill('Build network');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const started = page.getByRole('dialog', { name: 'Start "Build network"' });
    const { version } = packageJson;
    const command = await started.getByLabel('Agent command').innerText();
    expect(command).toContain(`--env PACEKEEPER_SERVER_URL=${server.url} `);
    expect(command).toContain(
      `ghcr.io/OWNER/pacekeeper:${version} agent --config /etc/pacekeeper/agent.yaml`,
    );
    expect(command).toContain('name: "Build network"\n');
    await started.getByText('is only reachable from this machine').waitFor();
    const apiKey = /PACEKEEPER_API_KEY=(pk_\S+)/.exec(command)![1]!;
    for (const [name, pattern] of [
      [
        'npm',
        new RegExp(
          `PACEKEEPER_API_KEY=${apiKey} [^]*\\nnpx pacekeeper@${version} agent --config agent.yaml$`,
        ),
      ],
      ['Helm', new RegExp(`^helm [^]* --version ${version} [^]* agents\\.apiKey=${apiKey}$`)],
      ['Checkout', /name: "Build network"[^]*pacekeeper -- agent --config agent.yaml$/],
    ] as const) {
      await started.getByText(name, { exact: true }).click();
      expect(await started.getByLabel('Agent command').innerText()).toMatch(pattern);
    }
    await started.getByText('Waiting for its first heartbeat…').waitFor();
    await expectAccessible(page, [390]);

    await createApiClient({ baseUrl: server.url, apiKey }).call('sendHeartbeat', {
      body: {
        name: 'build-7',
        hostname: 'build-7',
        version: '0.1.0',
        capabilities: [],
        credential_names: [],
        running: [],
      },
    });
    await started.getByText('Connected').waitFor();
    await started.getByText('build-7 on build-7, version 0.1.0').waitFor();
    await started.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('table', { name: 'agents' }).getByText('build-7').first().waitFor();
    const { items } = await organization.owner.call('listAPIKeys');
    expect(items.find(({ name }) => name === 'Build network')).toMatchObject({
      role: 'agent',
      expires_at: null,
    });
    expect(await page.locator('body').innerText()).not.toContain(apiKey);
    expect(problems).toEqual([]);
  });
});
