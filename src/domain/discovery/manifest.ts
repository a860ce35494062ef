import type { DocumentTree } from '../parsers/document-tree.ts';
import type { Fact, FactLocation } from './fact.ts';
import { type ReadDocument, textAt } from './read-documents.ts';

/** The identity of a Kubernetes object. */
export interface ManifestNames {
  apiVersion: string;
  kind: string | null;
  namespace: string | null;
  name: string | null;
}

export function namesOf(tree: DocumentTree): ManifestNames {
  return {
    apiVersion: textAt(tree, 'apiVersion') ?? '',
    kind: textAt(tree, 'kind'),
    namespace: textAt(tree, 'metadata', 'namespace'),
    // Use a generated name without its last hyphen, after which Kubernetes adds random characters.
    name:
      textAt(tree, 'metadata', 'name') ?? textAt(tree, 'metadata', 'generateName')?.replace(/-$/, '') ?? null,
  };
}

/** Returns the position of a node in its file. */
export function locateNode(
  document: ReadDocument,
  node: DocumentTree | undefined,
  names: Pick<FactLocation, 'kind' | 'namespace' | 'name'> | null,
  field: string,
): FactLocation {
  const { kind = null, namespace = null, name = null } = names ?? {};
  return { line: document.lineOf(node), document: document.index, kind, namespace, name, field };
}

/** Default values of fields that most facts don't use. */
export const factDefaults = { digest: null, note: null } satisfies Partial<Fact>;
