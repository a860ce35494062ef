import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createLargeAnswers } from './large-answers.ts';

const slowly = { timeout: 20_000 };

test('an organization whose clients read slowly keeps few answers, and the others theirs', async () => {
  const largeAnswers = createLargeAnswers({ slowAfterMs: 20 });
  const answers: ServerResponse[] = [];
  const server = createServer((request, raw) => {
    void largeAnswers.takeTurn(Number(request.url!.slice(1)), { raw }).then(() => {
      answers.push(raw);
      // More than the buffers of the connection take.
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
    // It asks and never reads.
    client.pause().write(`GET /${organizationId} HTTP/1.1\r\nhost: h\r\n\r\n`);
    clients.push(client);
  };
  const open = () => answers.filter(({ destroyed }) => !destroyed).length;

  ask(2);
  await expect.poll(() => answers.length, slowly).toBe(1);
  for (let count = 0; count < 12; count += 1) ask(1);
  await expect.poll(() => answers.length, slowly).toBe(13);
  await expect.poll(open, slowly).toBe(5);
  expect(answers[0]!.destroyed).toBe(false);
  expect(answers.at(-1)!.destroyed).toBe(false);
});

test('two answers that are found slow in one moment end two others, not one twice', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const largeAnswers = createLargeAnswers({ slowAfterMs: 20 });
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

/** Like a real one, it's closed some time after it was destroyed. */
class SlowAnswer extends EventEmitter {
  destroyed = false;
  closed = false;
  destroy(): void {
    this.destroyed = true;
  }
}
