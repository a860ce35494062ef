import type { DocumentTree } from '../../parsers/document-tree.ts';
import { type Extracted, type Fact, type FactPlace, nothing } from '../fact.ts';
import { placeOfNode, plainFact } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import { looksLikeImage, readImage, readWrittenImage, splitImage, type WrittenImage } from '../read-image.ts';
import { isTemplated, readableText, readVersion } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { withCommentedVersion } from '../version-comment.ts';
import { walkTree } from '../walk-tree.ts';
import type { FilePath, YamlExtractor } from './extractor.ts';

const directories =
  /(?:^|\/)(?:defaults|vars|tasks|handlers|group_vars|host_vars|inventor(?:y|ies)|playbooks)\/(?:.+\/)?[^/]+\.ya?ml$/;

/**
 * Images of Ansible variables and tasks, and the roles and collections of `requirements.yml`. A variable that
 * only names an image is combined with the variable of its tag: `web_image` with `web_image_tag`, `web_tag`,
 * or `web_version`.
 */
export const ansible: YamlExtractor = {
  name: 'ansible',
  wants: (text, file) =>
    isRequirements(file)
      ? /roles:|collections:|^\s*- (?:src|name):/m.test(text)
      : /image|docker|podman/i.test(text) && !/^apiVersion:/m.test(text) && isAnsible(text, file),
  extract(document, file) {
    const result = nothing();
    if (isRequirements(file)) readRequirements(document, result);
    else readImages(document, result);
    return result;
  },
};

function isAnsible(text: string, { path }: FilePath): boolean {
  return (
    directories.test(path) ||
    /^- (?:hosts|name):[^]*^[ ]+(?:hosts|tasks|roles|vars):/m.test(text.slice(0, 4_000))
  );
}

function isRequirements({ base, path }: FilePath): boolean {
  // `requirements.yaml` isn't read outside `roles` and `collections`, because charts of Helm 2 use this name for their
  // dependencies.
  return base === 'requirements.yml' || /(?:^|\/)(?:roles|collections)\/requirements\.ya?ml$/.test(path);
}

function readImages(document: ReadDocument, result: Extracted): void {
  const topLevel: Values = new Map(document.tree.kind === 'map' ? document.tree.entries() : []);
  const isComplete = walkTree(document.tree, ({ node, key, field }) => {
    if (result.facts.length >= maxFactsPerFile) return false;
    if (node.kind !== 'map') return node.kind === 'list';
    const values = new Map(node.entries());
    const resolve = (text: string) => withVariables(text, values, topLevel);
    for (const [name, value] of values) {
      if (value.kind !== 'scalar' || !isImageName(name, key)) continue;
      const found = readVariable(document, values, name, value, resolve);
      if (!found) continue;
      const place = placeOfNode(
        document,
        value,
        namesIn(node),
        [field, name].filter((part) => part !== '').join('.'),
      );
      result.facts.push({ extractor: 'ansible', place, ...found });
    }
    return true;
  });
  if (!isComplete || result.facts.length >= maxFactsPerFile)
    result.problems.push({ line: document.line, reason: 'too_large', message: reasonTexts.too_large });
}

/** Entries of a map, copied because each lookup in the map itself reads all of them. */
type Values = ReadonlyMap<string, DocumentTree>;

function textOf(values: Values, name: string): string | null {
  const value = isSecretName(name) ? undefined : values.get(name);
  return value?.kind === 'scalar' ? readableText(value.text) : null;
}

/** @param parent Key of the map, such as the name of a module. */
function isImageName(name: string, parent: string): boolean {
  if (/(?:^|_)image(?:_name|_repo|_repository)?$/i.test(name)) return true;
  return name === 'name' && /(?:^|[._])docker_image(?:_pull)?$/.test(parent);
}

/** Suffixes of variables that contain the tag of an image. */
const tagSuffixes = ['_tag', '_version'];

