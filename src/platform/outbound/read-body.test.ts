import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestBench, outboundErrorOf } from './outbound-test-servers.ts';

const bench = createTestBench();
afterEach(() => bench.close());

const source = { purpose: 'source', timeoutMs: 5_000, maxBytes: 1_000_000 } as const;
const webhook = {
  purpose: 'webhook',
  method: 'POST',
  body: '{}',
  timeoutMs: 5_000,
  maxBytes: 65_536,
  keepBytes: 4_096,
} as const;
const words = 'all work and no play makes a long text. '.repeat(2_000);

/** Starts a server that sends the given body and headers. */
function serve(body: Uint8Array | string, headers: Record<string, string> = {}): Promise<number> {
  return bench.http((_request, response) => response.writeHead(200, headers).end(body));
}

describe('a buffered body', () => {
  it('is decoded with every requested content coding', async () => {
    const bodies: Record<string, Uint8Array> = {
      gzip: gzipSync(words),
      'x-gzip': gzipSync(words),
      GZIP: gzipSync(words),
      deflate: deflateSync(words),
      br: brotliCompressSync(words),
      'br, gzip': gzipSync(brotliCompressSync(words)),
      identity: Buffer.from(words),
      '': Buffer.from(words),
    };
    for (const [coding, body] of Object.entries(bodies)) {
      const port = await serve(body, { 'content-encoding': coding });
      const response = await bench.client().request({ ...source, url: `http://good.test:${port}/` });
      expect(Buffer.from(response.body).toString(), coding).toBe(words);
    }
    const raw = await serve(deflateRawSync(words), { 'content-encoding': 'deflate' });
    const response = await bench.client().request({ ...source, url: `http://good.test:${raw}/` });
    expect(response.body.byteLength).toBe(words.length);
  });

  it('can be empty despite a Content-Encoding header', async () => {
    for (const [status, method] of [
      [200, 'GET'],
      [204, 'GET'],
      [304, 'GET'],
      [200, 'HEAD'],
    ] as const) {
      const port = await bench.http((_request, response) => {
        response.writeHead(status, { 'content-encoding': 'gzip', etag: '"e"' }).end();
      });
      const response = await bench.client().request({ ...source, method, url: `http://good.test:${port}/` });
      expect(response, `${status} ${method}`).toMatchObject({ status, body: Buffer.alloc(0) });
    }
  });

  it('is an invalid response if it is corrupt or has an unknown encoding', async () => {
    const zipped = gzipSync(words);
    const table: [string, Uint8Array, string][] = [
      ['truncated', zipped.subarray(0, 200), 'gzip'],
      ['not compressed at all', Buffer.from(words), 'gzip'],
      ['wrong checksum', Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)]), 'gzip'],
      ['not in Brotli format', Buffer.from(words), 'br'],
      ['not in deflate format', Buffer.alloc(100, 0xff), 'deflate'],
      ['unknown encoding', Buffer.from(words), 'compress'],
      ['named like a property of every object', Buffer.from(words), 'constructor'],
      ['encoded three times', gzipSync(gzipSync(zipped)), 'gzip, gzip, gzip'],
    ];
    for (const [what, body, coding] of table) {
      const port = await serve(body, { 'content-encoding': coding });
      const error = await outboundErrorOf(
        bench.client().request({ ...source, url: `http://good.test:${port}/` }),
      );
      expect(error.code, what).toBe('invalid_response');
    }
  });

  it('is accepted if it has exactly as many bytes as the limit, and rejected as too large with one more byte', async () => {
    const port = await serve(words);
    const zipped = await serve(gzipSync(words), { 'content-encoding': 'gzip' });
    for (const url of [`http://good.test:${port}/`, `http://good.test:${zipped}/`]) {
      const request = { ...source, url, maxBytes: words.length };
      expect((await bench.client().request(request)).body.byteLength).toBe(words.length);
      const error = await outboundErrorOf(bench.client().request({ ...request, maxBytes: words.length - 1 }));
      expect(error.code).toBe('too_large');
    }
  });
});

