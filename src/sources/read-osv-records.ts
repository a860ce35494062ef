import {
  parseRecordLine,
  readVulnerability,
  type VulnerabilityRecord,
} from '../domain/vulnerabilities/read-vulnerability.ts';
import { createPartCollector } from './collect-parts.ts';

export interface OsvRecordsInput {
  /** IDs and sizes of the responses, which follow one another in the body. */
  responses: { id: string; bytes: number }[];
}

export interface FoundOsvRecord {
  id: string;
  /** The record, or `null` if it can't be parsed or stored. */
  record: (VulnerabilityRecord & { modified: string }) | null;
}

const maxText = 1_000;

/**
 * Reads responses of `/v1/vulns/{id}`. One call reads many responses, because a sandbox call takes longer
 * than parsing a small record.
 */
export async function* readOsvRecords(
  { responses }: OsvRecordsInput,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<FoundOsvRecord[], void, undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  const all = Buffer.concat(pieces);
  const parts = createPartCollector<FoundOsvRecord>();
  let at = 0;
  for (const { id, bytes } of responses) {
    const text = all.toString('utf8', at, at + bytes);
    at += bytes;
    const full = parts.add({ id, record: readRecord(id, text) });
    if (full) yield full;
  }
  const rest = parts.rest();
  if (rest.length > 0) yield rest;
}

/** Returns the record with this ID, or `null` if the text isn't that record or can't be stored. */
export function readRecord(id: string, text: string): FoundOsvRecord['record'] {
  const record = readVulnerability(parseRecordLine(text));
  if (record === null || record.id !== id || record.modified === null) return null;
  const texts = record.affected.flatMap(({ ecosystem, name, ranges, versions }) => [
    ecosystem,
    name,
    ...versions,
    ...ranges.flatMap((events) => events.map(({ version }) => version)),
  ]);
  if (texts.some((each) => each.length > maxText)) return null;
  return { ...record, modified: record.modified };
}