function readVariable(
  document: ReadDocument,
  values: Values,
  name: string,
  value: DocumentTree & { kind: 'scalar' },
  resolve: (text: string) => string,
): WrittenImage | null {
  const text = resolve(value.text.slice(0, 1_000));
  const parts = splitImage(text);
  if (!parts || !looksLikeImage(text)) return null;
  const note = text === value.text ? null : `value of ${value.text.slice(0, 100)}`;
  if (parts.tag !== null || parts.digest !== null) {
    const image = readWrittenImage(text);
    return image && { ...withCommentedVersion(image, document, value), ...(note !== null && { note }) };
  }
  const stem = name.replace(/_?image(?:_name|_repo|_repository)?$/i, '');
  const candidates = [name, `${stem}_image`, stem].flatMap((base) =>
    tagSuffixes.map((suffix) => base + suffix),
  );
  for (const candidate of name === 'name' || name === 'image' ? ['tag', ...candidates] : candidates) {
    const tag = textOf(values, candidate.replace(/^_/, ''));
    if (tag === null || tag === '') continue;
    return { ...readImage({ ...parts, tag: resolve(tag) }), note: `tag from ${candidate.replace(/^_/, '')}` };
  }
  return parts.name.includes('/') ? { ...readImage(parts), note } : null;
}

/** Replaces `{{ name }}` with a variable of the same map or of the top level of the file. */
function withVariables(text: string, ...scopes: Values[]): string {
  if (!text.includes('{{')) return text;
  return text
    .replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (written, name: string) => {
      for (const scope of scopes) {
        const value = textOf(scope, name);
        if (value !== null && !value.includes('{{')) return value.slice(0, 300);
      }
      return written;
    })
    .slice(0, 1_000);
}

/** Returns the name of the container if a task sets it. Otherwise, an item is identified by its variable. */
function namesIn(map: DocumentTree): Pick<FactPlace, 'kind' | 'namespace' | 'name'> {
  const name = textAt(map, 'image') === null ? null : textAt(map, 'name');
  return {
    kind: name === null ? null : 'container',
    namespace: null,
    name: name !== null && !isTemplated(name) ? name : null,
  };
}

function readRequirements(document: ReadDocument, result: Extracted): void {
  const { tree } = document;
  // In older files, the root is a list of roles.
  const roles = tree.kind === 'list' ? listAt(tree) : listAt(tree, 'roles');
  for (const entry of roles) addRequirement(document, entry, 'roles', result);
  for (const entry of listAt(tree, 'collections')) addRequirement(document, entry, 'collections', result);
}

function addRequirement(document: ReadDocument, entry: DocumentTree, list: string, result: Extracted): void {
  const name = textAt(entry, 'src') ?? textAt(entry, 'source') ?? textAt(entry, 'name');
  const written = textAt(entry, 'name') ?? name;
  if (name === null || written === null) return;
  const version = treeAt(entry, 'version');
  const address = [textAt(entry, 'src'), textAt(entry, 'source'), textAt(entry, 'name')].find(
    (text) => text !== null && /^(?:git\+|git@|ssh:|https?:)/.test(text) && isRepository(text, entry),
  );
  const url = address?.replace(/^git\+/, '').split(',')[0];
  result.facts.push({
    extractor: 'ansible',
    place: placeOfNode(document, version ?? entry, null, `${list} ${written.slice(0, 200)}`),
    artifact: url === undefined ? { kind: 'tool', name: written } : { kind: 'git', name: url },
    // Without a URL, the source is Galaxy, which Pacekeeper doesn't support.
    origin: url === undefined ? { type: 'unsupported' } : { type: 'git', url },
    ...readVersion(version?.kind === 'scalar' ? version.text : null, url === undefined ? 'chart' : 'ref'),
    ...plainFact,
  } satisfies Fact);
}

/** The source of a collection can also be the URL of a Galaxy server. */
function isRepository(text: string, entry: DocumentTree): boolean {
  return (
    /^(?:git\+|git@|ssh:)|\.git\b/.test(text) ||
    textAt(entry, 'type') === 'git' ||
    textAt(entry, 'scm') === 'git' ||
    /^https?:\/\/(?:github|gitlab)\.com\//.test(text)
  );
}
