import { appendFileSync } from 'node:fs';
import path from 'node:path';

/** A line of the counts file: measurements of one run. */
export interface ReportedCounts {
  /** Path of the test file or program, relative to the root of the repository. */
  test: string;
  what: string;
  counts: Record<string, number>;
}

/** Appends a line to the file named by `PACEKEEPER_COUNTS_FILE`, if the variable is set. */
export function appendCounts(file: string, what: string, counts: Record<string, number>): void {
  const countsFile = process.env['PACEKEEPER_COUNTS_FILE'];
  if (countsFile === undefined) return;
  const test = path.relative(process.cwd(), file);
  appendFileSync(countsFile, `${JSON.stringify({ test, what, counts } satisfies ReportedCounts)}\n`);
}
