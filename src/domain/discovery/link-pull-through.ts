import { withoutTrailing } from '../text/trailing.ts';
import type { Fact, Link } from './fact.ts';
import { isTemplated } from './read-version.ts';

type PullThrough = Extract<Link, { type: 'pull_through' }>;

/**
 * Returns a rule of a pull-through cache in Amazon ECR, or null if the file doesn't contain both values. A
 * rule with the prefix `ROOT` is ignored, because it applies to all repositories: cached images can't be
 * distinguished from an organization's own images.
 *
 * @see https://docs.aws.amazon.com/AmazonECR/latest/userguide/pull-through-cache.html
 */
export function toPullThroughRule(prefix: string | null, registry: string | null): PullThrough | null {
  const isValid = (text: string | null): text is string =>
    text !== null && !isTemplated(text) && /^[a-z0-9][a-z0-9._/-]*$/.test(text);
  return isValid(prefix) && isValid(registry)
    ? { type: 'pull_through', prefix: withoutTrailing(prefix, '/'), registry: withoutTrailing(registry, '/') }
    : null;
}

/**
 * Replaces the registry of images from a pull-through cache with the upstream registry of the cache. The
 * rules don't contain the account, so a prefix that two rules map to different registries is ambiguous and is
 * skipped.
 */
export function linkPullThrough(
  facts: readonly Pick<Fact, 'origin' | 'note'>[],
  rules: readonly PullThrough[],
): void {
  if (rules.length === 0) return;
  const registries = new Map<string, string | null>();
  for (const { prefix, registry } of rules) {
    const known = registries.get(prefix);
    registries.set(prefix, known === undefined || known === registry ? registry : null);
  }
  for (const fact of facts) {
    if (fact.origin.type !== 'oci') continue;
    const path = ecr.exec(fact.origin.reference)?.[1];
    if (path === undefined) continue;
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const registry = registries.get(path.slice(0, end));
      if (registry === undefined) continue;
      if (registry !== null)
        Object.assign(fact, {
          origin: { type: 'oci', reference: `${registry}/${path.slice(end + 1)}` },
          note: fact.note ?? `through the pull-through cache ${path.slice(0, end)}`,
        });
      break;
    }
  }
}

const ecr = /^\d{12}\.dkr[.-]ecr(?:-fips)?\.[a-z0-9-]+\.(?:amazonaws\.com(?:\.cn)?|on\.aws)\/(.+)$/;