describe('a streamed body', () => {
  it('arrives in chunks, at any size within its limit', async () => {
    const megabyte = Buffer.alloc(1_048_576, 'a');
    const port = await bench.http((_request, response) => {
      let left = 20;
      const more = (): void => {
        while (left-- > 0) if (!response.write(megabyte)) return void response.once('drain', more);
        response.end();
      };
      more();
    });
    const response = await bench
      .client()
      .stream({ ...source, maxBytes: 30_000_000, url: `http://good.test:${port}/` });
    let bytes = 0;
    let largest = 0;
    for await (const chunk of response.body) {
      bytes += chunk.byteLength;
      largest = Math.max(largest, chunk.byteLength);
    }
    expect(bytes).toBe(20 * 1_048_576);
    expect(largest).toBeLessThanOrEqual(1_048_576);
  });

  it('closes its connection when the reader stops early', async () => {
    let isClosed = false;
    const port = await bench.http((_request, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      const timer = setInterval(() => response.write(gzipSync(words)), 10);
      response.on('close', () => clearInterval(timer));
      response.writeHead(200, { 'content-encoding': 'gzip' });
    });
    const response = await bench.client().stream({ ...source, url: `http://good.test:${port}/` });
    for await (const _chunk of response.body) break;
    await expect.poll(() => isClosed).toBe(true);
  });

  it('times out at its deadline even if it is not being read', async () => {
    let isClosed = false;
    const port = await bench.http((_request, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.writeHead(200).write('a little');
    });
    const request = { ...source, timeoutMs: 200, url: `http://good.test:${port}/` };
    const response = await bench.client().stream(request);
    await expect.poll(() => isClosed).toBe(true);
    const read = async (): Promise<void> => {
      for await (const _chunk of response.body);
    };
    expect((await outboundErrorOf(read())).code).toBe('timeout');
  });
});

describe('the response to a webhook', () => {
  it('is complete once its headers arrive, even if its body then fails', async () => {
    const head = 'HTTP/1.1 200 OK\r\n';
    const table: [string, string, string][] = [
      ['it arrives slowly', `${head}content-length: 1000\r\n\r\ndrip`, 'drip'],
      ['it never ends', `${head}transfer-encoding: chunked\r\n\r\n4\r\nmore\r\n`, 'more'],
      ['its second chunk is invalid', `${head}transfer-encoding: chunked\r\n\r\n4\r\nsome\r\nzz\r\n`, 'some'],
    ];
    for (const [what, answer, kept] of table) {
      const port = await bench.raw((socket) => void socket.write(answer));
      const request = { ...webhook, timeoutMs: 200, url: `http://good.test:${port}/` };
      const response = await bench.client().requestHead(request);
      expect(response, what).toMatchObject({ status: 200, isCut: true });
      expect(Buffer.from(response.body).toString(), what).toBe(kept);
    }
    const broken = await bench.raw((socket) => {
      socket.write(`${head}content-length: 1000\r\n\r\nhalf`, () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    });
    const response = await bench.client().requestHead({ ...webhook, url: `http://good.test:${broken}/` });
    expect(response).toMatchObject({ status: 200, isCut: true });
  });

  it('is read up to 64 KiB and stored up to 4 KiB, and the connection of an endless response is closed', async () => {
    let sent = 0;
    let isClosed = false;
    const port = await bench.http((_request, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      const more = (): void => {
        while (!isClosed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536, 'e'))) return void response.once('drain', more);
        }
      };
      more();
    });
    const response = await bench.client().requestHead({ ...webhook, url: `http://good.test:${port}/` });
    expect(response).toMatchObject({ status: 200, isCut: true });
    expect(response.body.byteLength).toBe(4_096);
    await expect.poll(() => isClosed).toBe(true);
    expect(sent).toBeLessThan(20_000_000);
  });

  it('is stored without decoding, and in full if it is short', async () => {
    const port = await bench.http((request, response) => {
      response.writeHead(410, {
        'x-accept': String(request.headers['accept-encoding']),
        'content-encoding': 'gzip',
      });
      response.end(gzipSync('gone'));
    });
    const response = await bench.client().requestHead({ ...webhook, url: `http://good.test:${port}/` });
    expect(response).toMatchObject({ status: 410, isCut: false, body: gzipSync('gone') });
    expect(response.headers['x-accept']).toBe('identity');
    const long = await serve('x'.repeat(5_000));
    const cut = await bench.client().requestHead({ ...webhook, url: `http://good.test:${long}/` });
    expect(cut).toMatchObject({ status: 200, isCut: true });
    expect(cut.body.byteLength).toBe(4_096);
  });
});
