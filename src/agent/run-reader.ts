import { RunError } from '../domain/runs/run-error.ts';
import type { RunErrorCode } from '../domain/runs/run-error-codes.ts';
import type { BodyReader } from '../sources/body-reader.ts';
import type { BodyReaders } from '../sources/body-readers.ts';
import type { GatheredRelease } from '../sources/release-source.ts';
import type { SkippedItems } from '../sources/skipped-items.ts';
import { createReleaseFilter, type ReleaseCriteria } from './release-filter.ts';

export type ReaderName = keyof BodyReaders;
export type ReaderInputs = { [Name in ReaderName]: Parameters<BodyReaders[Name]>[0] };

/** Name and input of a reader, as plain data. */
export type ReaderInput<Name extends ReaderName = ReaderName> = {
  [Each in Name]: {
    reader: Each;
    input: ReaderInputs[Each];
    /** Criteria for the releases that the job includes. Null if it includes all of them. */
    criteria: ReleaseCriteria | null;
  };
}[Name];

export type ReadOutcome =
  | { ok: true; output: unknown; kept: number; skipped: SkippedItems }
  | { ok: false; code: RunErrorCode; message: string };

/** Readers by name. */
export type ReaderTable = { [Name in ReaderName]?: BodyReader<ReaderInputs[Name], unknown, unknown> };

/**
 * Reads a body and excludes the releases that don't meet the job's criteria. Patterns are matched here, in
 * the sandbox, because a hostile pattern or list can slow down matching. RunErrors are returned as an
 * outcome, not thrown.
 */
export async function* runReader<Name extends ReaderName>(
  readers: ReaderTable,
  { reader: name, input, criteria }: ReaderInput<Name>,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown[], ReadOutcome, undefined> {
  try {
    const reader = readers[name];
    if (!reader) throw new TypeError(`unknown reader ${name}`);
    const filter = criteria && createReleaseFilter(criteria);
    const reading = reader(input, body);
    for (;;) {
      const { done, value } = await reading.next();
      if (done) {
        const skipped = filter?.skipped.all() ?? { count: 0, examples: [] };
        return { ok: true, output: value, kept: filter?.kept() ?? 0, skipped };
      }
      // Criteria are only passed to readers of releases, so these values are releases.
      const part = filter ? filter.keep(value as GatheredRelease[]) : value;
      if (part.length > 0) yield part;
    }
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}
