import { isSmallPattern } from '../domain/patterns/compile-pattern.ts';
import { RunError } from '../domain/runs/run-error.ts';
import {
  type Sandbox,
  SandboxError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from '../platform/sandbox/index.ts';
import type { ReadBody } from '../sources/body-reader.ts';
import { lightReaders } from '../sources/light-readers.ts';
import type { JsonVersionsInput } from '../sources/read-json-versions.ts';
import { createSkippedItems } from '../sources/skipped-items.ts';
import type { SourceBody } from '../sources/source-body.ts';
import type { ReleaseCriteria } from './release-filter.ts';
import {
  type ReaderInput,
  type ReaderInputs,
  type ReaderName,
  type ReaderTable,
  type ReadOutcome,
  runReader,
} from './run-reader.ts';

/** Reads the response bodies of one run, and collects the releases that the run skips. */
export interface BodyReading {
  read: ReadBody;
  /** Returns the number of releases that met the job's criteria. The others are in `skipped`. */
  kept(): number;
  skipped: ReturnType<typeof createSkippedItems>;
}

export interface BodyReadingOptions {
  /** Key of the run's owner. No owner can occupy all sandbox processes. */
  fairKey: string;
  signal: AbortSignal;
  criteria: ReleaseCriteria | null;
  /** Time limit for reading a body. Default 30 s. */
  deadlineMs?: number;
}

export type StartBodyReading = (options: BodyReadingOptions) => BodyReading;

/**
 * Time limit for reading a body. The largest public Helm index (20 MB) takes 1 to 2 s, and so does the most
 * expensive list of tags.
 */
const defaultDeadlineMs = 30_000;

/**
 * Limits of bodies that can be read in this thread, which all organizations share. Larger bodies, and all
 * YAML, are read in the sandbox. Parsing JSON of this size takes at most 2 ms and 2 MB, whatever the content.
 * Matching a pattern that `isSmallPattern` accepts takes at most 40 ms, about as long as a call to another
 * process.
 */
const maxSmallBytes = 32 * 1024;
const maxSmallSigns = 8_000;

/** Readers that can read small bodies in this thread, by name. */
const inPlace: ReaderTable = lightReaders;

export function createBodyReading(sandbox: Sandbox): StartBodyReading {
  return ({ fairKey, signal, criteria, deadlineMs = defaultDeadlineMs }) => {
    const skipped = createSkippedItems();
    let kept = 0;

    async function* read<Name extends ReaderName>(
      reader: Name,
      input: ReaderInputs[Name],
      body: SourceBody,
    ): AsyncGenerator<unknown[], unknown, undefined> {
      signal.throwIfAborted();
      const order: ReaderInput<Name> = { reader, input, criteria };
      const isInProcess = reader in inPlace && isSmall(body) && patternsOf(order).every(isSmallPattern);
      const parts = isInProcess
        ? runReader(inPlace, order, ofPieces(drainBody(body)))
        : sandbox.stream<ReaderInput<Name>, unknown[], ReadOutcome>(
            readerModule,
            'runAnyReader',
            order,
            drainBody(body),
            { fairKey, signal, deadlineMs },
          );
      const outcome = yield* withRunErrors(parts, signal);
      if (!outcome.ok) throw new RunError(outcome.code, outcome.message);
      kept += outcome.kept;
      skipped.add(outcome.skipped);
      return outcome.output;
    }

    // The types that each reader yields and returns come from the list of readers, so this generic function
    // can't infer them.
    return { read: read as ReadBody, kept: () => kept, skipped };
  };
}

const readerModule = new URL('./run-reader-job.ts', import.meta.url);

/** Returns the user-defined patterns that are matched against every release. */
function patternsOf({
  reader,
  input,
  criteria,
}: Pick<ReaderInput, 'reader' | 'criteria'> & { input: unknown }): string[] {
  const regex =
    reader === 'json_versions' ? (input as JsonVersionsInput).sourceOptions.version_regex : undefined;
  return [criteria?.version_pattern ?? '', regex ?? ''];
}

function isSmall({ bytes, pieces }: SourceBody): boolean {
  if (bytes > maxSmallBytes) return false;
  let signs = 0;
  for (const piece of pieces) {
    for (const byte of piece) if (isStructuralByte(byte)) signs += 1;
  }
  return signs <= maxSmallSigns;
}

/** True if the byte begins or ends a JSON value or a line. */
function isStructuralByte(byte: number): boolean {
  return byte === 0x2c || byte === 0x5b || byte === 0x7b || byte === 0x0a;
}

/** Yields the pieces of a body, and frees the body when the reader has finished or stops early. */
export function* drainBody(body: SourceBody): Generator<Uint8Array, void, undefined> {
  try {
    yield* body.pieces.slice();
  } finally {
    body.free();
  }
}

async function* ofPieces(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* pieces;
}

/** Converts sandbox errors to run errors. */
async function* withRunErrors<Part, Output>(
  parts: AsyncGenerator<Part, Output, undefined>,
  signal: AbortSignal,
): AsyncGenerator<Part, Output, undefined> {
  try {
    return yield* parts;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (!(error instanceof SandboxError)) throw error;
    throw new RunError(codeOf(error), sentenceOf(error), { cause: error });
  }
}

function codeOf(error: SandboxError) {
  if (error instanceof SandboxMemoryError) return 'too_large';
  return error instanceof SandboxTimeoutError ? 'invalid_index' : 'internal';
}

function sentenceOf(error: SandboxError): string | undefined {
  if (!(error instanceof SandboxMemoryError || error instanceof SandboxTimeoutError)) return undefined;
  return `Reading the response ${error.message}. Use a smaller source or a simpler pattern.`;
}
