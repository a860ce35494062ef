import type { DocumentTree } from '../parsers/document-tree.ts';
import type { ExtractorName, Fact } from './fact.ts';
import { factDefaults, locateNode } from './manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from './read-documents.ts';
import { readVersion } from './read-version.ts';

/**
 * Returns the roles and collections of a tree that `ansible-galaxy` installs. In older files, the root is a list of
 * roles.
 */
export function readAnsibleRequirements(
  document: ReadDocument,
  tree: DocumentTree | undefined,
  extractor: ExtractorName,
): Fact[] {
  const roles = tree?.kind === 'list' ? listAt(tree) : listAt(tree, 'roles');
  return [
    ...[...roles].flatMap((entry) => readRequirement(document, entry, 'roles', extractor) ?? []),
    ...[...listAt(tree, 'collections')].flatMap(
      (entry) => readRequirement(document, entry, 'collections', extractor) ?? [],
    ),
  ];
}

function readRequirement(
  document: ReadDocument,
  entry: DocumentTree,
  list: string,
  extractor: ExtractorName,
): Fact | null {
  const name = textAt(entry, 'src') ?? textAt(entry, 'source') ?? textAt(entry, 'name');
  const written = textAt(entry, 'name') ?? name;
  if (name === null || written === null) return null;
  const version = treeAt(entry, 'version');
  const address = [textAt(entry, 'src'), textAt(entry, 'source'), textAt(entry, 'name')].find(
    (text) => text !== null && /^(?:git\+|git@|ssh:|https?:)/.test(text) && isRepository(text, entry),
  );
  const url = address?.replace(/^git\+/, '').split(',')[0];
  return {
    extractor,
    place: locateNode(document, version ?? entry, null, `${list} ${written.slice(0, 200)}`),
    artifact: url === undefined ? { kind: 'tool', name: written } : { kind: 'git', name: url },
    // Without a URL, the source is Galaxy, which Pacekeeper doesn't support.
    origin: url === undefined ? { type: 'unsupported' } : { type: 'git', url },
    ...readVersion(version?.kind === 'scalar' ? version.text : null, url === undefined ? 'chart' : 'ref'),
    ...factDefaults,
  };
}

/**
 * True if the source of a role or collection is a Git repository. The source of a collection can also be the
 * URL of a Galaxy server.
 */
function isRepository(text: string, entry: DocumentTree): boolean {
  return (
    /^(?:git\+|git@|ssh:)|\.git\b/.test(text) ||
    textAt(entry, 'type') === 'git' ||
    textAt(entry, 'scm') === 'git' ||
    /^https?:\/\/(?:github|gitlab)\.com\//.test(text)
  );
}
