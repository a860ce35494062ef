import type { Extracted, ExtractorName } from './fact.ts';
import { type ReadDocument, textAt } from './read-documents.ts';

/** Extractors of the manifests that a Flux Kustomization applies. */
const ofManifests: ReadonlySet<ExtractorName> = new Set(['flux', 'kubernetes', 'kustomize']);

/** True if a Flux Kustomization can replace the variables in the facts of an extractor. */
export function canReplaceVariables(extractor: ExtractorName): boolean {
  return ofManifests.has(extractor);
}

/**
 * Keeps the texts of the versions in a document as written, if Flux can replace variables in them.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution
 */
export function keepTemplates(extracted: Extracted, { tree, text }: ReadDocument): Extracted {
  const key = 'kustomize.toolkit.fluxcd.io/substitute';
  const isDisabled =
    !text.includes('${') ||
    ['labels', 'annotations'].some((each) => textAt(tree, 'metadata', each, key) === 'disabled');
  for (const fact of extracted.facts) {
    const { extractor, artifact, version } = fact;
    if (isDisabled || !canReplaceVariables(extractor)) delete fact.template;
    else if (extractor === 'flux' && artifact.kind === 'chart' && !fact.template)
      if (artifact.name.includes('${') || version?.includes('${'))
        fact.template = { name: artifact.name, version, digest: null, notation: 'chart' };
  }
  return extracted;
}
