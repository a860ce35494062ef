import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startNameServer } from '../../../tests/helpers/name-server.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { createNameResolver } from './resolve-name.ts';

const never = new AbortController().signal;

describe('the name resolver', () => {
  it('returns all addresses of both families', async () => {
    const known: Record<string, string[]> = {
      'both.example': ['192.0.2.1', '192.0.2.2', '2001:db8:0:0:0:0:0:1'],
      'six.example': ['2001:db8:0:0:0:0:0:2'],
    };
    const server = await startNameServer((name) => known[name] ?? []);
    const resolveName = createNameResolver({ servers: [server] });
    expect(await resolveName('both.example', never)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await resolveName('six.example', never)).toEqual(['2001:db8::2']);
  });

  it('uses the hosts file for a name that the name servers do not have', async () => {
    const server = await startNameServer(() => []);
    const resolveName = createNameResolver({ servers: [server] });
    expect(
      (await resolveName('localhost', never)).every((address) => ['127.0.0.1', '::1'].includes(address)),
    ).toBe(true);
    await expect(resolveName('nothing.invalid', never)).rejects.toThrow();
  });

  describe('a name missing from the name servers while slow lookups occupy every thread', () => {
    /**
     * Returns a resolver that is busy with two names, for which the simulated `getaddrinfo` never responds.
     */
    async function startBusy(known: Record<string, string[]>) {
      const folder = temporaryFolder();
      const hostsFile = path.join(folder, 'hosts');
      const resolvFile = path.join(folder, 'resolv.conf');
      writeFileSync(
        hostsFile,
        '127.0.0.1\tlocalhost # loopback\n192.0.2.7  Gitea gitea.lan\n2001:db8::7 gitea\n# 192.0.2.8 other\n',
      );
      writeFileSync(resolvFile, 'search old.example\nnameserver 192.0.2.53\nsearch ns.svc.test svc.test.\n');
      const waiting: string[] = [];
      const resolveName = createNameResolver({
        servers: [await startNameServer((name) => known[name] ?? [])],
        hostsFile,
        resolvFile,
        lookupAll: (hostname) => {
          waiting.push(hostname);
          return new Promise<never>(() => {});
        },
      });
      for (const name of ['one.slow', 'two.slow']) void resolveName(name, never);
      await expect.poll(() => waiting).toHaveLength(2);
      return resolveName;
    }

    it('is still found in the hosts file', async () => {
      const resolveName = await startBusy({});
      expect(await resolveName('gitea', AbortSignal.timeout(2_000))).toEqual(['192.0.2.7', '2001:db8::7']);
      expect(await resolveName('GITEA.lan', AbortSignal.timeout(2_000))).toEqual(['192.0.2.7']);
      await expect(resolveName('other', AbortSignal.timeout(100))).rejects.toMatchObject({
        name: 'TimeoutError',
      });
    });

    it('is still found in a search domain', async () => {
      const resolveName = await startBusy({
        'web.svc.test': ['192.0.2.9'],
        'web.old.example': ['192.0.2.10'],
      });
      expect(await resolveName('web', AbortSignal.timeout(2_000))).toEqual(['192.0.2.9']);
    });
  });

  it('stops waiting for unresponsive name servers when the signal of the caller aborts', async () => {
    const server = await startNameServer(() => null);
    const resolveName = createNameResolver({ servers: [server] });
    await expect(resolveName('silent.example', AbortSignal.timeout(100))).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    await expect(resolveName('silent.example', AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });
});
