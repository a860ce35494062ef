import { epochOfRank, withEpoch } from './precedence.ts';
import type { Version, VersionScheme } from './version-scheme.ts';

/** Returns true for the versions that a filter selects. A string that isn't a version selects only itself. */
export type VersionFilter = (text: string) => boolean;

type Comparison = (parsed: Version) => boolean;

const operators = {
  '=': (order: number) => order === 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
} as const;

type Operator = keyof typeof operators;

/** Maximum number of comparisons in a range. Limits the time for testing a version, since it may need all. */
const maxComparisons = 20;

/** Selects a version, including its other spellings, variants, and packaging revisions. */
export function versionFilter(version: string, scheme: VersionScheme): VersionFilter {
  const isEqual = comparison('=', version, scheme);
  return (text) => {
    if (text === version) return true;
    const parsed = isEqual === null ? null : scheme.parse(text);
    return parsed !== null && isEqual!(parsed);
  };
}

/**
 * Parses a range such as `>=1.12.0 <1.14.3 || 2.0.1`. Variants and packaging revisions are ignored.
 *
 * @returns The reason if the range isn't valid.
 */
export function parseVersionRange(range: string, scheme: VersionScheme): VersionFilter | { problem: string } {
  const alternatives: Comparison[][] = [];
  let count = 0;
  for (const alternative of range.split('||')) {
    // An operator can be separated from its version.
    const comparators = alternative
      .replaceAll(/([<>=])\s+/gu, '$1')
      .split(/[\s,]+/u)
      .filter((part) => part !== '');
    if (comparators.length === 0) return { problem: 'an alternative is empty' };
    count += comparators.length;
    if (count > maxComparisons) return { problem: `has more than ${maxComparisons} comparisons` };
    const comparisons: Comparison[] = [];
    for (const comparator of comparators) {
      const operator = /^[<>]=?|^=/u.exec(comparator)?.[0] ?? '';
      const version = comparator.slice(operator.length);
      const compare = comparison(operator === '' ? '=' : (operator as Operator), version, scheme);
      // The scheme would ignore a second operator.
      if (compare === null || /[<>=^~]/u.test(version)) return { problem: `"${version}" isn't a version` };
      comparisons.push(compare);
    }
    alternatives.push(comparisons);
  }
  return (text) => {
    const parsed = scheme.parse(text);
    return (
      parsed !== null && alternatives.some((comparisons) => comparisons.every((compare) => compare(parsed)))
    );
  };
}

function comparison(operator: Operator, version: string, scheme: VersionScheme): Comparison | null {
  const bound = scheme.parse(version)?.upstreamRank;
  if (bound === undefined) return null;
  return (parsed) => {
    const rank = withEpoch(parsed.upstreamRank, epochOfRank(bound));
    return operators[operator](rank === bound ? 0 : rank < bound ? -1 : 1);
  };
}
