import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { createNameResolver } from './resolve-name.ts';

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.close();
});

/** A name server for one question after the other; `answer` gives the addresses, null says nothing at all. */
async function startNameServer(answer: (name: string) => string[] | null): Promise<string> {
  const socket = createSocket('udp4');
  open.push(socket);
  socket.on('message', (query, peer) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString());
      at += length + 1;
    }
    const addresses = answer(labels.join('.'));
    if (addresses === null) return;
    const isFour = query.readUInt16BE(at + 1) === 1;
    const records = addresses.filter((address) => address.includes('.') === isFour);
    const header = Buffer.from(query.subarray(0, 12));
    // An answer; NXDOMAIN when the name has no address of any kind.
    header.writeUInt16BE(addresses.length === 0 ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt16BE(0, 10);
    const bytes = records.map((address) => {
      const data = isFour
        ? Buffer.from(address.split('.').map(Number))
        : Buffer.from(
            address
              .split(':')
              .map((part) => part.padStart(4, '0'))
              .join(''),
            'hex',
          );
      const fixed = Buffer.alloc(12);
      fixed.writeUInt16BE(0xc00c, 0);
      fixed.writeUInt16BE(isFour ? 1 : 28, 2);
      fixed.writeUInt16BE(1, 4);
      fixed.writeUInt16BE(data.byteLength, 10);
      return Buffer.concat([fixed, data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...bytes]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${socket.address().port}`;
}

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
