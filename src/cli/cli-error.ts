import { ApiCallError } from '../client/api-client.ts';
import { describeConnectionProblem } from '../client/connection-problems.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';

/** Exit codes that scripts can rely on. They are documented in docs/cli.md. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unreachable: 3, notAllowed: 4 } as const;

/** Error that ends the command with a message for the user. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.refused) {
    super(message);
    this.name = 'CliError';
    this.exitCode = exitCode;
  }
}

/** Creates the error for an invalid command line. */
export function usageError(message: string): CliError {
  return new CliError(message, exitCodes.usage);
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CliError) return error.exitCode;
  if (!(error instanceof ApiCallError)) return exitCodes.refused;
  if (error.code === 'no_answer' || error.code === 'no_api' || (error.status ?? 0) >= 500)
    return exitCodes.unreachable;
  return error.status === 401 || error.status === 403 ? exitCodes.notAllowed : exitCodes.refused;
}

/**
 * Describes an error: a sentence, the invalid fields, and the IDs to include in a support request.
 * @param hideSecrets Applied to the server's messages before they're truncated.
 */
export function describeError(
  error: unknown,
  hideSecrets: (text: string) => string = (text) => text,
): string {
  if (!(error instanceof ApiCallError))
    return hideSecrets(error instanceof Error ? error.message : String(error));
  const connection = describeConnectionProblem(error);
  if (connection !== null) return connection;
  if (error.code === 'no_api') return cleanLine(error.detail, 2_000);
  // If only one field is invalid, the sentence already describes it.
  const fields = error.errors.length > 1 ? error.errors : [];
  const about = [error.code, error.requestId === null ? null : `request ${error.requestId}`];
  const [first] = fields;
  // The sentence is redundant if the list of fields below contains the same text.
  const isRepeated =
    first !== undefined &&
    [`${first.field}: ${first.message}`, `${first.field} ${first.message}`].includes(error.detail);
  const detail = isRepeated
    ? `${fields.length} fields aren't valid.`
    : cleanLine(hideSecrets(detailOf(error)), 2_000);
  return [
    `${detail}${remedyOf(error)} (${about.filter((part) => part !== null).join(', ')})`,
    ...fields.map(
      ({ field, message }) => `  ${cleanLine(hideSecrets(field))}: ${cleanLine(hideSecrets(message), 1_000)}`,
    ),
  ].join('\n');
}

/**
 * Returns the server's message. The message for `precondition_failed` is replaced because it mentions
 * headers, which CLI users don't set.
 */
function detailOf({ code, detail }: ApiCallError): string {
  return code === 'precondition_failed'
    ? 'The resource changed after you read it. Get it again with -o json, repeat your change in the new file, and update.'
    : detail;
}

function remedyOf({ status, retryAfterSeconds }: ApiCallError): string {
  if (status === 429)
    return retryAfterSeconds === null ? ' Try again later.' : ` Try again in ${retryAfterSeconds} s.`;
  return status === 500 ? ' The server log has details under the request ID.' : '';
}
