import type { Series } from '../domain/prometheus/prometheus-series.ts';
import { readQueryResponse } from '../domain/prometheus/read-query-response.ts';
import { createPartCollector } from './collect-parts.ts';
import { type BodyOrigin, readJson } from './json-body.ts';
import { querySourceError } from './scrape-requests.ts';

/** Yields the series that an instant query returned. */
export async function* readPrometheusSeries(
  origin: BodyOrigin,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Series[], { isCut: boolean }, undefined> {
  const answer = readQueryResponse(await readJson(body, origin));
  if (!answer.ok) throw querySourceError(origin.host, answer.message);
  const parts = createPartCollector<Series>();
  for (const series of answer.series) {
    const full = parts.add(series);
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { isCut: answer.isCut };
}
