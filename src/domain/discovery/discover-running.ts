import { type Discovered, type DiscoverOptions, discover } from './discover.ts';
import { compileLabelRules, type LabelRule } from './guess-labels.ts';
import type { ScannedFile } from './link-facts.ts';
import { matchesPath, parsePathPattern } from './path-pattern.ts';

/** Settings of a job that scans running software. */
export interface RunningScan {
  /** Patterns for the paths of objects. */
  include: readonly string[];
  exclude: readonly string[];
  /** Extractors to use; empty for all. */
  extractors: readonly string[];
  labelRules: readonly LabelRule[];
}

/**
 * Converts facts about running software to items. The order of the items doesn't depend on the order in which
 * the API listed the objects.
 *
 * @param options.labelsOf Returns labels that label rules can override.
 */
export function discoverRunning(
  files: readonly ScannedFile[],
  { include, exclude, extractors, labelRules }: RunningScan,
  { labelsOf, environmentOf }: Required<Pick<DiscoverOptions, 'labelsOf' | 'environmentOf'>>,
): Discovered {
  const rules = compileLabelRules(labelRules);
  const includes = include.flatMap((pattern) => parsePathPattern(pattern) ?? []);
  const excludes = exclude.flatMap((pattern) => parsePathPattern(pattern) ?? []);
  const { items, ...omitted } = discover(files, {
    wants: ({ extractor, file }) =>
      (extractors.length === 0 || extractors.includes(extractor)) &&
      (includes.length === 0 || includes.some((pattern) => matchesPath(pattern, file))) &&
      !excludes.some((pattern) => matchesPath(pattern, file)),
    labelsOf: (path) => ({ ...labelsOf(path), ...(rules.ok ? rules.labelsOf(path) : {}) }),
    ownerOf: () => null,
    environmentOf,
    environmentSource: 'name',
    labelSourceOf: (key, path) => (rules.ok && Object.hasOwn(rules.labelsOf(path), key) ? 'rule' : 'given'),
  });
  const orderOf = ({ place: { file }, key }: (typeof items)[number]) => `${file}\n${key}`;
  return { ...omitted, items: items.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)) };
}
