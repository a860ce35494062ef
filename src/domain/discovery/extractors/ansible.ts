import { knownSources } from '../../catalog/catalog.ts';
import type { DocumentTree } from '../../parsers/document-tree.ts';
import { mayBeAnsibleValue, resolveAnsibleVariables } from '../ansible-values.ts';
import { readDownload, softwareFact } from '../download-address.ts';
import { type Extracted, emptyExtracted, type Fact, type FactPlace } from '../fact.ts';
import { placeOfNode, plainFact } from '../manifest.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import { looksLikeImage, readImage, readWrittenImage, splitImage, type WrittenImage } from '../read-image.ts';
import { isTemplated, readableText, readVersion } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { withCommentedVersion } from '../version-comment.ts';
import { walkTree } from '../walk-tree.ts';
import { type FilePath, isYamlBelow, type YamlExtractor } from './extractor.ts';

const directories =
  /(?:^|\/)(?:defaults|vars|tasks|handlers|group_vars|host_vars|inventor(?:y|ies)|playbooks)\//;

/**
 * Images and downloads of Ansible variables and tasks, versions of software in the catalog, and the roles and
 * collections of `requirements.yml`. A variable that only names an image is combined with the variable of its tag:
 * `web_image` with `web_image_tag`, `web_tag`, or `web_version`.
 */
export const ansible: YamlExtractor = {
  name: 'ansible',
  wants: (text, file) =>
    isRequirements(file)
      ? /roles:|collections:|^[ \t]*- (?:src|name):/m.test(text)
      : /image|docker|podman|_version|https?:\/\//i.test(text) &&
        !/^apiVersion:/m.test(text) &&
        isAnsible(text, file),
  extract(document, file) {
    const result = emptyExtracted();
    if (isRequirements(file)) readRequirements(document, result);
    else {
      readVersions(document, file, result);
      const values = isRoleDefaults(file) ? valuesOf(document.tree) : [];
      if (values.length > 0) result.links.push({ type: 'ansible_values', values });
    }
    return result;
  },
};

/** True for files of a role that are always loaded. */
function isRoleDefaults({ path }: FilePath): boolean {
  return /(?:^|\/)defaults\/[^/]+(?:\/[^/]+)?\.ya?ml$|(?:^|\/)vars\/main(?:\.ya?ml|\/[^/]+\.ya?ml)$/.test(
    path,
  );
}

/** Maximum number of variables of one file that other files of its role can use. Real files have up to a few hundred. */
const maxValues = 1_000;

/** Returns the variables that can be part of an image or a URL in other files of the role. */
function valuesOf(tree: DocumentTree): [name: string, value: string][] {
  if (tree.kind !== 'map') return [];
  const values: [name: string, value: string][] = [];
  for (const [name, value] of tree.entries()) {
    if (values.length >= maxValues) break;
    if (value.kind === 'scalar' && mayBeAnsibleValue(name, value.text))
      values.push([name, readableText(value.text)]);
  }
  return values;
}

function isAnsible(text: string, file: FilePath): boolean {
  if (isYamlBelow(directories, file)) return true;
  const head = text.slice(0, 4_000);
  const play = head.search(/^- (?:hosts|name):/m);
  return play >= 0 && /^[ ]+(?:hosts|tasks|roles|vars):/m.test(head.slice(play));
}

function isRequirements({ base, path }: FilePath): boolean {
  // `requirements.yaml` isn't read outside `roles` and `collections`, because charts of Helm 2 use this name for their
  // dependencies.
  return (
    base === 'requirements.yml' || /(?:^|\/)(?:roles|collections)\/requirements[\w.-]*\.ya?ml$/.test(path)
  );
}

