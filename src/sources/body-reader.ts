import type { BodyReaders } from './body-readers.ts';
import type { SourceBody } from './source-body.ts';

/**
 * Reads an untrusted body. Yields what it finds in parts of at most 1,000 items and 1 MiB of JSON, and returns the
 * rest of what the source needs, which is small. Throws RunErrors. It runs in isolation, so its inputs and outputs are
 * plain data.
 */
export type BodyReader<Input, Item, Output> = (
  input: Input,
  body: AsyncIterable<Uint8Array>,
) => AsyncGenerator<Item[], Output, undefined>;

/**
 * Calls a reader by its name. The body is released when it is handed over; only what the reader yields and returns is
 * passed back.
 */
export type ReadBody = <Name extends keyof BodyReaders>(
  name: Name,
  input: Parameters<BodyReaders[Name]>[0],
  body: SourceBody,
) => ReturnType<BodyReaders[Name]>;

/** For readers that only return something. */
export async function readWhole<Output>(
  reading: AsyncGenerator<unknown, Output, undefined>,
): Promise<Output> {
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value;
  }
}
