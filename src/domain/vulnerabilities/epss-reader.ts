import { isCveId } from './cve-id.ts';
import type { ExploitScore } from './exploits.ts';

export interface CveScore extends ExploitScore {
  readonly cve: string;
}

export interface EpssScores {
  /** Time of the scores, in milliseconds since 1970. */
  readonly scoredAtMs: number;
  /** Scores of the requested CVE IDs. */
  readonly scores: readonly CveScore[];
}

/**
 * `no_date`: the first line has no valid `score_date`, so the age of the scores is unknown. `no_header`: the
 * second line doesn't name the columns. `no_scores`: the file has no rows. `invalid_row`: a row isn't a CVE
 * ID with two numbers from 0 to 1, for example because the file was cut off. `too_large`: the file has more
 * or longer rows than any real file.
 */
export type EpssProblem = 'no_date' | 'no_header' | 'no_scores' | 'invalid_row' | 'too_large';

/**
 * Maximum length of a line and, below, maximum number of rows. In 2026, EPSS has about 300,000 rows of 30
 * characters.
 */
const maxLineLength = 1_000;
const maxRows = 3_000_000;

/** Parses `epss_scores-current.csv` in chunks, and keeps only the scores of the requested CVE IDs. */
export class EpssReader {
  readonly #wanted: ReadonlySet<string>;
  readonly #scores = new Map<string, CveScore>();
  #line = '';
  #lineCount = 0;
  #scoredAtMs = Number.NaN;
  #problem: EpssProblem | null = null;

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  feed(text: string): void {
    if (this.#problem !== null) return;
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop()!;
    for (const line of lines) {
      if (this.#problem !== null) return;
      this.#readLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    }
    if (this.#line.length > maxLineLength) this.#problem ??= 'too_large';
  }

  end():
    | { readonly ok: true; readonly epss: EpssScores }
    | { readonly ok: false; readonly problem: EpssProblem } {
    // A complete file ends with a line break, so the remaining text is a row that was cut off, even if it
    // looks complete.
    if (this.#line !== '') this.#problem ??= this.#lineCount === 0 ? 'no_date' : 'invalid_row';
    if (this.#lineCount < 3) this.#problem ??= this.#lineCount === 0 ? 'no_date' : 'no_scores';
    if (this.#problem !== null) return { ok: false, problem: this.#problem };
    return { ok: true, epss: { scoredAtMs: this.#scoredAtMs, scores: [...this.#scores.values()] } };
  }

  #readLine(line: string): void {
    this.#lineCount++;
    if (line.length > maxLineLength || this.#lineCount > maxRows) this.#problem = 'too_large';
    else if (this.#lineCount === 1) this.#readDate(line);
    else if (this.#lineCount === 2) {
      if (!/^cve,epss,percentile(?:,|$)/.test(line)) this.#problem = 'no_header';
    } else this.#readRow(line);
  }

  #readDate(line: string): void {
    const [, date] = /^#(?:[^#]*,)?score_date:([^,]+)/.exec(line) ?? [];
    this.#scoredAtMs = date === undefined ? Number.NaN : Date.parse(date);
    if (Number.isNaN(this.#scoredAtMs)) this.#problem = 'no_date';
  }

  #readRow(line: string): void {
    const [cve = '', score, percentile] = line.split(',', 3);
    const row = { cve, score: toFraction(score), percentile: toFraction(percentile) };
    if (!isCveId(cve) || Number.isNaN(row.score) || Number.isNaN(row.percentile))
      this.#problem = 'invalid_row';
    else if (this.#wanted.has(cve)) this.#scores.set(cve, row);
  }
}

/** Returns a number from 0 to 1, or `NaN` for any other string. Small numbers can be written as `9e-05`. */
function toFraction(text: string | undefined): number {
  const value =
    text !== undefined && /^\d(?:\.\d{1,20})?(?:e-\d{1,2})?$/i.test(text) ? Number(text) : Number.NaN;
  return value <= 1 ? value : Number.NaN;
}

/** Sentence about each problem, which follows the name of the file in messages. */
export const epssProblemSentences: Readonly<Record<EpssProblem, string>> = {
  no_date: "its first line doesn't say when it was generated (score_date).",
  no_header: "its second line isn't cve,epss,percentile.",
  no_scores: 'it has no scores.',
  invalid_row: "it has a row that isn't a CVE ID with two numbers from 0 to 1, or it's incomplete.",
  too_large: 'it has too many or too long rows.',
};
