import type { DocumentTree } from '../../parsers/document-tree.ts';
import { isRoleTemplate } from '../ansible-paths.ts';
import { emptyExtraction, type Fact } from '../fact.ts';
import { writtenText } from '../helmfile-templates.ts';
import { factDefaults, locateNode } from '../manifest.ts';
import { textAt, treeAt } from '../read-documents.ts';
import { readWrittenImage } from '../read-image.ts';
import { substituteVariables } from '../substitute-variables.ts';
import { withCommentedVersion } from '../version-comment.ts';
import type { YamlExtractor } from './extractor.ts';

/** Maximum number of characters of an image reference with variables. Real ones are shorter. */
const maxWritten = 1_000;

/** Maximum length of a chain of services that extend each other. Real files have one or two. */
const maxDepth = 20;

/** Maximum number of characters of a service name in a message. */
const maxNameLength = 100;

/**
 * True for the usual names of Compose files.
 *
 * @param base Name of the file.
 */
export function isComposeFile(base: string): boolean {
  return /(?:^|[-_.])compose/i.test(base) && /\.ya?ml$/i.test(base);
}

/** True for the usual names of the stacks of Docker Swarm, such as `docker-stack.yml`. */
function isStackFile(base: string): boolean {
  return /^(?:docker[-_])?stack[^/]*\.ya?ml$|[-_.]stack\.ya?ml$/i.test(base);
}

/** Extracts the images of the services in a Compose file. */
export const compose: YamlExtractor = {
  name: 'compose',
  wants: (text, { base }) =>
    isComposeFile(base) ? /image|services/.test(text) : /^services:/m.test(text) && text.includes('image'),
  extract(document, file) {
    const { tree } = document;
    const result = emptyExtraction();
    const project = textAt(tree, 'name');
    const own = treeAt(tree, 'services');
    const isNamed = isComposeFile(file.base);
    const services = own ?? (isNamed && textAt(tree, 'version') === null ? tree : undefined);
    if (services?.kind !== 'map') return result;
    const byName = new Map(services.entries());
    const facts: Fact[] = [];
    const complete: string[] = [];
    const incomplete: [service: string, line: number][] = [];
    for (const [service, definition] of byName) {
      const { image: node, isBuilt, target } = readService(byName, definition);
      const names = { kind: 'service', namespace: project, name: service };
      if (node?.kind === 'scalar') {
        const { text, usedDefault } = substituteVariables(node.text, () => undefined);
        const image = readWrittenImage(text);
        if (!image) continue;
        const read = withCommentedVersion(image, document, node);
        const written = node.text.includes('{{') ? node.text : writtenText(document, node);
        // Ansible sets the variables of templates in its roles.
        const isExpression = isRoleTemplate(file.path) && written?.includes('{{') === true;
        facts.push({
          extractor: 'compose',
          place: locateNode(document, node, names, 'image'),
          ...read,
          // The image is built from this repository.
          ...(isBuilt && { origin: { type: 'local' as const } }),
          note: read.note ?? (usedDefault ? `default value of ${node.text.slice(0, 100)}` : null),
          ...(isExpression && { expression: written.slice(0, maxWritten) }),
          ...(hasVariable(node.text) && { written: node.text.slice(0, maxWritten) }),
        });
      } else if (node?.kind === 'map' || node?.kind === 'list') {
        const message = `The image of the service ${service.slice(0, maxNameLength)} must be a string.`;
        if (isNamed) result.problems.push({ line: document.lineOf(node), reason: 'malformed', message });
      } else if (target && !isBuilt) {
        facts.push({
          extractor: 'compose',
          place: locateNode(document, treeAt(definition, 'extends'), names, 'image'),
          artifact: {
            kind: 'image',
            name: service,
          },
          origin: {
            type: 'compose_service',
            file: target.file ?? file.base,
            service: target.service,
          },
          version: null,
          state: 'floating',
          reason: null,
          ...factDefaults,
        });
      } else if (isBuilt || node?.kind === 'broken') {
        complete.push(service);
      } else if (own && isDefaultFile(file.base) && isIncomplete(service, definition)) {
        incomplete.push([service, document.lineOf(definition)]);
      }
    }
    if (isNamed) result.facts.push(...facts);
    complete.push(...facts.map(({ place }) => place.name!));
    const images = isNamed ? [] : facts;
    if (complete.length + incomplete.length > 0)
      result.links.push({
        type: 'compose_services',
        complete,
        incomplete,
        images,
        isStack: !isNamed && (isStackFile(file.base) || isStack(tree, byName)),
      });
    return result;
  },
};

const composeKeys: ReadonlySet<string> = new Set([
  'version',
  'name',
  'services',
  'networks',
  'volumes',
  'configs',
  'secrets',
  'include',
  'models',
]);

/**
 * Keys that show that a service runs. A fragment that other services extend can consist of an image alone.
 */
const runtimeKeys: readonly string[] = [
  'deploy',
  'ports',
  'networks',
  'volumes',
  'environment',
  'env_file',
  'restart',
  'command',
  'depends_on',
  'healthcheck',
];

/** True for a file with the content of a Compose file, such as a stack of Docker Swarm. */
function isStack(tree: DocumentTree, services: ReadonlyMap<string, DocumentTree>): boolean {
  if (tree.kind !== 'map') return false;
  const isCompose = tree.keys().every((key) => composeKeys.has(key) || key.startsWith('x-'));
  return (
    isCompose &&
    [...services.values()].some((service) => runtimeKeys.some((key) => treeAt(service, key) !== undefined))
  );
}

/**
 * True for files that Compose reads by default. Other files can be incomplete, because they may only change
 * the services of the default files.
 */
function isDefaultFile(base: string): boolean {
  return /^(?:docker-)?compose\.ya?ml$/.test(base);
}

function isIncomplete(service: string, definition: DocumentTree): boolean {
  const isService = definition.kind === 'map' || definition.kind === 'null';
  // A service with a provider doesn't require an image.
  return isService && !service.startsWith('x-') && treeAt(definition, 'provider') === undefined;
}

interface Service {
  image: DocumentTree | undefined;
  isBuilt: boolean;
  /** Extended service that isn't in this document. If `file` is `null`, the service doesn't exist. */
  target: { file: string | null; service: string } | null;
}

/** Returns the image of a service, or of the service that it extends in the same document. */
function readService(services: ReadonlyMap<string, DocumentTree>, definition: DocumentTree): Service {
  const seen = new Set<DocumentTree>();
  let isBuilt = false;
  for (let at = definition; ; ) {
    seen.add(at);
    isBuilt ||= treeAt(at, 'build') !== undefined;
    const image = treeAt(at, 'image');
    if (image && image.kind !== 'null') return { image, isBuilt, target: null };
    const service = textAt(at, 'extends') ?? textAt(at, 'extends', 'service');
    if (service === null) return { image: undefined, isBuilt, target: null };
    const file = textAt(at, 'extends', 'file');
    const next = file === null ? services.get(service) : undefined;
    if (!next || seen.has(next) || seen.size >= maxDepth)
      return { image: undefined, isBuilt, target: { file, service } };
    at = next;
  }
}

/** True if a text contains a variable. `$$` is an escaped dollar sign. */
function hasVariable(text: string): boolean {
  return text.includes('$') && !text.includes('$$');
}
