import type { DocumentTree } from '../../parsers/document-tree.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { factDefaults, locateNode, namesOf } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { readVersion } from '../read-version.ts';
import type { YamlExtractor } from './extractor.ts';

/**
 * Operators in subscriptions of the Operator Lifecycle Manager that specify the version to install first. No
 * public list of the versions of all operators exists, so the source is unknown.
 */
export const operatorSubscriptions: YamlExtractor = {
  name: 'kubernetes',
  wants: (text) => text.includes('operators.coreos.com/') && text.includes('startingCSV'),
  extract(document) {
    const { tree } = document;
    const objects = textAt(tree, 'kind')?.endsWith('List') ? [...listAt(tree, 'items')] : [tree];
    return { ...emptyExtraction(), facts: objects.flatMap((object) => readSubscription(document, object)) };
  },
};

function readSubscription(document: ReadDocument, object: DocumentTree): Fact[] {
  const names = namesOf(object);
  if (names.kind !== 'Subscription' || !names.apiVersion.startsWith('operators.coreos.com/')) return [];
  const csv = treeAt(object, 'spec', 'startingCSV');
  const [, operator, written] = csv?.kind === 'scalar' ? (csvName.exec(csv.text) ?? []) : [];
  if (operator === undefined || written === undefined) return [];
  const read = readVersion(written, 'tool');
  const isManual = textAt(object, 'spec', 'installPlanApproval') === 'Manual';
  const isUpdated = !isManual && read.state === 'exact';
  return [
    {
      extractor: 'kubernetes',
      place: locateNode(document, csv, names, 'spec.startingCSV'),
      artifact: { kind: 'tool', name: operator },
      origin: { type: 'unknown' },
      ...factDefaults,
      ...read,
      ...(isUpdated && { state: 'range', reason: 'range' }),
      note: isManual
        ? 'the version that the subscription starts with; updates are approved in the cluster'
        : 'the version that the subscription starts with; the operator is updated automatically',
    },
  ];
}

/** Matches the name of a ClusterServiceVersion, such as `foo-operator.v1.2.3`. */
const csvName = /^([a-z\d][a-z\d-]{0,200})\.(v?\d[\w.+-]{0,100})$/i;
