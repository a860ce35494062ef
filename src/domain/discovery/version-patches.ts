import type { Link, PatchedVersion } from './fact.ts';
import type { LinkedFact, ScannedFile } from './link-facts.ts';
import { push } from './push.ts';
import type { ReadDocument } from './read-documents.ts';
import { textAt } from './read-documents.ts';
import { readVersion } from './read-version.ts';
import { directoryOf, resolvePath } from './repository-path.ts';
import { maxFactsPerFile } from './scan-limits.ts';
import { walkTree } from './walk-tree.ts';

/** Keys of a version in objects, and keys of the image's name next to it. */
const versionKeys: readonly string[] = ['version', 'tag', 'imageTag', 'tagOverride'];
const imageKeys: readonly string[] = ['image', 'repository', 'repo'];

/** Returns the versions that a part of an object sets without their images. */
export function readPatchedVersions(document: ReadDocument): PatchedVersion[] {
  const found: PatchedVersion[] = [];
  walkTree(document.tree, ({ node, field }) => {
    if (found.length >= maxFactsPerFile || field === 'metadata' || field === 'status') return false;
    if (node.kind !== 'map' || field === '' || imageKeys.some((key) => textAt(node, key) !== null))
      return true;
    for (const key of versionKeys) {
      const text = textAt(node, key);
      if (text !== null && text !== '')
        found.push({ field, key, text, line: document.lineOf(node.get(key)), document: document.index });
    }
    return true;
  });
  return found;
}

/** Returns the version that an operation of a JSON patch sets, or null. */
export function readPatchedVersion(
  path: string,
  text: string,
): Pick<PatchedVersion, 'field' | 'key' | 'text'> | null {
  const parts = path.split('/').slice(1);
  const key = parts.pop() ?? '';
  // Skip paths into lists: the field of an image contains the name of a list entry, but a patch contains only
  // its index.
  const isOutsideLists = parts.length > 0 && parts.every((part) => !/^(?:\d+|-)$|[~.]/.test(part));
  return isOutsideLists && versionKeys.includes(key) ? { field: parts.join('.'), key, text } : null;
}

type VersionPatch = Extract<Link, { type: 'version_patch' }>;

/**
 * Adds the versions that patches of kustomizations set in objects, with the images of these objects.
 *
 * @returns The added facts.
 */
export function linkVersionPatches(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
): LinkedFact[] {
  const patchesIn = new Map<string, VersionPatch[]>();
  for (const { path, links } of files)
    for (const link of links) if (link.type === 'version_patch') push(patchesIn, path, link);
  if (patchesIn.size === 0) return [];
  // Images by the kind and name of their object and by their field. Null if objects with the same kind and
  // name have different images in the field.
  const bases = new Map<string, LinkedFact | null>();
  for (const fact of facts) {
    if (fact.artifact.kind !== 'image' || fact.extractor !== 'kubernetes') continue;
    const key = keyOf(fact.place.kind, fact.place.name, fact.place.field);
    const other = bases.get(key);
    bases.set(key, other === undefined || other?.artifact.name === fact.artifact.name ? fact : null);
  }
  const added = new Map<string, LinkedFact>();
  const seen = new Set<string>();
  const add = (file: string, patch: VersionPatch, target: { kind: string | null; name: string | null }) => {
    const kind = target.kind ?? patch.kind;
    const name = target.name ?? patch.name;
    // Add a patch only once for each object, because many kustomizations can use the same file.
    const use = JSON.stringify([file, patch.versions[0], kind, name]);
    if (seen.has(use)) return;
    seen.add(use);
    for (const { field, key, text, line, document } of patch.versions) {
      const base =
        bases.get(keyOf(kind, name, field)) ?? bases.get(keyOf(kind, name, `${field}.${key}`)) ?? null;
      if (!base) continue;
      const { artifact, origin, isOriginCertain } = base;
      added.set(JSON.stringify([file, document, kind, name, base.place.field]), {
        extractor: patch.isInline ? 'kustomize' : 'kubernetes',
        file,
        place: { line, document, kind, namespace: patch.namespace, name, field: base.place.field },
        artifact: { ...artifact },
        origin,
        isOriginCertain,
        ...readVersion(text, 'tag'),
        digest: null,
        note: `image of ${base.file}`.slice(0, 300),
        isVersionPatch: true,
      });
    }
  };
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type === 'version_patch' && link.isInline) add(path, link, link);
      if (link.type !== 'kustomization') continue;
      for (const { path: relative, kind, name } of link.patchFiles) {
        const file = resolvePath(directoryOf(path), relative);
        for (const patch of (file === null ? undefined : patchesIn.get(file)) ?? [])
          if (!patch.isInline) add(file!, patch, { kind, name });
      }
    }
  return [...added.values()];
}

function keyOf(kind: string | null, name: string | null, field: string): string {
  return JSON.stringify([kind, name, field]);
}
