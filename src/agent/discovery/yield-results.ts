import { createHash } from 'node:crypto';
import type { Discovered } from '../../domain/discovery/discover.ts';
import { maxItems } from '../../domain/discovery/scan-limits.ts';
import { type DiscoveryResultItem, toResultItem } from './result-item.ts';
import { createScanReport, type ScanReport } from './scan-report.ts';

/** The end of a scan of what runs. */
export interface RunningFound {
  hash: string;
  /** Nothing was submitted, because nothing has changed. */
  isUnchanged: boolean;
  found: number;
  report: ScanReport;
}

const itemsOfPart = 1_000;
const charactersOfPart = 2 * 1024 * 1024;

/**
 * Yields items in parts that can be submitted.
 * @param options.unreadKinds what could not be listed: part of what makes a scan equal to the one before
 * @param options.knownHash of the items of the previous scan. Null: everything is submitted
 */
export function* yieldResults(
  { items, omittedCount }: Discovered,
  { unreadKinds, knownHash }: { unreadKinds: readonly string[]; knownHash: string | null },
): Generator<DiscoveryResultItem[], RunningFound, undefined> {
  const report = createScanReport();
  if (omittedCount > 0) report.add('too_large', '', `${omittedCount} items beyond the limit of ${maxItems}.`);
  const hash = createHash('sha256').update(JSON.stringify(unreadKinds));
  const results = items.map((item) => {
    if (item.reason !== null) report.add(item.reason, item.place.file);
    const result = toResultItem(item, identityOf(item));
    hash.update(`${JSON.stringify(result)}\n`);
    return result;
  });
  const digest = hash.digest('hex');
  const found = { hash: digest, found: results.length, report: report.all() };
  if (digest === knownHash) return { ...found, isUnchanged: true };
  let part: DiscoveryResultItem[] = [];
  let characters = 0;
  for (const result of results) {
    part.push(result);
    characters += JSON.stringify(result).length;
    if (part.length < itemsOfPart && characters < charactersOfPart) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
  return { ...found, isUnchanged: false };
}

/** An object has no content that could be the same as that of another one, so each item has an identity of its own. */
function identityOf({ key, place }: { key: string; place: { file: string } }): string {
  return createHash('sha256').update(`${key}\n${place.file}`).digest('hex');
}
