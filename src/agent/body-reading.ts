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
import type { ReleaseWish } from './keep-matching.ts';
import { type AnyReader, type ReadOrder, type ReadOutcome, runReader } from './run-reader.ts';

/** The reading of one run, and what it has left out of what was read. */
export interface BodyReading {
  read: ReadBody;
  /** Releases that the job wants, and those that it does not. */
  kept(): number;
  skipped: ReturnType<typeof createSkippedItems>;
}

export interface BodyReadingOptions {
  /** Whose run it is: nobody gets all processes. */
  fairKey: string;
  signal: AbortSignal;
  wish: ReleaseWish | null;
}

export type StartBodyReading = (options: BodyReadingOptions) => BodyReading;

/** The largest public Helm index (20 MB) takes 1 to 2 s, the costliest list of tags as long. */
const deadlineMs = 30_000;

/**
 * Small bodies may be read here, in the thread that all organizations share, if they are within these limits. Whatever
 * they contain, parsing JSON of this size takes at most 2 ms and 2 MB, and matching a pattern that `isSmallPattern`
 * accepts at most 40 ms, which is as long as a call to another process. Everything else, and all YAML, is read in the
 * sandbox.
 */
const maxSmallBytes = 32 * 1024;
const maxSmallSigns = 8_000;

/** Names of readers that take what is small in place. */
const inPlace: Partial<Record<string, AnyReader>> = lightReaders;

export function createBodyReading(sandbox: Sandbox): StartBodyReading {
  return ({ fairKey, signal, wish }) => {
    const skipped = createSkippedItems();
    let kept = 0;

    async function* read(
      reader: string,
      input: unknown,
      body: SourceBody,
    ): AsyncGenerator<unknown[], unknown, undefined> {
      signal.throwIfAborted();
      const order: ReadOrder = { reader, input, wish };
      const isHere = reader in inPlace && isSmall(body) && patternsOf(order).every(isSmallPattern);
      const parts = isHere
        ? runReader(inPlace, order, ofPieces(givingUp(body)))
        : sandbox.stream<ReadOrder, unknown[], ReadOutcome>(
            readerModule,
            'runAnyReader',
            order,
            givingUp(body),
            { fairKey, signal, deadlineMs },
          );
      const outcome = yield* explained(parts, signal);
      if (!outcome.ok) throw new RunError(outcome.code, outcome.message);
      kept += outcome.kept;
      skipped.add(outcome.skipped);
      return outcome.output;
    }

    // The list of readers says what each of them yields and returns.
    return { read: read as ReadBody, kept: () => kept, skipped };
  };
}

const readerModule = new URL('./run-reader-job.ts', import.meta.url);

/** What users wrote and is tried on every release. */
function patternsOf({ reader, input, wish }: ReadOrder): string[] {
  const regex =
    reader === 'json_versions' ? (input as JsonVersionsInput).sourceOptions.version_regex : undefined;
  return [wish?.version_pattern ?? '', regex ?? ''];
}

function isSmall({ bytes, pieces }: SourceBody): boolean {
  if (bytes > maxSmallBytes) return false;
  let signs = 0;
  for (const piece of pieces) {
    for (const byte of piece) if (isSign(byte)) signs += 1;
  }
  return signs <= maxSmallSigns;
}

/** What begins or ends a value of JSON or a line. */
function isSign(byte: number): boolean {
  return byte === 0x2c || byte === 0x5b || byte === 0x7b || byte === 0x0a;
}

/** Once they are handed over, the pieces are not held here as well. */
export function* givingUp(body: SourceBody): Generator<Uint8Array, void, undefined> {
  try {
    yield* body.pieces.slice();
  } finally {
    body.free();
  }
}

async function* ofPieces(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  yield* pieces;
}

/** Failures of the sandbox as what they mean for the run. */
async function* explained<Part, Output>(
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
