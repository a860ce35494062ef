import { countValues } from '../../domain/json/count-values.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * A function that parses and reads untrusted JSON. It uses `parseBoundedJson` with limits that fit its
 * purpose, and returns only what the caller requires, because the result is copied between processes.
 */
export interface UntrustedJsonReader<Input extends { text: string }, Output> {
  read(input: Input): Output;
  /** Module that exports the function, and the name of the export. */
  moduleUrl: URL;
  exportName: string;
}

/**
 * Limits up to which a string is parsed in the server's thread, which all organizations share. Parsing a
 * string within these limits takes at most 3 ms, about the duration of a call to another process.
 */
const maxInlineCharacters = 64 * 1024;
const inlineLimits = { values: 5_000, members: 5_000, depth: 100 };

/**
 * Reads a JSON text in this thread if it's small, and otherwise in the sandbox.
 *
 * @param fairKey Owner of the text, such as an organization.
 * @throws SandboxError
 */
export async function readUntrustedJson<Input extends { text: string }, Output>(
  sandbox: Pick<Sandbox, 'run'>,
  { read, moduleUrl, exportName }: UntrustedJsonReader<Input, Output>,
  input: Input,
  fairKey: string,
): Promise<Output> {
  if (isSmall(input.text)) return read(input);
  return sandbox.run<Input, Output>(moduleUrl, exportName, input, { fairKey });
}

function isSmall(text: string): boolean {
  return text.length <= maxInlineCharacters && countValues(Buffer.from(text), inlineLimits).exceeded === null;
}
