import { ApiCallError } from '../client/api-client.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';

/** What scripts may rely on; docs/cli.md says the same. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3, notAllowed: 4 } as const;

/** Ends the command with a sentence for people. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** The command was called wrongly. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (!(error instanceof ApiCallError)) return exitCodes.refused;
  if (error.code === 'no_answer' || error.code === 'no_api' || error.status === 503)
    return exitCodes.unreachable;
  return error.status === 401 || error.status === 403 ? exitCodes.notAllowed : exitCodes.refused;
}

/**
 * What went wrong, in words: a sentence, the fields that are wrong, and what to name when asking for help.
 *
 * @param hideSecrets applied to what the server says before anything is cut off
 */
export function describeError(
  error: unknown,
  hideSecrets: (text: string) => string = (text) => text,
): string {
  if (!(error instanceof ApiCallError))
    return hideSecrets(error instanceof Error ? error.message : String(error));
  // With one field, the sentence is about it already.
  const fields = error.errors.length > 1 ? error.errors : [];
  const about = [error.code, error.requestId === null ? null : `request ${error.requestId}`];
  return [
    `${cleanLine(hideSecrets(error.detail), 2_000)} (${about.filter((part) => part !== null).join(', ')})`,
    ...fields.map(
      ({ field, message }) => `  ${cleanLine(hideSecrets(field))}: ${cleanLine(hideSecrets(message), 1_000)}`,
    ),
  ].join('\n');
}
