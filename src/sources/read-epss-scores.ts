import { RunError } from '../domain/runs/run-error.ts';
import { type CveScore, EpssReader, epssProblemSentences } from '../domain/vulnerabilities/epss-reader.ts';
import { createPartCollector } from './collect-parts.ts';
import type { FoundDocument } from './found-document.ts';
import { GzipError, gunzipIfPacked } from './gunzip-if-packed.ts';

export interface EpssScoresInput {
  /** Host for error messages. */
  host: string;
  /** CVE IDs whose scores are read. Other rows are only checked. */
  cves: string[];
}

/** Maximum size after decompression. In 2026, the file has 10 MB. */
const maxBytes = 64 * 1024 * 1024;

/** Reads the scores of the given CVE IDs from EPSS's daily file. No part is yielded until the whole file is read. */
export async function* readEpssScores(
  { host, cves }: EpssScoresInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<CveScore[], FoundDocument, undefined> {
  const reader = new EpssReader(new Set(cves));
  const decoder = new TextDecoder();
  let bytes = 0;
  try {
    for await (const piece of gunzipIfPacked(body)) {
      bytes += piece.byteLength;
      if (bytes > maxBytes)
        throw new RunError(
          'too_large',
          `The EPSS file of ${host} has more than ${maxBytes / 1024 / 1024} MiB.`,
        );
      reader.feed(decoder.decode(piece, { stream: true }));
    }
  } catch (error) {
    if (!(error instanceof GzipError)) throw error;
    throw new RunError('invalid_index', `Can't use the EPSS file of ${host}: it isn't complete gzip data.`, {
      cause: error,
    });
  }
  const end = reader.end();
  if (!end.ok)
    throw new RunError(
      end.problem === 'too_large' ? 'too_large' : 'invalid_index',
      `Can't use the EPSS file of ${host}: ${epssProblemSentences[end.problem]}`,
    );
  const { scores, scoredAtMs } = end.epss;
  const parts = createPartCollector<CveScore>();
  for (const score of scores) {
    const full = parts.add(score);
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
  return { found: scores.length, asOf: new Date(scoredAtMs).toISOString() };
}
