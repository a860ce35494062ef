import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowserSuffix, startBrowser, type TestBrowser } from '../helpers/browser.ts';
import { logInByForm } from '../helpers/browser-checks.ts';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { startTestServer, type TestServer } from '../helpers/test-server.ts';
import { serverCertificates, serverKey } from '../helpers/tls-certificates.ts';
import { ensureWebPage } from '../helpers/web-page.ts';

describe.skipIf(browserPath === null)(`login cookies over HTTPS in a browser${noBrowserSuffix}`, () => {
  let server: TestServer;
  let browser: TestBrowser;
  let url: string;

  beforeAll(async () => {
    await ensureWebPage();
    const proxy = createServer({ key: serverKey, cert: serverCertificates.nothing }, (socket) => {
      const upstream = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.pipe(upstream).pipe(socket);
      socket.on('error', () => upstream.destroy());
      upstream.on('error', () => socket.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    atEndOfFile(async () => void proxy.close());
    url = `https://localhost:${(proxy.address() as AddressInfo).port}`;
    server = await startTestServer({ PACEKEEPER_BASE_URL: url });
    browser = await startBrowser();
  });

  test('keep their prefix in the browser and let the page renew the session', async () => {
    const organization = await server.createOrganization();
    const { page, problems } = await browser.open({ ignoreHTTPSErrors: true });
    const context = page.context();
    const names = async () =>
      (await context.cookies()).map(({ name, path, secure }) => `${name} ${path} ${secure}`).toSorted();
    const both = ['__Host-pacekeeper_refresh / true', '__Host-pacekeeper_session / true'];
    await logInByForm(page, url, organization, '/account');
    await page.getByRole('region', { name: 'Two-factor authentication' }).waitFor();
    expect(await names()).toEqual(both);
    await context.clearCookies({ name: '__Host-pacekeeper_session' });
    await page.reload();
    await page.getByRole('region', { name: 'Two-factor authentication' }).waitFor();
    expect(await names()).toEqual(both);
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
  });
});
