import type { Link, PatchedImage } from './fact.ts';
import { createSourceCheck } from './flux-sources.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { push } from './push.ts';
import { isTemplated } from './read-version.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/** A kustomization, or a Flux Kustomization that applies a directory. */
interface Overlay {
  images: ReadonlySet<string>;
  patches: readonly PatchedImage[];
  /** Kustomizations that include this one. */
  parents: Overlay[];
}

/**
 * Finds the images that every overlay replaces. The versions of these images in their own files therefore
 * aren't deployed anywhere.
 */
export function imagesReplacedByAllOverlays(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
): ReadonlySet<LinkedFact> {
  const { byDirectory, byFile } = readOverlays(facts, files);
  const covered = new Set<LinkedFact>();
  for (const fact of facts) {
    if (fact.artifact.kind !== 'image') continue;
    // An override in an overlay can itself be replaced by kustomizations that include the overlay.
    const isOverride = fact.extractor === 'kustomize';
    const own = isOverride ? byDirectory.get(directoryOf(fact.file)) : undefined;
    const includers = isOverride ? (own?.parents ?? []) : (byFile.get(fact.file) ?? []);
    const known = new Map<Overlay, boolean>();
    const isCovered = (overlay: Overlay) => isReplaced(overlay, fact, known);
    if (includers.length > 0 && includers.every(isCovered)) covered.add(fact);
  }
  return covered;
}

/**
 * True if the overlay itself or all of its parents replace the image.
 *
 * @param known Results of overlays that were already evaluated. In a cycle, an overlay that is still being
 * evaluated counts as not replaced.
 */
function isReplaced(overlay: Overlay, fact: LinkedFact, known: Map<Overlay, boolean>): boolean {
  if (overlay.images.has(fact.artifact.name) || overlay.patches.some((patch) => isPatched(fact, patch)))
    return true;
  const before = known.get(overlay);
  if (before !== undefined) return before;
  known.set(overlay, false);
  const { parents } = overlay;
  const result = parents.length > 0 && parents.every((parent) => isReplaced(parent, fact, known));
  known.set(overlay, result);
  return result;
}

/**
 * Returns a function that returns true if every overlay that includes the file of a release patches the
 * release. If no such overlay is known, the function also returns true.
 */
export function createPatchCheck(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
): (base: LinkedFact, patches: readonly LinkedFact[]) => boolean {
  const { byDirectory, byFile, patching } = readOverlays(facts, files);
  return (base, patches) => {
    const own = byDirectory.get(directoryOf(base.file));
    const includers =
      byFile.get(base.file) ?? byFile.get(directoryOf(base.file)) ?? (own === undefined ? [] : [own]);
    const patched = new Set(patches.flatMap(({ file }) => patching.get(file) ?? []));
    const known = new Map<Overlay, boolean>();
    const isCovered = (overlay: Overlay): boolean => {
      const before = known.get(overlay);
      if (before !== undefined) return before;
      known.set(overlay, patched.has(overlay));
      const { parents } = overlay;
      const result = patched.has(overlay) || (parents.length > 0 && parents.every(isCovered));
      known.set(overlay, result);
      return result;
    };
    return includers.every(isCovered);
  };
}

function isPatched({ place, artifact }: LinkedFact, { kind, name, image }: PatchedImage): boolean {
  return (
    artifact.name === image &&
    (kind === null || place.kind === kind) &&
    (name === null || place.name === name)
  );
}

function readOverlays(facts: readonly LinkedFact[], files: readonly ScannedFile[]) {
  const factsIn = Map.groupBy(facts, ({ file }) => file);
  const sourceOf = createSourceCheck(files);
  const byDirectory = new Map<string, Overlay>();
  const byFile = new Map<string, Overlay[]>();
  // Overlays by the file that contains their patches.
  const patching = new Map<string, Overlay[]>();
  const found: [overlay: Overlay, directory: string, resources: readonly string[]][] = [];
  for (const { path, links } of files) {
    for (const link of links) {
      if (link.type === 'kustomization') {
        const patches = [...link.patches];
        for (const { artifact, place, isVersionPatch } of factsIn.get(path) ?? [])
          if (isVersionPatch) patches.push({ kind: place.kind, name: place.name, image: artifact.name });
        const overlay: Overlay = { images: new Set(link.images), patches, parents: [] };
        push(patching, path, overlay);
        for (const { path: relative, kind, name } of link.patchFiles) {
          const file = resolvePath(directoryOf(path), relative);
          if (file !== null) push(patching, file, overlay);
          for (const { artifact, place } of (file === null ? undefined : factsIn.get(file)) ?? []) {
            // A JSON patch doesn't name its object, so use the target in the kustomization.
            place.kind ??= kind;
            place.name ??= name;
            if (artifact.kind === 'image')
              patches.push({ kind: kind ?? place.kind, name: name ?? place.name, image: artifact.name });
          }
        }
        byDirectory.set(directoryOf(path), overlay);
        found.push([overlay, directoryOf(path), link.resources]);
      } else if (link.type === 'flux_kustomization') {
        const source = sourceOf(link);
        if (source === 'another_repository') continue;
        // If the repository isn't known, the Kustomization can apply the directory and can't prove that it replaces
        // anything in it.
        const isOwn = source === 'this_repository';
        const overlay: Overlay = { images: new Set(isOwn ? link.images : []), patches: [], parents: [] };
        if (isOwn) push(patching, path, overlay);
        found.push([overlay, '', [link.path]]);
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
      push(byFile, target, overlay);
    }
  }
  return { byDirectory, byFile, patching };
}

/**
 * Finds image overrides that don't match the name of any image. Includes only overrides in kustomizations
 * whose resources are all known: they're files in the repository, and all of them were read.
 *
 * @param isRead True if a file was read without problems.
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
    const names = known === undefined ? imageNamesInDirectory(directory) : known;
    reachable.set(directory, names);
    const name = fact.place.field.slice('images['.length, -1);
    if (names !== null && isPlainName(name) && !names.has(name)) unused.add(fact);
  }
  return unused;

  /**
   * Returns the names of the images in the resources of a kustomization, or null if some of them are unknown.
   */
  function imageNamesInDirectory(start: string): ReadonlySet<string> | null {
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

/**
 * True if a name isn't a pattern and contains no tag. Kustomize treats names as patterns and compares them
 * with the whole image, so both are possible.
 */
function isPlainName(name: string): boolean {
  return /^[\w./:-]+$/.test(name) && name.lastIndexOf(':') <= name.lastIndexOf('/');
}

/** Maximum number of connected kustomizations. Real repositories have a few dozen at most. */
const maxDirectories = 200;

type LinkOf = Extract<Link, { type: 'kustomization' }> & { path: string };
