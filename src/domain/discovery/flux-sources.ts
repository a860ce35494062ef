import { gitPurl } from '../artifacts/purl.ts';
import { type FluxSourceName, linksOf } from './fact.ts';
import type { ScannedFile } from './link-facts.ts';
import { push } from './push.ts';
import { isTemplated } from './read-version.ts';
import { resolvePath } from './repository-path.ts';

/** The repository whose directory a Flux Kustomization applies. `unknown` if several Git repositories are possible. */
export type FluxSource = 'this_repository' | 'another_repository' | 'unknown';

/** A Flux Kustomization, or the variables of one. */
interface Sourced {
  source: FluxSourceName | null;
  namespace: string | null;
}

/**
 * Returns a function that returns the repository whose directory a Flux Kustomization applies. Nothing in a repository
 * contains its own URL, so these sources count as its own: those whose Kustomization applies the directory that
 * contains the Kustomization itself, then those with the name that `flux bootstrap` uses, then those that aren't in the
 * repository, and then the only one. Artifacts of registries and buckets count as copies of this repository.
 */
export function createSourceCheck(files: readonly ScannedFile[]): (link: Sourced) => FluxSource {
  const urlsOf = new Map<string, { namespace: string | null; url: string }[]>();
  for (const { facts } of files)
    for (const { extractor, place, artifact } of facts)
      if (extractor === 'flux' && place.kind === 'GitRepository' && place.name !== null)
        if (!isTemplated(artifact.name))
          push(urlsOf, place.name, {
            namespace: place.namespace,
            url: gitPurl(artifact.name) ?? artifact.name,
          });
  if (urlsOf.size === 0) return () => 'this_repository';
  const findUrls = ({ source, namespace }: Sourced): string[] | null => {
    if (source?.kind !== 'GitRepository') return null;
    const expected = source.namespace ?? namespace;
    const found = (urlsOf.get(source.name) ?? []).filter(
      (each) => expected === null || each.namespace === null || each.namespace === expected,
    );
    return found.map(({ url }) => url);
  };
  const inItself = new Set<string>();
  const ofBootstrap = new Set<string>();
  const all = new Set<string>();
  let isOwnMissing = false;
  for (const [file, link] of linksOf(files, 'flux_kustomization')) {
    const urls = findUrls(link);
    isOwnMissing ||= urls?.length === 0;
    const directory = resolvePath('', link.path);
    for (const url of urls ?? []) {
      all.add(url);
      if (link.source?.name === 'flux-system') ofBootstrap.add(url);
      if (directory && file.startsWith(`${directory}/`)) inItself.add(url);
    }
  }
  const known = [inItself, ofBootstrap].find(({ size }) => size > 0);
  const own = known ?? (isOwnMissing || all.size > 1 ? new Set<string>() : all);
  return (link) => {
    const urls = findUrls(link) ?? [];
    if (urls.length === 0 || urls.some((url) => own.has(url))) return 'this_repository';
    return known ? 'another_repository' : 'unknown';
  };
}
