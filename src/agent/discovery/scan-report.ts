import { type Reason, reasonTexts } from '../../domain/discovery/reasons.ts';

/** Versions that a scan found but doesn't propose: a count and examples for each reason. */
export interface ScanReport {
  counts: Partial<Record<Reason, number>>;
  examples: { name: string; reason: string }[];
}

const maxExamples = 10;
const maxExamplesOfReason = 3;
const maxTextLength = 300;

export function createScanReport() {
  const counts = new Map<Reason, number>();
  const examples: { name: string; reason: string; code: Reason }[] = [];

  function add(code: Reason, name: string, message: string = reasonTexts[code]): void {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count <= maxExamplesOfReason && examples.length < maxExamples * maxExamplesOfReason)
      examples.push({ name: shorten(name), reason: shorten(message), code });
  }

  return {
    add,
    all: (): ScanReport => ({ counts: Object.fromEntries(counts), examples }),
  };
}

/**
 * Merges the reports of the steps of a scan. Every reason gets one example before any reason gets a second
 * one.
 */
export function mergeReports(reports: readonly ScanReport[]): ScanReport {
  const counts: ScanReport['counts'] = {};
  for (const report of reports)
    for (const [code, count] of Object.entries(report.counts))
      counts[code as Reason] = (counts[code as Reason] ?? 0) + count;
  const byReason = [
    ...Map.groupBy(
      reports.flatMap(({ examples }) => examples),
      ({ reason }) => reason,
    ).values(),
  ];
  const examples = [0, 1, 2].flatMap((at) => byReason.flatMap((list) => list.slice(at, at + 1)));
  return {
    counts,
    examples: examples.slice(0, maxExamples).map(({ name, reason }) => ({ name, reason })),
  };
}

function shorten(text: string): string {
  return text
    .slice(0, maxTextLength)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ');
}