function readVersions(document: ReadDocument, file: FilePath, result: Extracted): void {
  const topLevel: Values = new Map(document.tree.kind === 'map' ? document.tree.entries() : []);
  /** Top-level variables that an image or a download refers to. */
  const used = new Set<string>();
  const isComplete = walkTree(document.tree, ({ node, key, field }) => {
    if (result.facts.length >= maxFactsPerFile) return false;
    if (node.kind === 'scalar') {
      const fact = readDownloadedSoftware(document, node, topLevel, used);
      if (fact) result.facts.push(fact);
      return false;
    }
    if (node.kind !== 'map') return node.kind === 'list';
    const values = new Map(node.entries());
    const resolve = (text: string) => withVariables(text, used, values, topLevel);
    for (const [name, value] of values) {
      if (value.kind !== 'scalar' || (!isImageName(name, key) && !isOtherImage(name, value.text))) continue;
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
  if (isVariablesFile(file))
    for (const [name, value] of topLevel) {
      const fact = used.has(name) ? null : readSoftwareVersion(document, name, value);
      if (fact) result.facts.push(fact);
    }
  if (!isComplete || result.facts.length >= maxFactsPerFile)
    result.problems.push({ line: document.line, reason: 'too_large', message: reasonTexts.too_large });
}

/** Reads software in a URL. If the version is a variable of the file, the place is the line of that variable. */
function readDownloadedSoftware(
  document: ReadDocument,
  node: DocumentTree & { kind: 'scalar' },
  topLevel: Values,
  used: Set<string>,
): Fact | null {
  if (!node.text.includes('://')) return null;
  const written = node.text.slice(0, 1_000).trim();
  const ownUsed = new Set<string>();
  const download = readDownload(withVariables(written, ownUsed, topLevel));
  // Scripts and sources of a branch say nothing about the deployed version.
  if (!download?.version || (download.isOnlyForVersions && !/\d|\{\{/.test(download.version))) return null;
  for (const name of ownUsed) used.add(name);
  const [versionName] = [...ownUsed].filter((name) => /version|release|tag/i.test(name));
  const place = versionName === undefined ? node : topLevel.get(versionName);
  const isResolved = !download.version.includes('{{');
  return {
    extractor: 'ansible',
    place: placeOfNode(document, place, null, `download ${download.repository ?? download.tool}`),
    ...softwareFact(download, download.version, 'ref'),
    note: versionName === undefined ? null : `value of ${versionName.slice(0, 100)}`,
    ...(!isResolved && { expression: written }),
  };
}

function isVariablesFile({ path }: FilePath): boolean {
  return /(?:^|\/)(?:defaults|vars|group_vars|host_vars)\//.test(path);
}

/** Maximum length of a variable name that is split into words. Real names have up to 80 characters. */
const maxNameLength = 100;

/** Names of the software in the catalog, as they appear at the end of a variable name. */
const softwareNames: ReadonlySet<string> = new Set(
  knownSources.map(({ name }) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')),
);

/**
 * Words in the names of variables that contain a limit or the version of something else, such as a format.
 */
const otherVersions =
  /(?:^|_)(?:min|minimum|max|maximum|required?|supported|allowed|old|previous|current|api|schema|config|protocol|tls|ssl|package|module|client|driver|library)_/i;

/**
 * Reads `etcd_version: 3.6.4` if the catalog contains the software. In the variable, the name of a role can
 * precede the name of the software.
 */
function readSoftwareVersion(document: ReadDocument, name: string, value: DocumentTree): Fact | null {
  if (name.length > maxNameLength) return null;
  const stem = /^(\w*[^\W_])_+version$/.exec(name)?.[1]?.toLowerCase();
  if (stem === undefined || value.kind !== 'scalar' || otherVersions.test(name)) return null;
  if (value.text.length > 50 || !/^v?\d+(?:[-+.]\w+)*$/.test(value.text)) return null;
  const words = stem.split(/_+/);
  const tool = words.map((_, at) => words.slice(at).join('_')).find((each) => softwareNames.has(each));
  // A value without a dot is a version only if the name of the software is the whole variable name.
  if (tool === undefined || (tool !== stem && !value.text.includes('.'))) return null;
  return {
    extractor: 'ansible',
    place: placeOfNode(document, value, { kind: 'variable', namespace: null, name: null }, name),
    artifact: { kind: 'tool', name: tool },
    origin: { type: 'tool' },
    isOriginGuessed: true,
    ...readVersion(value.text, 'tool'),
    ...plainFact,
    note: 'software by the name of the variable',
  };
}

/** Entries of a map as an index, because each lookup in the map itself scans all of its entries. */
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

/** True for an image in a variable such as `web_image_migration`, whose value shows that it is an image. */
function isOtherImage(name: string, text: string): boolean {
  if (text.length > 300 || name.length > maxNameLength) return false;
  return (
    /^\w+$/.test(name) &&
    /(?:^|_)image_\w/i.test(name) &&
    /^[\w.-]+(?:\/[\w.-]+)+:[a-z_.-]*\d[\w.-]*$/i.test(text)
  );
}

/** Suffixes of variables that contain the tag of an image. */
const tagSuffixes = ['_tag', '_version'];

function readVariable(
  document: ReadDocument,
  values: Values,
  name: string,
  value: DocumentTree & { kind: 'scalar' },
  resolve: (text: string) => string,
): (WrittenImage & Pick<Fact, 'expression'>) | null {
  const text = resolve(value.text.slice(0, 1_000));
  const parts = splitImage(text);
  if (!parts || !looksLikeImage(text)) return null;
  const note = text === value.text ? null : `value of ${value.text.slice(0, 100)}`;
  if (parts.tag !== null || parts.digest !== null) {
    const image = readWrittenImage(text);
    return (
      image && {
        ...withCommentedVersion(image, document, value),
        ...(note !== null && { note }),
        ...(text.includes('{{') && { expression: value.text.slice(0, 1_000) }),
      }
    );
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
function withVariables(text: string, used: Set<string>, ...scopes: Values[]): string {
  if (!text.includes('{{')) return text;
  const resolved = resolveAnsibleVariables(text, (name) => {
    for (const scope of scopes) {
      const value = textOf(scope, name);
      if (value !== null) return value.slice(0, 300);
    }
    return undefined;
  });
  for (const name of resolved.used) used.add(name);
  return resolved.text;
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
