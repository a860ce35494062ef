import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** The data starts like gzip data, but can't be decompressed. */
export class GzipError extends Error {
  override name = 'GzipError';
}

/** Decompresses gzip data. Returns other data unchanged, because a mirror can store the file decompressed. */
export async function* gunzipIfPacked(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = body[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let isEnd = false;
  while (start.length < 2 && !isEnd) {
    const { done, value } = await pieces.next();
    if (done) isEnd = true;
    else start = Buffer.concat([start, value]);
  }
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    if (start.length > 0) yield start;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  }
  if (start[0] !== 0x1f || start[1] !== 0x8b) {
    yield* all();
    return;
  }
  const gunzip = createGunzip();
  const input = pipeline(Readable.from(all(), { objectMode: false }), gunzip).catch(() => {});
  try {
    for await (const piece of gunzip) yield piece as Buffer;
  } catch (error) {
    throw new GzipError('not complete gzip data', { cause: error });
  } finally {
    gunzip.destroy();
    await input;
  }
}
