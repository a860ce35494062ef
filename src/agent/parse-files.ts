import type { ParseContentInput, ParseContentResult } from '../domain/parsers/parse-content.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { type Sandbox, SandboxMemoryError, SandboxTimeoutError } from '../platform/sandbox/index.ts';

/**
 * Parses untrusted content in the sandbox.
 * @throws RunError if parsing took too much time or memory
 */
export type ParseFile = (input: ParseContentInput, fairKey: string) => Promise<ParseContentResult>;

interface Waiting {
  input: ParseContentInput;
  resolve: (result: ParseContentResult) => void;
  reject: (error: unknown) => void;
}

/** Limits of one sandbox job. */
const maxFiles = 32;
const maxCharacters = 256 * 1024;

/**
 * Creates a parser that parses files in the sandbox. Files with the same `fairKey` that arrive in the same
 * tick are parsed together. Most files are small, so a call to another process takes longer than parsing one
 * of them. If a batch exceeds the limits, each of its files is parsed separately.
 */
export function createFileParser(sandbox: Sandbox): ParseFile {
  const waiting = new Map<string, Waiting[]>();

  function parseWaiting(): void {
    for (const [fairKey, files] of waiting) for (const batch of inBatches(files)) void parse(batch, fairKey);
    waiting.clear();
  }

  /** Parses a batch. Never throws, because the promise of each file reports its result. */
  async function parse(batch: Waiting[], fairKey: string): Promise<void> {
    try {
      const inputs = batch.map(({ input }) => input);
      const results = await sandbox.run<ParseContentInput[], ParseContentResult[]>(
        parserModule,
        'parseContents',
        inputs,
        { fairKey },
      );
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
    } catch (error) {
      if (batch.length > 1) for (const file of batch) void parse([file], fairKey);
      else batch[0]?.reject(explain(error));
    }
  }

  return (input, fairKey) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(parseWaiting);
      const files = waiting.get(fairKey) ?? [];
      files.push({ input, resolve, reject });
      waiting.set(fairKey, files);
    });
}

function inBatches(files: readonly Waiting[]): Waiting[][] {
  const batches: Waiting[][] = [];
  let characters = 0;
  for (const file of files) {
    const last = batches.at(-1);
    const length = file.input.content.length;
    if (last && last.length < maxFiles && characters + length <= maxCharacters) {
      last.push(file);
      characters += length;
    } else {
      batches.push([file]);
      characters = length;
    }
  }
  return batches;
}

function explain(error: unknown): unknown {
  if (!(error instanceof SandboxTimeoutError || error instanceof SandboxMemoryError)) return error;
  return new RunError(
    'parse_failed',
    `Parsing ${error.message}. Use a simpler expression or a smaller file.`,
    { cause: error },
  );
}

const parserModule = new URL('../domain/parsers/parse-content.ts', import.meta.url);
