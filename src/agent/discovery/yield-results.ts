import { createHash } from 'node:crypto';
import type { Discovered } from '../../domain/discovery/discover.ts';
import { maxItems } from '../../domain/discovery/scan-limits.ts';
import { type DiscoveryResultItem, toResultItem } from './result-item.ts';
import { createScanReport, type ScanReport, type UnreadFile, unreadFilesOf } from './scan-report.ts';

/** Result of a scan of a cluster or container host. */
export interface InventoryScanResult {
  hash: string;
  /** True if nothing has changed since the previous scan, so nothing was submitted. */
  isUnchanged: boolean;
  found: number;
  report: ScanReport;
  /** Objects whose items aren't included, because the scan reached its limit. */
  unread: UnreadFile[];
}

const itemsOfPart = 1_000;
const charactersOfPart = 2 * 1024 * 1024;

/**
 * Yields items in parts that can be submitted.
 * @param options.unreadKinds Kinds of objects that couldn't be listed. The result is unchanged only if the
 * previous scan couldn't list the same kinds either.
 * @param options.knownHash Hash of the items of the previous scan. If null, all items are submitted.
 */
export function* yieldResults(
  { items, omittedCount, omittedFiles, failed }: Discovered,
  { unreadKinds, knownHash }: { unreadKinds: readonly string[]; knownHash: string | null },
): Generator<DiscoveryResultItem[], InventoryScanResult, undefined> {
  const report = createScanReport();
  const message = `${omittedCount} items beyond the limit of ${maxItems}.`;
  if (omittedCount > 0) report.add('limit', '', message);
  const unread = omittedFiles.map((path): UnreadFile => ({ path, reason: 'limit', message }));
  for (const problem of failed) {
    report.add(problem.reason, problem.file, problem.message);
    unread.push(...unreadFilesOf(problem.file, problem));
  }
  const hash = createHash('sha256').update(JSON.stringify(unreadKinds));
  const results = items.map((item) => {
    if (item.reason !== null) report.add(item.reason, item.place.file);
    const result = toResultItem(item, identityOf(item));
    hash.update(`${JSON.stringify(result)}\n`);
    return result;
  });
  const digest = hash.digest('hex');
  const found = { hash: digest, found: results.length, report: report.all(), unread };
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

/**
 * Returns an ID that is used instead of the Git blob ID of a file. It's derived from the item's key and file,
 * so it's unique to the item.
 */
function identityOf({ key, place }: { key: string; place: { file: string } }): string {
  return createHash('sha256').update(`${key}\n${place.file}`).digest('hex');
}
