import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { atEndOfFile } from '../helpers/end-of-file.ts';
import { startTestServer } from '../helpers/test-server.ts';

const server = await startTestServer();

let hostileRequests = 0;
/** A source whose version list never ends, and arrives slowly enough to stay below every size limit. */
const upstream = createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url !== '/hostile') {
    response.end('["1.2.3"]');
    return;
  }
  hostileRequests += 1;
  response.write('["1.0.0"');
  const timer = setInterval(() => response.write(',"1.0.0"'), 50);
  response.once('close', () => clearInterval(timer));
});
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
atEndOfFile(() => {
  upstream.closeAllConnections();
  upstream.close();
});
const { port } = upstream.address() as { port: number };

const sourceAt = (path: string) =>
  ({
    source_type: 'http_json',
    artifact_name: `http://127.0.0.1:${port}${path}`,
    source_options: { version_path: '[*]' },
  }) as const;

test('previews of hostile sources don’t delay previews of sources or templates of other organizations', async () => {
  const [attacker, victim] = await Promise.all([server.createOrganization(), server.createOrganization()]);
  const stop = new AbortController();
  let ended = 0;
  const attack = Array.from({ length: 8 }, () =>
    attacker.api
      .call('previewGatherSource', { body: sourceAt('/hostile'), signal: stop.signal })
      .then(() => (ended += 1)),
  );
  await expect.poll(() => hostileRequests).toBeGreaterThan(0);
  const preview = await victim.api.call('previewGatherSource', { body: sourceAt('/good') });
  expect(preview).toMatchObject({ error: null, releases: [{ version: '1.2.3' }] });
  const { rendered } = await victim.api.call('previewNotificationTemplate', {
    body: { category: 'new_alert', body: 'Hello' },
  });
  expect(rendered).toBe('Hello');
  expect(ended).toBe(0);
  stop.abort();
  await Promise.allSettled(attack);
});
