import type { DocumentTree } from '../../parsers/document-tree.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { managedResourceByObjectKind, readResourceVersions } from '../managed-services.ts';
import { locateNode, namesOf } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import type { YamlExtractor } from './extractor.ts';

/**
 * API groups of the operators that create managed services: Crossplane and its providers, the AWS Controllers
 * for Kubernetes, Config Connector, and Azure Service Operator. The first part of a group is the service.
 */
const groups =
  /^([a-z]+)\.(?:(?:aws|gcp|azure)\.(?:m\.)?(?:upbound|crossplane)\.io|services\.k8s\.aws|cnrm\.cloud\.google\.com|azure\.com)\//;

/** Managed services that objects in a cluster declare. */
export const managedObjects: YamlExtractor = {
  name: 'kubernetes',
  wants: (text) =>
    /\b(?:upbound\.io|crossplane\.io|services\.k8s\.aws|cnrm\.cloud\.google\.com|azure\.com)\//.test(text),
  extract(document) {
    const { tree } = document;
    const result = emptyExtraction();
    const objects = textAt(tree, 'kind')?.endsWith('List') ? listAt(tree, 'items') : [tree];
    for (const object of objects) result.facts.push(...readObject(document, object));
    return result;
  },
};

function readObject(document: ReadDocument, object: DocumentTree): Fact[] {
  const { apiVersion, ...names } = namesOf(object);
  const resource = managedResourceByObjectKind.get(`${groups.exec(apiVersion)?.[1]}/${names.kind}`);
  if (resource === undefined) return [];
  const provider = ['spec', 'forProvider'];
  const parent = treeAt(object, ...provider) === undefined ? ['spec'] : provider;
  const pathOf = (attribute: string) => [...parent, ...attribute.split('.').map(toFieldName)];
  const valueOf = (attribute: string) => {
    const value = treeAt(object, ...pathOf(attribute));
    return value?.kind === 'scalar' ? { text: value.text, line: document.lineOf(value) } : undefined;
  };
  const { line: _line, field: _field, ...place } = locateNode(document, undefined, names, '');
  const fieldOf = (attribute: string) => pathOf(attribute).join('.');
  return readResourceVersions(resource, valueOf, { extractor: 'kubernetes', place, fieldOf });
}

/** Converts the name of a Terraform attribute to the name of the field in an object. */
function toFieldName(attribute: string): string {
  return attribute.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
