import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLargeResponseQueue } from './large-answers.ts';

test('an organization with slow clients keeps only a few open responses, and other organizations keep theirs', async () => {
  const largeAnswers = createLargeResponseQueue({ slowAfterMs: 20 });
  const answers: ServerResponse[] = [];
  const server = createServer((request, raw) => {
    void largeAnswers.takeTurn(Number(request.url!.slice(1)), { raw }).then(() => {
      answers.push(raw);
      // This response exceeds the buffers of the connection.
      raw.end(Buffer.alloc(16 * 1024 * 1024));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients: net.Socket[] = [];
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  const ask = (organizationId: number) => {
    const client = net.connect(port, '127.0.0.1').on('error', () => undefined);
    // The client sends a request and never reads the response.
    client.pause().write(`GET /${organizationId} HTTP/1.1\r\nhost: h\r\n\r\n`);
    clients.push(client);
  };
  const open = () => answers.filter(({ destroyed }) => !destroyed).length;

  ask(2);
  await expect.poll(() => answers.length).toBe(1);
  for (let count = 0; count < 12; count += 1) ask(1);
  await expect.poll(() => answers.length).toBe(13);
  await expect.poll(open).toBe(5);
  expect(answers[0]!.destroyed).toBe(false);
  expect(answers.at(-1)!.destroyed).toBe(false);
});

test('two responses that become slow at the same moment close two other responses, not the same one twice', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const largeAnswers = createLargeResponseQueue({ slowAfterMs: 20 });
  const answers: SlowAnswer[] = [];
  const take = async () => {
    const raw = new SlowAnswer();
    await largeAnswers.takeTurn(1, { raw: raw as unknown as ServerResponse });
    answers.push(raw);
  };
  for (let pair = 0; pair < 3; pair += 1) {
    await Promise.all([take(), take()]);
    vi.advanceTimersByTime(20);
  }
  expect(answers.map(({ destroyed }) => destroyed)).toEqual([true, true, false, false, false, false]);
});

/** Response stub that isn't closed immediately when it's destroyed, like a real response. */
class SlowAnswer extends EventEmitter {
  destroyed = false;
  closed = false;
  destroy(): void {
    this.destroyed = true;
  }
}
