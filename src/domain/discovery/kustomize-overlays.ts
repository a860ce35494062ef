import type { Link } from './fact.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { isTemplated } from './read-version.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/** A kustomization, or a Flux Kustomization that applies a directory. */
interface Overlay {
  images: ReadonlySet<string>;
  /** Kustomizations that include this one. */
  parents: Overlay[];
}

/** Images that every overlay replaces, so that the version in their own file isn't deployed anywhere. */
export function coveredImages(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
): ReadonlySet<LinkedFact> {
  const { byDirectory, byFile } = readOverlays(files);
  const covered = new Set<LinkedFact>();
  for (const fact of facts) {
    if (fact.artifact.kind !== 'image') continue;
    // An override of an overlay can itself be replaced by those that include the overlay.
    const isOverride = fact.extractor === 'kustomize';
    const own = isOverride ? byDirectory.get(directoryOf(fact.file)) : undefined;
    const includers = isOverride ? (own?.parents ?? []) : (byFile.get(fact.file) ?? []);
    const known = new Map<Overlay, boolean>();
    const isCovered = (overlay: Overlay) => isReplaced(overlay, fact.artifact.name, known);
    if (includers.length > 0 && includers.every(isCovered)) covered.add(fact);
  }
  return covered;
}

/** @param known what was found for overlays; one that is being decided, in a circle, counts as not replaced */
function isReplaced(overlay: Overlay, image: string, known: Map<Overlay, boolean>): boolean {
  if (overlay.images.has(image)) return true;
  const before = known.get(overlay);
  if (before !== undefined) return before;
  known.set(overlay, false);
  const { parents } = overlay;
  const result = parents.length > 0 && parents.every((parent) => isReplaced(parent, image, known));
  known.set(overlay, result);
  return result;
}

function readOverlays(files: readonly ScannedFile[]) {
  const byDirectory = new Map<string, Overlay>();
  const byFile = new Map<string, Overlay[]>();
  const found: [overlay: Overlay, directory: string, resources: readonly string[]][] = [];
  for (const { path, links } of files) {
    for (const link of links) {
      if (link.type === 'kustomization') {
        const overlay: Overlay = { images: new Set(link.images), parents: [] };
        byDirectory.set(directoryOf(path), overlay);
        found.push([overlay, directoryOf(path), link.resources]);
      } else if (link.type === 'flux_kustomization') {
        found.push([{ images: new Set(link.images), parents: [] }, '', [link.path]]);
      }
    }
  }
  for (const [overlay, directory, resources] of found) {
    for (const resource of resources) {
      const target = resolvePath(directory, resource);
      if (target === null) continue;
      const child = byDirectory.get(target);
      if (child && child !== overlay) child.parents.push(overlay);
      if (child) continue;
      const includers = byFile.get(target);
      if (includers) includers.push(overlay);
      else byFile.set(target, [overlay]);
    }
  }
  return { byDirectory, byFile };
}

/**
 * Overrides of kustomizations whose name is that of no image. Only those of kustomizations that can be followed
 * completely: all of their resources are files in the repository that were read.
 *
 * @param isRead whether a file was read without problems
 */
export function unusedOverrides(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  isRead: (path: string) => boolean,
): ReadonlySet<LinkedFact> {
  const overrides = facts.filter(
    ({ extractor, place }) => extractor === 'kustomize' && place.field.startsWith('images['),
  );
  const unused = new Set<LinkedFact>();
  if (overrides.length === 0) return unused;
  const byDirectory = new Map<string, LinkOf[]>();
  for (const { path, links } of files)
    for (const link of links)
      if (link.type === 'kustomization') push(byDirectory, directoryOf(path), { ...link, path });
  const namesIn = Map.groupBy(
    facts.filter(({ artifact }) => artifact.kind === 'image'),
    ({ file }) => file,
  );
  const reachable = new Map<string, ReadonlySet<string> | null>();
  for (const fact of overrides) {
    const directory = directoryOf(fact.file);
    const known = reachable.get(directory);
    const names = known === undefined ? namesOfDirectory(directory) : known;
    reachable.set(directory, names);
    const name = fact.place.field.slice('images['.length, -1);
    if (names !== null && isPlainName(name) && !names.has(name)) unused.add(fact);
  }
  return unused;

  /** The names of the images in the resources of a kustomization, or null if they aren't all known. */
  function namesOfDirectory(start: string): ReadonlySet<string> | null {
    const names = new Set<string>();
    const seen = new Set<string>();
    const readPaths = new Set<string>();
    const waiting = [start];
    for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
      if (seen.has(directory)) continue;
      seen.add(directory);
      if (seen.size > maxDirectories) return null;
      const own = byDirectory.get(directory) ?? [];
      const [link] = own;
      if (!link?.isClosed || link.resources.length === 0 || own.length > 1 || !isRead(link.path)) return null;
      if (directory !== start) for (const each of namesIn.get(link.path) ?? []) names.add(each.artifact.name);
      for (const resource of link.resources) {
        const path = resolvePath(directory, resource);
        if (path === null) return null;
        if (readPaths.has(path)) continue;
        readPaths.add(path);
        if (byDirectory.has(path)) waiting.push(path);
        else if (!isRead(path)) return null;
        for (const { artifact } of namesIn.get(path) ?? []) {
          if (isTemplated(artifact.name)) return null;
          names.add(artifact.name);
        }
      }
    }
    return names;
  }
}

/** Kustomize reads names as patterns, and compares them with the whole image, so a name can have a tag. */
function isPlainName(name: string): boolean {
  return /^[\w./:-]+$/.test(name) && !/:[^/]*$/.test(name);
}

/** Kustomizations that include each other. Real ones have some dozens at most. */
const maxDirectories = 200;

type LinkOf = Extract<Link, { type: 'kustomization' }> & { path: string };

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}
