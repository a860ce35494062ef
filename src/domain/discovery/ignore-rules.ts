import { normalizeArtifactKey } from './artifact-key.ts';
import { matchesPath, parsePathPattern } from './path-pattern.ts';

/** Rule of a discovery job that ignores items, or keeps them from being ignored. */
export interface IgnoreRule {
  artifact?: string;
  key?: string;
  path?: string;
  reason?: string;
  /** False if the rule keeps matching items from being ignored. The default is true. */
  is_ignored?: boolean;
}

export interface IgnorableItem {
  artifact_key: string;
  key: string;
  path: string;
}

/**
 * Maximum number of rules of a discovery job, and of those with a path, which take the most time to compare.
 */
export const maxIgnoreRules = 500;
export const maxPathRules = 100;

/** Number of paths whose results are cached. Items with the same path usually follow each other. */
const maxCachedPaths = 1_000;

type NormalizedRule = { ok: true; rule: IgnoreRule } | { ok: false; field: string; message: string };

/** Returns a rule as it is stored: without the default of `is_ignored`. */
export function normalizeIgnoreRule({ artifact, key, path, reason, is_ignored }: IgnoreRule): NormalizedRule {
  if (artifact === undefined && key === undefined && path === undefined)
    return { ok: false, field: '', message: 'must have an artifact, a key, or a path' };
  if (is_ignored === false && reason !== undefined)
    return { ok: false, field: 'reason', message: "must be omitted if the rule doesn't ignore items" };
  if (path !== undefined && !isUsablePath(path))
    return { ok: false, field: 'path', message: 'must be a path pattern without "!" or control characters' };
  const normalized = artifact === undefined ? null : normalizeArtifactKey(artifact);
  if (normalized && !normalized.ok) return { ok: false, field: 'artifact', message: normalized.message };
  return {
    ok: true,
    rule: {
      ...(normalized && { artifact: normalized.key }),
      ...(key !== undefined && { key }),
      ...(path !== undefined && { path }),
      ...(reason !== undefined && { reason }),
      ...(is_ignored === false && { is_ignored }),
    },
  };
}

/**
 * Returns a rule with its fields in the order in which files contain them. The database doesn't keep the
 * order of fields.
 */
export function inFileOrder(rule: IgnoreRule): IgnoreRule {
  const normalized = normalizeIgnoreRule(rule);
  return normalized.ok ? normalized.rule : rule;
}

function isUsablePath(path: string): boolean {
  const parsed = /\p{Cc}/u.test(path) ? null : parsePathPattern(path);
  return parsed !== null && parsed.segments.length > 0;
}

/** True if the path can be the path of a rule that matches only this file. */
export function canBeRulePath(path: string): boolean {
  return isUsablePath(path) && !/[*?]/.test(path);
}

/** Returns a function that finds the last rule that matches an item. */
export function createIgnoreFinder(rules: readonly IgnoreRule[]): (item: IgnorableItem) => IgnoreRule | null {
  const compiled = rules.map((rule, index) => ({
    rule,
    index,
    pattern: rule.path === undefined ? null : parsePathPattern(rule.path),
  }));
  const byKey = Map.groupBy(compiled, ({ rule }) => rule.key ?? null);
  const byArtifact = Map.groupBy(byKey.get(null) ?? [], ({ rule }) => rule.artifact ?? null);
  const byPath = byArtifact.get(null) ?? [];
  const matchesByPath = new Map<string, boolean[]>();
  const matchesOf = (path: string): boolean[] => {
    const known = matchesByPath.get(path);
    if (known) return known;
    if (matchesByPath.size === maxCachedPaths) matchesByPath.clear();
    const matches: boolean[] = [];
    matchesByPath.set(path, matches);
    return matches;
  };
  return ({ artifact_key: artifact, key, path }) => {
    const matches = matchesOf(path);
    let last: (typeof compiled)[number] | null = null;
    for (const some of [byKey.get(key), byArtifact.get(artifact), byPath]) {
      for (const each of some ?? []) {
        if (last !== null && each.index < last.index) continue;
        if (each.rule.artifact !== undefined && each.rule.artifact !== artifact) continue;
        matches[each.index] ??=
          each.rule.path === undefined || (each.pattern !== null && matchesPath(each.pattern, path));
        if (!matches[each.index]) continue;
        last = each;
      }
    }
    return last?.rule ?? null;
  };
}

/** A person's decision about an item, as a rule. `path` is the file of the item. */
export type Decision = Required<Pick<IgnoreRule, 'artifact' | 'key' | 'path'>> &
  Pick<IgnoreRule, 'reason' | 'is_ignored'>;

/**
 * True if the rules in a configuration file have the same effect as the stored ones. A rule that repeats a
 * person's decision about an item has no effect, because the decision takes precedence.
 */
export function haveSameEffect(
  wanted: readonly IgnoreRule[],
  stored: readonly IgnoreRule[],
  decisions: readonly Decision[],
): boolean {
  const rules = wanted.map(inFileOrder);
  const known = new Set(stored.map(ruleText));
  const decided = new Set(
    decisions.flatMap((decision) => [ruleText(decision), ruleText(withoutPath(decision))]),
  );
  const others = rules.filter((rule) => known.has(ruleText(rule)) || !decided.has(ruleText(rule)));
  return JSON.stringify(others.map(ruleText)) === JSON.stringify(stored.map(ruleText));
}

function withoutPath(decision: Decision): IgnoreRule {
  const { path: _, ...rest } = decision;
  return rest;
}

/** Returns a text that is the same for rules with the same fields. */
export function ruleText({ artifact, key, path, reason, is_ignored: isIgnored = true }: IgnoreRule): string {
  return JSON.stringify([artifact, key, path, reason, isIgnored]);
}
