import { appendFileSync } from 'node:fs';
import path from 'node:path';

/** A line of the file of counts: what a run has done, for its report. */
export interface ToldCounts {
  /** The test file or program, from the root of the repository. */
  test: string;
  what: string;
  counts: Record<string, number>;
}

/** Writes a line into the file that `PACEKEEPER_COUNTS_FILE` names, if it does. */
export function tellCounts(file: string, what: string, counts: Record<string, number>): void {
  const countsFile = process.env['PACEKEEPER_COUNTS_FILE'];
  if (countsFile === undefined) return;
  const test = path.relative(process.cwd(), file);
  appendFileSync(countsFile, `${JSON.stringify({ test, what, counts } satisfies ToldCounts)}\n`);
}
