import { createSocket } from 'node:dgram';
import { onTestFinished } from 'vitest';

/**
 * Starts a DNS server that closes when the test ends. `answer` returns the addresses of a name, or null to
 * send no response.
 * @returns The IP address and port of the server.
 */
export async function startNameServer(answer: (name: string) => string[] | null): Promise<string> {
  const socket = createSocket('udp4');
  onTestFinished(() => void socket.close());
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
    // Response flags, with NXDOMAIN if the name has no IPv4 or IPv6 addresses.
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
