import type { BodyReaders } from './body-readers.ts';
import type { SourceBody } from './source-body.ts';

/**
 * Reads one body that strangers wrote. Yields what it finds in parts of at most 1,000 items and 1 MiB of JSON, and
 * returns what else the source has to know, which is small. Throws RunErrors. It runs wherever it can do no harm, so
 * everything that it gets and gives is plain data.
 */
export type BodyReader<Input, Item, Output> = (
  input: Input,
  body: AsyncIterable<Uint8Array>,
) => AsyncGenerator<Item[], Output, undefined>;

/**
 * What sources have of their readers: calls one by its name. The body is given up as soon as it was handed over, and
 * only what the reader yields and returns comes back.
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
