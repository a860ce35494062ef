import { RunError } from '../domain/runs/run-error.ts';
import { toList, toObject, toText } from '../domain/verdicts/foreign-json.ts';
import { toTime } from '../domain/verdicts/read-vulnerability.ts';
import { createPartCollector } from './collect-parts.ts';
import { type BodyOrigin, readJson } from './json-body.ts';

export interface OsvMatchesInput extends BodyOrigin {
  /** How many queries were sent. There is one result for each. */
  queries: number;
}

/** The records of one query, or a page of them. */
export interface OsvMatches {
  /** The position of the query. */
  query: number;
  records: OsvRecordName[];
  /** To be sent with the same query. Null: this was the last page. */
  nextPage: string | null;
}

export interface OsvRecordName {
  id: string;
  /** As OSV states it. */
  modified: string;
}

/** As long as IDs can be, and no path. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,199}$/;
const maxToken = 4_000;

/** What `/v1/querybatch` returns: for each query, in its order, the IDs of records. */
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

function toName(value: unknown): OsvRecordName[] {
  const { id, modified: given } = toObject(value);
  const modified = toTime(given);
  return typeof id === 'string' && idPattern.test(id) && modified !== null ? [{ id, modified }] : [];
}
