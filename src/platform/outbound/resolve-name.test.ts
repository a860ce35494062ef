import { describe, expect, it } from 'vitest';
import { startNameServer } from '../../../tests/helpers/name-server.ts';
import { createNameResolver } from './resolve-name.ts';

const never = new AbortController().signal;

describe('a name', () => {
  it('has all its addresses of both families', async () => {
    const known: Record<string, string[]> = {
      'both.example': ['192.0.2.1', '192.0.2.2', '2001:db8:0:0:0:0:0:1'],
      'six.example': ['2001:db8:0:0:0:0:0:2'],
    };
    const server = await startNameServer((name) => known[name] ?? []);
    const resolveName = createNameResolver({ servers: [server] });
    expect(await resolveName('both.example', never)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await resolveName('six.example', never)).toEqual(['2001:db8::2']);
  });

  it('that name servers do not know is looked up in the hosts file', async () => {
    const server = await startNameServer(() => []);
    const resolveName = createNameResolver({ servers: [server] });
    expect(
      (await resolveName('localhost', never)).every((address) => ['127.0.0.1', '::1'].includes(address)),
    ).toBe(true);
    await expect(resolveName('nothing.invalid', never)).rejects.toThrow();
  });

  it('whose servers are silent is given up when the caller has no more time', async () => {
    const server = await startNameServer(() => null);
    const resolveName = createNameResolver({ servers: [server] });
    await expect(resolveName('silent.example', AbortSignal.timeout(100))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(resolveName('silent.example', AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });
});
