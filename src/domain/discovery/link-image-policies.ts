import { compileCheapPattern, type Pattern } from '../patterns/compile-pattern.ts';
import { sourceTypes } from '../source-types/source-types.ts';
import type { LinkedFact, LinkOf } from './link-facts.ts';

/**
 * Maximum number of policies in a repository, because each pattern takes up to 5 ms to compile. Further
 * policies are ignored.
 */
const maxPolicies = 1_000;
const maxPatternLength = 1_000;

interface TagOrder {
  policy: string;
  source: string;
  pattern: Pattern;
}

/**
 * Adds the patterns of Flux image policies to the images that they order. If several policies order a tag
 * differently, none applies.
 */
export function linkImagePolicies(
  facts: readonly LinkedFact[],
  policies: Iterable<[path: string, link: LinkOf<'image_policy'>]>,
  sources: Iterable<[path: string, link: LinkOf<'flux_source'>]>,
): void {
  const orders = ordersByImage(
    [...policies].map(([, link]) => link),
    sources,
  );
  if (orders.size === 0) return;
  for (const fact of facts) {
    const { artifact, origin, version } = fact;
    if (artifact.kind !== 'image' || origin.type !== 'oci' || version === null) continue;
    const fitting = (orders.get(imageKey(origin.reference)) ?? []).filter(({ pattern }) =>
      ordersTag(pattern, version),
    );
    const [first] = fitting;
    if (first === undefined || fitting.some(({ source }) => source !== first.source)) continue;
    fact.tagPattern = first.source;
    fact.note ??= `tags ordered by the ImagePolicy ${first.policy}`;
    if (fact.state === 'floating' || fact.state === 'commit')
      Object.assign(fact, { state: 'exact', reason: null });
  }
}

function ordersByImage(
  policies: readonly LinkOf<'image_policy'>[],
  sources: Iterable<[path: string, link: LinkOf<'flux_source'>]>,
): Map<string, TagOrder[]> {
  const orders = new Map<string, TagOrder[]>();
  if (policies.length === 0) return orders;
  const repositories = Map.groupBy(
    [...sources].flatMap(([, link]) => (link.kind === 'ImageRepository' ? [link] : [])),
    ({ name }) => name,
  );
  for (const { name, repository, pattern, extract } of policies.slice(0, maxPolicies)) {
    const named = repositories.get(repository.name) ?? [];
    // If no object has the namespace, use objects in other namespaces, because a kustomization can set
    // namespaces that no file shows.
    const same = named.filter(({ namespace }) => namespace === repository.namespace);
    const images = new Set((same.length > 0 ? same : named).map(({ url }) => imageKey(url ?? '')));
    const [image] = images;
    const source = toVersionPattern(pattern, extract);
    const compiled = source === null ? null : compileCheapPattern(source);
    if (image === undefined || images.size > 1 || source === null || !compiled?.ok) continue;
    const known = orders.get(image) ?? [];
    orders.set(image, known);
    known.push({ policy: name, source, pattern: compiled.pattern });
  }
  return orders;
}

function imageKey(reference: string): string {
  const normalized = sourceTypes.oci_registry.normalizeArtifactName(reference);
  return normalized.ok ? normalized.artifactName : reference;
}

/** True if the pattern matches the tag, and the part that orders the tag contains a digit. */
function ordersTag(pattern: Pattern, tag: string): boolean {
  const match = pattern.find(tag);
  return match !== null && /\d/.test(match.groups[0] ?? match.match);
}

/**
 * Converts the filter of a policy to a `version_pattern`. The first group of a `version_pattern` is the
 * version, so other groups become non-capturing.
 *
 * @returns `null` if the filter can't be converted, for example because several groups determine the order of
 * the tags. A `version_pattern` can't combine groups.
 */
export function toVersionPattern(pattern: string, extract: string | null): string | null {
  if (pattern.length > maxPatternLength || pattern.includes('\\Q')) return null;
  const wanted = extract === null ? null : /^\$(?:\{(\w+)\}|(\w+))$/.exec(extract);
  const group = wanted?.[1] ?? wanted?.[2] ?? null;
  if (extract !== null && extract !== '' && group === null) return null;
  // Without a group, the version is the whole tag, so the pattern must match the whole tag.
  if (group === null && !(pattern.startsWith('^') && pattern.endsWith('$'))) return null;
  let count = 0;
  let found = false;
  const converted = pattern.replaceAll(
    /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]?|\((?:\?P?<(\w+)>|(?!\?))/gs,
    (part, name: string | undefined) => {
      if (!part.startsWith('(')) return part;
      count++;
      const isWanted = group !== null && (group === name || group === String(count));
      found ||= isWanted;
      return isWanted ? '(' : '(?:';
    },
  );
  return group !== null && group !== '0' && !found ? null : converted;
}
