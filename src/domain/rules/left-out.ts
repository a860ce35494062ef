import type { Release } from './release-set.ts';

/** Reasons why a release is excluded. If several reasons apply, the first one in this order is reported. */
export const leftOutReasons = [
  'other_line',
  'not_a_version',
  'platform_tag',
  'moving_tag',
  'withdrawn',
  'yanked',
  'prerelease',
  'ignored',
  'candidate_pattern',
  'outlier',
  'other_variant',
  'too_young',
] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

/** Releases that are excluded for one reason. Field names match the API. */
export interface LeftOut {
  readonly reason: LeftOutReason;
  readonly count: number;
  /** Up to three examples, highest first. */
  readonly examples: readonly string[];
}

/** Counts excluded releases by reason. Callers add the highest releases first, so that these become the examples. */
export class ExclusionCounter {
  readonly #entries = new Map<LeftOutReason, { reason: LeftOutReason; count: number; examples: string[] }>();

  add(reason: LeftOutReason, release: Release): void {
    let entry = this.#entries.get(reason);
    if (entry === undefined) {
      entry = { reason, count: 0, examples: [] };
      this.#entries.set(reason, entry);
    }
    entry.count++;
    if (entry.count <= maxExamples) entry.examples.push(release.text);
  }

  /** Sets the count and the examples of a reason. `examples` are ordered highest first. */
  addAll(reason: LeftOutReason, count: number, examples: Iterable<Release>): void {
    if (count === 0) return;
    const texts: string[] = [];
    for (const { text } of examples) {
      if (texts.length === maxExamples) break;
      texts.push(text);
    }
    this.#entries.set(reason, { reason, count, examples: texts });
  }

  list(): LeftOut[] {
    return leftOutReasons.flatMap((reason) => this.#entries.get(reason) ?? []);
  }
}

const maxExamples = 3;
