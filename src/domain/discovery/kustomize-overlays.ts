import type { LinkedFact, ScannedFile } from './link-facts.ts';
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
