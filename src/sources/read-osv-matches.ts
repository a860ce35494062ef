import { toList, toObject, toText } from '../domain/json/foreign-json.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { toTime } from '../domain/vulnerabilities/read-vulnerability.ts';
import { createPartCollector } from './collect-parts.ts';
import { type BodyOrigin, readJson } from './json-body.ts';

export interface OsvMatchesInput extends BodyOrigin {
  /** Number of queries that were sent. The response contains one result per query. */
  queries: number;
}

/** Records of one query, or one page of these records. */
export interface OsvMatches {
  /** Index of the query. */
  query: number;
  records: OsvRecordReference[];
  /** Token to send with the same query for its next page, or `null` after the last page. */
  nextPage: string | null;
}

export interface OsvRecordReference {
  id: string;
  /** Modification time as reported by OSV. */
  modified: string;
}

/** Valid IDs have at most 200 characters and can't contain a path. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;
const maxToken = 4_000;

/**
 * Reads the response of `/v1/querybatch`, which contains record IDs for each query, in the order of the
 * queries.
 */
export async function* readOsvMatches(
  { queries, ...origin }: OsvMatchesInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<OsvMatches[], void, undefined> {
  const results = toList(toObject(await readJson(body, origin))['results']);
  if (results.length !== queries)
    throw new RunError(
      'invalid_index',
      `${origin.host} returned ${results.length} results for ${queries} queries. Check PACEKEEPER_OSV_URL.`,
    );
  const parts = createPartCollector<OsvMatches>();
  for (const [query, result] of results.entries()) {
    const { vulns, next_page_token: token } = toObject(result);
    const nextPage = toText(token);
    if (nextPage !== null && nextPage.length > maxToken)
      throw new RunError('invalid_index', `A page token of ${origin.host} is too long.`);
    const full = parts.add({ query, records: toList(vulns).flatMap(toName), nextPage });
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
}

function toName(value: unknown): OsvRecordReference[] {
  const { id, modified: given } = toObject(value);
  const modified = toTime(given);
  return typeof id === 'string' && idPattern.test(id) && modified !== null ? [{ id, modified }] : [];
}
