import { bodyReaders } from '../sources/body-readers.ts';
import { type ReaderInput, type ReadOutcome, runReader } from './run-reader.ts';

/** Entry point of a sandbox process, which runs any reader. */
export function runAnyReader(
  order: ReaderInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown[], ReadOutcome, undefined> {
  return runReader(bodyReaders, order, body);
}
