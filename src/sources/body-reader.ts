import type { BodyReaders } from './body-readers.ts';
import type { SourceBody } from './source-body.ts';

/**
 * Reads an untrusted body. Yields items in parts of at most 1,000 items and 1 MiB of JSON, and returns the
 * remaining data that the source requires, which is small. Throws RunErrors. A reader runs in isolation, so
 * its inputs and outputs are plain data.
 */
export type BodyReader<Input, Item, Output> = (
  input: Input,
  body: AsyncIterable<Uint8Array>,
) => AsyncGenerator<Item[], Output, undefined>;

/**
 * Calls a reader by name. The body is released when it's passed on, and the caller receives only the parts
 * and the result of the reader.
 */
export type ReadBody = <Name extends keyof BodyReaders>(
  name: Name,
  input: Parameters<BodyReaders[Name]>[0],
  body: SourceBody,
) => ReturnType<BodyReaders[Name]>;

/** Ends a reader early, which releases its resources. After the last item, this has no effect. */
export async function stopReading(reading: AsyncIterator<unknown, unknown, undefined>): Promise<void> {
  await reading.return?.();
}

/** Returns the result of a reader that yields no parts. */
export async function readWhole<Output>(
  reading: AsyncGenerator<unknown, Output, undefined>,
): Promise<Output> {
  for (;;) {
    const { done, value } = await reading.next();
    if (done) return value;
  }
}
