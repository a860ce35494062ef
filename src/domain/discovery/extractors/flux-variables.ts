import type { DocumentTree } from '../../parsers/document-tree.ts';
import { emptyExtraction, type FluxVariable } from '../fact.ts';
import { namesOf } from '../manifest.ts';
import { type ReadDocument, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import type { YamlExtractor } from './extractor.ts';

/** Maximum number of variables of one object. Real objects have up to about a hundred. */
const maxVariables = 1_000;

/**
 * Extracts the variables of ConfigMaps and Secrets, which a Flux Kustomization can substitute. Any ConfigMap can contain
 * them, so the extractor yields only links, not items. Of a Secret, only the names of its keys are kept.
 */
export const fluxVariables: YamlExtractor = {
  name: 'flux',
  isAuxiliary: () => true,
  wants: (text) =>
    /^kind:[ \t]*["']?(?:ConfigMap|Secret)\b/m.test(text) && /^(?:data|stringData):/m.test(text),
  extract(document) {
    const { apiVersion, kind, namespace, name } = namesOf(document.tree);
    if (apiVersion !== 'v1' || (kind !== 'ConfigMap' && kind !== 'Secret') || name === null)
      return emptyExtraction();
    const variables = [
      ...variablesIn(document, treeAt(document.tree, 'data')),
      ...(kind === 'Secret' ? variablesIn(document, treeAt(document.tree, 'stringData')) : []),
    ].map(([key, value, line]): FluxVariable => [key, kind === 'Secret' ? null : value, line]);
    // The keys of an object with too many variables aren't all known.
    if (variables.length === 0 || variables.length >= maxVariables) return emptyExtraction();
    const place = { kind, namespace, name, document: document.index };
    return { ...emptyExtraction(), links: [{ type: 'flux_variables', ...place, variables }] };
  },
};

/** Yields the variables of a map. */
export function* variablesIn(
  { lineOf }: ReadDocument,
  map: DocumentTree | undefined,
): Generator<FluxVariable, void> {
  if (map?.kind !== 'map') return;
  let left = maxVariables;
  for (const [name, node] of map.entries()) {
    const variable = readFluxVariable(name, node.kind === 'scalar' ? node.text : null, lineOf(node));
    if (!variable) continue;
    if (left-- <= 0) return;
    yield variable;
  }
}

/**
 * Returns a variable, or null if its name isn't valid. The value is null if it can't be a part of a version or of an
 * artifact's name, or if the name suggests a secret.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution
 */
export function readFluxVariable(name: string, text: string | null, line: number): FluxVariable | null {
  if (!/^[A-Za-z_]\w{0,100}$/.test(name)) return null;
  const value = text?.trim() ?? null;
  const isUsable = value !== null && !isSecretName(name) && /^[\w.:/@+~^<>=*|, -]{1,300}$/.test(value);
  return [name, isUsable ? value : null, line];
}
