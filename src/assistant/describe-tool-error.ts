import { ApiCallError } from '../client/api-client.ts';
import { describeConnectionProblem } from '../client/connection-problems.ts';
import { cleanLine } from '../domain/templates/clean-text.ts';

/** Describes a failed call for the model: what happened, the invalid arguments, and what to do. */
export function describeToolError(error: unknown): string {
  if (!(error instanceof ApiCallError))
    return cleanLine(error instanceof Error ? error.message : String(error), 2_000);
  const connection = describeConnectionProblem(error);
  if (connection !== null) return connection;
  const ids = [error.code, ...(error.requestId === null ? [] : [`request ${error.requestId}`])];
  return [
    `${cleanLine(error.detail, 2_000)} (${ids.join(', ')})`,
    ...error.errors.map(({ field, message }) => `${cleanLine(field)}: ${cleanLine(message, 1_000)}`),
    ...remedyOf(error),
  ].join('\n');
}

function remedyOf({ status, retryAfterSeconds }: ApiCallError): string[] {
  switch (status) {
    case 401:
      return ['Ask the user to set PACEKEEPER_API_KEY to a valid API key, or to log in again.'];
    case 403:
      return ['The API key needs the viewer role or a higher one. Ask the user for another key.'];
    case 404:
      return [
        "Use search or list_upgrades to find the current ID. IDs of deleted resources and of other organizations aren't found.",
      ];
    case 429:
      return [retryAfterSeconds === null ? 'Try again later.' : `Try again in ${retryAfterSeconds} s.`];
    case 500:
      return ['Report the request ID to the user. The server log has details.'];
    case 503:
      return ['Try again later.'];
    default:
      return [];
  }
}
