import { epochOfRank, withEpoch } from './precedence.ts';
import type { VersionScheme } from './version-scheme.ts';

/** Returns true for the versions that a filter selects. Texts that aren't versions are only equal to themselves. */
export type VersionFilter = (text: string) => boolean;

const operators = {
  '=': (order: number) => order === 0,
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
} as const;

type Operator = keyof typeof operators;

/** Selects a version with other spellings, variants, and packaging revisions of it. */
export function versionFilter(version: string, scheme: VersionScheme): VersionFilter {
  const isEqual = comparison('=', version, scheme);
  return (text) => text === version || (isEqual?.(text) ?? false);
}

/**
 * Parses a range such as `>=1.12.0 <1.14.3 || 2.0.1`. Variants and packaging revisions are ignored.
 *
 * @returns The reason if the range isn't valid.
 */
export function parseVersionRange(range: string, scheme: VersionScheme): VersionFilter | { problem: string } {
  const alternatives: VersionFilter[] = [];
  for (const alternative of range.split('||')) {
    // An operator can be separated from its version.
    const comparators = alternative
      .replaceAll(/([<>=])\s+/gu, '$1')
      .split(/[\s,]+/u)
      .filter((part) => part !== '');
    if (comparators.length === 0) return { problem: 'an alternative is empty' };
    const filters: VersionFilter[] = [];
    for (const comparator of comparators) {
      const operator = /^[<>]=?|^=/u.exec(comparator)?.[0] ?? '';
      const version = comparator.slice(operator.length);
      const filter = comparison(operator === '' ? '=' : (operator as Operator), version, scheme);
      // The scheme would ignore a second operator.
      if (filter === null || /[<>=^~]/u.test(version)) return { problem: `"${version}" isn't a version` };
      filters.push(filter);
    }
    alternatives.push((text) => filters.every((filter) => filter(text)));
  }
  return (text) => alternatives.some((filter) => filter(text));
}

function comparison(operator: Operator, version: string, scheme: VersionScheme): VersionFilter | null {
  const bound = scheme.parse(version)?.upstreamRank;
  if (bound === undefined) return null;
  return (text) => {
    const parsed = scheme.parse(text);
    if (parsed === null) return false;
    const rank = withEpoch(parsed.upstreamRank, epochOfRank(bound));
    return operators[operator](rank === bound ? 0 : rank < bound ? -1 : 1);
  };
}
