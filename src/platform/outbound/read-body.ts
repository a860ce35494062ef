import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { OutboundError } from './outbound-error.ts';

/**
 * The first `keepBytes` of a body of which at most `maxBytes` are read. Never fails: whatever happens
 * after the headers only cuts the body.
 */
export async function readCutBody(
  body: Readable,
  limits: { maxBytes: number; keepBytes: number },
): Promise<{ bytes: Uint8Array; isCut: boolean }> {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let readBytes = 0;
  let isCut = false;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      readBytes += chunk.byteLength;
      const part = chunk.subarray(0, limits.keepBytes - keptBytes);
      if (part.byteLength > 0) kept.push(part);
      keptBytes += part.byteLength;
      if (readBytes > limits.maxBytes) {
        isCut = true;
        break;
      }
    }
  } catch {
    isCut = true;
  }
  return { bytes: Buffer.concat(kept), isCut: isCut || readBytes > keptBytes };
}

/**
 * The body without its content encodings, piece by piece. Throws `too_large` as soon as more than
 * `maxBytes` arrived or came out, so that a compressed bomb costs no more than its limit.
 */
export async function* decodeBody(
  body: Readable,
  options: { contentEncoding: string | undefined; maxBytes: number; host: string },
): AsyncGenerator<Uint8Array, void, undefined> {
  const { maxBytes, host } = options;
  const codings = contentCodings(options.contentEncoding);
  const unknown = codings.find((coding) => !Object.hasOwn(decoders, coding));
  if (unknown !== undefined || codings.length > 2) {
    body.destroy();
    throw new OutboundError('invalid_response', host, 'the response has an unknown content encoding');
  }
  try {
    const received = limitBytes(body as AsyncIterable<Uint8Array>, maxBytes, host);
    // The last coding of the list was applied last.
    const decoded = codings.reduceRight((source, coding) => decode(source, coding), received);
    yield* codings.length === 0 ? decoded : limitBytes(decoded, maxBytes, host);
  } finally {
    // A decoder that is left early does not notice until the next piece arrives.
    body.destroy();
  }
}

async function* limitBytes(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  host: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(host, maxBytes);
    yield chunk;
  }
}

export function tooLarge(host: string, maxBytes: number): OutboundError {
  return new OutboundError('too_large', host, `the response exceeds ${maxBytes} bytes`);
}

function contentCodings(header: string | undefined): string[] {
  const codings = (header ?? '').split(',').map((coding) => coding.trim().toLowerCase());
  return codings.filter((coding) => coding !== '' && coding !== 'identity');
}

const decoders: Record<string, (first: Uint8Array) => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Some servers send the bare stream, others (rightly) with its zlib header.
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
};

async function* decode(
  source: AsyncGenerator<Uint8Array, void, undefined>,
  coding: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  // An empty body (304, or a server that marks every answer) decodes to nothing.
  const first = await source.next();
  if (first.done) return;
  const createDecoder = decoders[coding];
  if (!createDecoder) throw new Error(`no decoder for ${coding}`);

  async function* withFirst(start: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
    yield start;
    yield* source;
  }
  // pipeline() hands every error on to its last stream, where the loop below meets it.
  const decoder = pipeline(withFirst(first.value), createDecoder(first.value), () => {});
  yield* decoder as AsyncIterable<Uint8Array>;
}
