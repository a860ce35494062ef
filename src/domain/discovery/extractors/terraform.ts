import { ownValue } from '../../json/own-value.ts';
import { readChart } from '../chart-fact.ts';
import {
  type Extracted,
  emptyExtraction,
  type Fact,
  type FileProblem,
  type Link,
  type Origin,
} from '../fact.ts';
import { toPullThroughRule } from '../link-pull-through.ts';
import {
  findServices,
  managedResourceByTerraformType,
  readResourceVersions,
  serviceFact,
  type WrittenValue,
} from '../managed-services.ts';
import { factDefaults } from '../manifest.ts';
import { readNamedVersion } from '../named-versions.ts';
import { isSecretName } from '../read-dotenv.ts';
import {
  type HclBlock,
  type HclBody,
  type HclValue,
  malformedHcl,
  readHcl,
  templateOf,
} from '../read-hcl.ts';
import { type ImageFact, looksLikeImage, readImage, readWrittenImage, splitImage } from '../read-image.ts';
import { readTerraformJson, readVariablesJson } from '../read-terraform-json.ts';
import { isTemplated, type ReadVersion, readVersion } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import {
  isAutoLoadedTfvars,
  isVariablesFile,
  readTerraformValues,
  readVariableValues,
} from '../terraform-values.ts';
import { versionInComment } from '../version-comment.ts';
import type { TextExtractor } from './extractor.ts';

const malformedJson: FileProblem = {
  line: 1,
  reason: 'malformed',
  message: 'Not valid JSON, not an object, or it exceeds a limit.',
};

const defaultHost = 'registry.terraform.io';

/** Providers, modules, Helm releases, images, managed services, and the version of Terraform itself. */
export const terraform: TextExtractor = {
  name: 'terraform',
  wantsFile: ({ base }) => /\.(?:tf|tofu|tfvars)(?:\.json)?$|^\.terraform\.lock\.hcl$/.test(base),
  extract(text, { base }) {
    const result = emptyExtraction();
    const isVariables = isVariablesFile(base);
    const isJson = base.endsWith('.json');
    const readText = isJson ? (isVariables ? readVariablesJson : readTerraformJson) : readHcl;
    const body = readText(text);
    if (!body) {
      result.problems.push(isJson ? malformedJson : malformedHcl);
      return result;
    }
    if (base === '.terraform.lock.hcl') return readLock(body);
    const isLoaded = !isVariables || isAutoLoadedTfvars(base);
    const values = isVariables ? readVariableValues(body) : readTerraformValues(body);
    if (isLoaded && values.length > 0) result.links.push({ type: 'terraform_values', values });
    if (isVariables) {
      result.links.push(...passedValues(body));
      // In a file that Terraform loads, read only the objects in the values here. Linking replaces the
      // references to the values themselves.
      addServices('terraform', { kind: 'tfvars', name: null }, null, body, '', result, {
        isNested: isLoaded,
      });
      addNamedValues('terraform', { kind: 'tfvars', name: null }, body, '', result);
      return result;
    }
    for (const block of body.blocks) ownValue(readers, block.type)?.(block, result);
    return result;
  },
};

/** Returns the versions in a file of variables, which a command can pass to Terraform. */
function passedValues(body: HclBody): Link[] {
  const values = [...versionsIn(body, '', 0)];
  return values.length === 0 ? [] : [{ type: 'passed_values', values }];
}

function* versionsIn(
  { attributes }: HclBody,
  prefix: string,
  depth: number,
): Generator<[name: string, value: string, line: number], void> {
  for (const [name, value] of attributes) {
    if (isSecretName(name)) continue;
    if (value.kind === 'object' && depth < maxValueDepth)
      yield* versionsIn(value.body, `${prefix}${name}.`, depth + 1);
    if (value.kind === 'text' && /\d/.test(value.text) && /^[\w.+:@/-]{1,200}$/.test(value.text))
      yield [`${prefix}${name}`, value.text, value.line];
  }
}

const readers: Readonly<Record<string, (block: HclBlock, result: Extracted) => void>> = {
  terraform: readSettings,
  module: readModule,
  provider: readProviderBlock,
  resource: readResource,
  data: readResource,
  locals: ({ body }, result) => {
    addServices('terraform', { kind: 'locals', name: null }, null, body, '', result);
    addNamedValues('terraform', { kind: 'locals', name: null }, body, '', result);
  },
  variable: ({ labels: [name = null], body }, result) => {
    addServices('terraform', { kind: 'variable', name }, null, body, '', result, { isNested: true });
    const value = body.attributes.get('default');
    if (name === null || value === undefined) return;
    if (value.kind === 'object')
      addNamedValues('terraform', { kind: 'variable', name }, value.body, 'default.', result);
    else {
      const fact = namedFact('terraform', { kind: 'variable', name }, name, 'default', value);
      if (fact && !hasFactOn(value.line, result)) result.facts.push(fact);
    }
  },
};

function hasFactOn(line: number, { facts }: Extracted): boolean {
  return facts.some(({ place }) => place.line === line);
}

/** Maximum nesting depth of the objects whose values are read. */
const maxValueDepth = 4;

/**
 * Adds the images in values, and versions of software that the names of the values identify, such as
 * `k3s_version`. Values that a resource of the same directory refers to are dropped when files are linked.
 */
export function addNamedValues(
  extractor: Fact['extractor'],
  names: Pick<Fact['place'], 'kind' | 'name'>,
  { attributes }: HclBody,
  prefix: string,
  result: Extracted,
  depth = 0,
): void {
  const known = new Set(result.facts.map(({ place }) => place.line));
  for (const [name, value] of attributes) {
    if (result.facts.length >= maxFactsPerFile) return;
    if (value.kind === 'object') {
      if (depth >= maxValueDepth) continue;
      const image = readImageObject(value.body);
      const field = `${prefix}${name}`;
      if (image) {
        const place = { line: image.line, document: 0, namespace: null, ...names, field };
        if (!known.has(image.line)) result.facts.push({ extractor, place, ...image.read, note: null });
      } else addNamedValues(extractor, names, value.body, `${field}.`, result, depth + 1);
      continue;
    }
    const fact = known.has(value.line) ? null : namedFact(extractor, names, name, `${prefix}${name}`, value);
    if (fact) result.facts.push(fact);
  }
}

/** Reads an image from an object with its parts: a repository or an image, perhaps a registry, and a tag. */
function readImageObject(body: HclBody): { line: number; read: ImageFact } | null {
  const tag = body.attributes.get('tag');
  const name = textOf(body, 'repository') ?? textOf(body, 'image');
  if (tag?.kind !== 'text' || tag.text === '' || name === null || isTemplated(name)) return null;
  const path = [textOf(body, 'registry'), textOf(body, 'namespace'), name].filter(Boolean).join('/');
  if (!looksLikeImage(path)) return null;
  const parts = splitImage(path);
  if (!parts || parts.tag !== null) return null;
  const digest = textOf(body, 'digest');
  return { line: tag.line, read: readImage({ name: parts.name, tag: tag.text, digest }) };
}

/** Reads a literal value that is an image, or the version of software that its name identifies. */
function namedFact(
  extractor: Fact['extractor'],
  names: Pick<Fact['place'], 'kind' | 'name'>,
  name: string,
  field: string,
  value: HclValue,
): Fact | null {
  if (value.kind !== 'text' || isSecretName(name)) return null;
  const place = { line: value.line, document: 0, namespace: null, ...names, field };
  if (/image(?!_?tag$)/i.test(name)) {
    const templated = isImageInTemplatedRegistry(value.text) ? splitImage(value.text) : null;
    if (templated)
      return { extractor, place, ...readImage(templated), note: null, ...expressionOf(value.text) };
    const parts = !isTemplated(value.text) && looksLikeImage(value.text) ? splitImage(value.text) : null;
    // Require a registry or a namespace, because a name without them can be that of a machine image.
    const isImage =
      parts !== null && parts.name.includes('/') && (parts.tag !== null || parts.digest !== null);
    return isImage ? { extractor, place, ...readImage(parts), note: null } : null;
  }
  // For a tag alone, another file or a chart defines the image.
  if (/(?:^|_)image_tag$/.test(name) && /^v?\d[\w.-]{0,127}(?:@sha256:[0-9a-f]{64})?$/.test(value.text)) {
    const [tag = '', digest = null] = value.text.split('@');
    const image = readImage({ name: field.slice(0, 200), tag, digest });
    return { extractor, place, ...image, origin: { type: 'overlay' }, note: null };
  }
  const found = readNamedVersion(name, value.text);
  return found && { extractor, place, ...found };
}

/**
 * Reads the lock file. Third-party modules can require providers that no file in the directory declares, so
 * only the lock file lists them.
 */
function readLock({ blocks }: HclBody): Extracted {
  const result = emptyExtraction();
  const versions: [string, string][] = [];
  for (const { type, labels, body } of blocks) {
    const [address] = labels;
    const version = body.attributes.get('version');
    if (type !== 'provider' || address === undefined || version?.kind !== 'text') continue;
    versions.push([shortAddress(address.split('/')), version.text]);
    const place = placeOf(version.line, 'provider', address, 'version');
    result.facts.push({ ...providerFact('', address, version, version.line), place });
  }
  result.links.push({ type: 'provider_lock', versions });
  return result;
}

export function textOf({ attributes }: HclBody, name: string): string | null {
  const value = attributes.get(name);
  return value?.kind === 'text' ? value.text : null;
}

/** Returns the version if it's a string or a reference. Other expressions aren't evaluated. */
function versionOf(value: HclValue | undefined): string | null {
  return value === undefined ? null : (templateOf(value) ?? '${}');
}

/**
 * Returns the `expression` of a fact if the text refers to variables or local values, which linking resolves.
 */
function expressionOf(text: string | null): Pick<Fact, 'expression'> {
  return text !== null && refersToValues(text) ? { expression: text.slice(0, 1_000) } : {};
}

function refersToValues(text: string | null): boolean {
  return text !== null && /\$\{(?:var|local)\./.test(text);
}

function placeOf(line: number, kind: string, name: string | null, field: string): Fact['place'] {
  return { line, document: 0, kind, namespace: null, name, field };
}

function readSettings({ body }: HclBlock, result: Extracted): void {
  const required = body.attributes.get('required_version');
  if (required)
    result.facts.push(toolFact(required, placeOf(required.line, 'terraform', null, 'required_version')));
  for (const block of body.blocks) {
    if (block.type !== 'required_providers') continue;
    for (const [name, value] of block.body.attributes) {
      const settings = value.kind === 'object' ? value.body : null;
      const source = settings ? textOf(settings, 'source') : null;
      const version = settings ? settings.attributes.get('version') : value;
      result.facts.push(providerFact(name, source, version, version?.line ?? value.line));
    }
  }
}

function toolFact(version: HclValue, place: Fact['place']): Fact {
  return {
    extractor: 'terraform',
    place,
    artifact: { kind: 'tool', name: 'terraform' },
    origin: { type: 'tool' },
    ...readVersion(versionOf(version), 'terraform'),
    ...factDefaults,
  };
}

/** Reads the version of a provider from its configuration, where old files specify it. */
function readProviderBlock({ labels: [name], body, line }: HclBlock, result: Extracted): void {
  const version = body.attributes.get('version');
  if (name !== undefined && version) result.facts.push(providerFact(name, null, version, line));
}

function providerFact(
  name: string,
  source: string | null,
  version: HclValue | undefined,
  line: number,
): Fact {
  const segments = (source ?? name).split('/');
  if (segments.length === 1) segments.unshift('hashicorp');
  return {
    extractor: 'terraform',
    place: placeOf(line, 'terraform', null, `required_providers.${name}`),
    artifact: { kind: 'terraform_provider', name: shortAddress(segments) },
    origin: { type: 'terraform', host: segments.length === 3 ? segments[0]! : defaultHost },
    ...readVersion(versionOf(version), 'terraform'),
    ...factDefaults,
  };
}

/** Returns the address without the host of the public registry. Other hosts are kept. */
function shortAddress(segments: readonly string[]): string {
  return (segments[0] === defaultHost ? segments.slice(1) : segments).join('/');
}

function readModule({ labels: [name = ''], body, line }: HclBlock, result: Extracted): void {
  const source = body.attributes.get('source');
  if (!source) return;
  addServices('terraform', { kind: 'module', name }, textOf(body, 'source') ?? '', body, '', result);
  addNamedValues('terraform', { kind: 'module', name }, body, '', result);
  const release = releaseOfModule(body);
  if (release) addRelease(name, release, line, result);
  const place = placeOf(body.attributes.get('version')?.line ?? source.line, 'module', name, 'source');
  const base = { extractor: 'terraform' as const, place, ...factDefaults };
  const text = versionOf(source)!;
  if (isTemplated(text)) {
    const artifact = { kind: 'terraform_module' as const, name: source.kind === 'text' ? text : name };
    const read = { version: null, state: 'templated', reason: 'templated' } as const;
    result.facts.push({ ...base, artifact, origin: { type: 'unknown' }, ...read });
    return;
  }
  const registry = readRegistryModule(text);
  if (registry) {
    const artifact = { kind: 'terraform_module' as const, name: shortAddress(registry) };
    const host = registry.length === 4 ? registry[0]! : defaultHost;
    const read = readVersion(versionOf(body.attributes.get('version')), 'terraform');
    result.facts.push({ ...base, artifact, origin: { type: 'terraform', host }, ...read });
    return;
  }
  const { origin, ref } = readModuleAddress(text);
  const artifact = { kind: 'git' as const, name: 'url' in origin ? origin.url : text };
  if (/^\s/.test(text) || (origin.type === 'unsupported' && /\s/.test(text)))
    result.facts.push({ ...base, artifact, origin, version: null, state: 'floating', reason: 'invalid' });
  else
    result.facts.push({
      ...base,
      place: { ...place, line: source.line || line },
      artifact,
      origin,
      ...readVersion(ref, 'ref'),
      ...commentedVersion(readVersion(ref, 'ref'), source),
    });
}

/**
 * Returns the arguments of a module that installs a chart, in the form of a `helm_release`: `chart` next to
 * `chart_version`, or in an object such as `app`, whose repository can be an argument of the module.
 */
function releaseOfModule({ attributes }: HclBody): HclBody | null {
  const objects = [...attributes.values()].flatMap((value) => (value.kind === 'object' ? value.body : []));
  // The version of a module isn't that of its chart.
  const own = new Map(attributes);
  own.delete('version');
  const ofChart = attributes.get('chart_version');
  if (ofChart !== undefined) own.set('version', ofChart);
  for (const each of [own, ...objects.map((object) => object.attributes)]) {
    const chart = each.get('chart');
    const repository = each.get('repository') ?? attributes.get('repository');
    if (chart?.kind !== 'text' || repository === undefined || !each.has('version')) continue;
    const found = new Map([...each, ['repository', repository] as const]);
    found.delete('values');
    return { attributes: found, blocks: [] };
  }
  return null;
}

/** Returns the version in the comment after the address of a module, if the address contains a commit. */
export function commentedVersion({ state, version }: ReadVersion, source: HclValue): Partial<Fact> {
  const comment = state === 'commit' && source.kind === 'text' ? source.comment : undefined;
  const written = comment === undefined ? null : versionInComment(comment);
  if (written === null) return {};
  return {
    ...readVersion(written, 'ref'),
    digest: version,
    note: 'version from the comment after the commit',
  };
}

/** Reads `namespace/name/provider`, optionally with a host before it or a directory after it. */
export function readRegistryModule(source: string): string[] | null {
  const [address = ''] = source.split('//');
  const segments = address.split('/');
  const isName = segments.every((segment) => /^[A-Za-z0-9][\w.-]*$/.test(segment));
  const isHost = segments[0]?.includes('.') === true;
  const forges = /^(?:github\.com|bitbucket\.org|gitlab\.com)$/;
  if (!isName || forges.test(segments[0] ?? '')) return null;
  return (segments.length === 3 && !isHost) || (segments.length === 4 && isHost) ? segments : null;
}

/**
 * Reads a module source that isn't in a registry. Only a double slash separates a directory from its
 * repository.
 */
export function readModuleAddress(source: string): { origin: Origin; ref: string | null } {
  if (/^\.{0,2}\//.test(source)) return { origin: { type: 'local' }, ref: null };
  const question = source.indexOf('?');
  const ref = question < 0 ? null : new URLSearchParams(source.slice(question + 1)).get('ref');
  const isGit = source.startsWith('git::');
  const address = (question < 0 ? source : source.slice(0, question)).replace(/^git::/, '');
  const scheme = /^[a-z0-9+]+:\/\//i.exec(address)?.[0] ?? '';
  const [path = ''] = address.slice(scheme.length).split('//');
  const shorthand = /^([\w.-]+@[\w.-]+):(.+)$/.exec(path);
  const forge = /^(?:github\.com|bitbucket\.org|gitlab\.com)\//.test(path);
  if (scheme === '' && shorthand)
    return { origin: { type: 'git', url: `ssh://${shorthand[1]}/${shorthand[2]}` }, ref };
  if (scheme === '' && forge) return { origin: { type: 'git', url: `https://${path}` }, ref };
  const isRepository = isGit || path.endsWith('.git') || scheme === 'ssh://' || scheme === 'git://';
  return isRepository && scheme !== ''
    ? { origin: { type: 'git', url: scheme + path }, ref }
    : { origin: { type: 'unsupported' }, ref };
}

const imageAttributes: Readonly<Record<string, string>> = {
  docker_image: 'name',
  docker_registry_image: 'name',
  docker_container: 'image',
};

function readResource({ labels: [type = '', name = ''], body, line }: HclBlock, result: Extracted): void {
  if (type === 'helm_release') return addRelease(name, body, line, result);
  if (type === 'tfe_workspace') {
    const version = body.attributes.get('terraform_version');
    if (version) result.facts.push(toolFact(version, placeOf(version.line, type, name, 'terraform_version')));
    return;
  }
  if (type === 'aws_ecr_pull_through_cache_rule') {
    const rule = toPullThroughRule(
      textOf(body, 'ecr_repository_prefix'),
      textOf(body, 'upstream_registry_url'),
    );
    if (rule) result.links.push(rule);
    return;
  }
  const managed = managedResourceByTerraformType.get(type);
  if (managed !== undefined) {
    const place = { document: 0, kind: type, namespace: null, name };
    const facts = readResourceVersions(managed, (path) => valueAt(body, path), {
      extractor: 'terraform',
      place,
    });
    // Skip a reference to another resource, because that resource has its own item with the version. Keep a
    // reference to a data source, because data sources have no item.
    result.facts.push(
      ...facts.filter(
        ({ version }) => version === null || !/^\$\{(?:aws|google|azurerm|alicloud)_/.test(version),
      ),
    );
    return;
  }
  const attribute = ownValue(imageAttributes, type);
  if (attribute !== undefined) addImage(type, name, attribute, body.attributes.get(attribute), result);
  else if (/^(?:docker_service|kubernetes_)/.test(type)) addNestedImages(type, name, body, '', result);
  else addPossibleImages(type, name, body, '', result);
}

/**
 * Adds images of containers in other resources, such as services of a cloud, where `image` can also be a
 * disk.
 */
function addPossibleImages(
  type: string,
  name: string,
  body: HclBody,
  field: string,
  result: Extracted,
): void {
  const value = body.attributes.get('image');
  const text = value?.kind === 'text' ? value.text : '';
  if (
    /^[\w.-]+(?::\d+)?\/[\w./-]+:[\w.-]+(?:@sha256:[0-9a-f]{64})?$/.test(text.slice(0, 500)) ||
    isImageInTemplatedRegistry(text)
  )
    addImage(type, name, `${field}image`, value, result);
  for (const block of body.blocks) {
    const label = textOf(block.body, 'name');
    const inner = label === null ? block.type : `${block.type}[${label}]`;
    addPossibleImages(type, name, block.body, `${field}${inner}.`, result);
  }
}

/** True for an image with a literal tag whose registry is known only to Terraform. */
function isImageInTemplatedRegistry(text: string): boolean {
  return (
    text.length <= 500 &&
    text.includes('${') &&
    /^(?:\$\{[^{}]*\}|[\w.-])+(?:\/(?:\$\{[^{}]*\}|[\w.-])+)*\/[\w.-]+:[\w.-]+$/.test(text)
  );
}

function addImage(
  type: string,
  name: string,
  field: string,
  value: HclValue | undefined,
  result: Extracted,
): void {
  if (!value) return;
  const text = versionOf(value)!;
  const image = readWrittenImage(text);
  if (!image) return;
  const place = placeOf(value.line, type, name, field);
  // An expression doesn't contain the image's name, so use the name of the resource.
  if (value.kind !== 'text') image.artifact = { kind: 'image', name: `${type}.${name}` };
  result.facts.push({ extractor: 'terraform', place, ...image, ...expressionOf(text) });
}

function addNestedImages(type: string, name: string, body: HclBody, field: string, result: Extracted): void {
  addImage(type, name, `${field}image`, body.attributes.get('image'), result);
  for (const block of body.blocks) {
    const label = textOf(block.body, 'name');
    const inner = label === null ? block.type : `${block.type}[${label}]`;
    addNestedImages(type, name, block.body, `${field}${inner}.`, result);
  }
}

function addRelease(name: string, body: HclBody, line: number, result: Extracted): void {
  const chart = body.attributes.get('chart');
  if (!chart) return;
  const repository = body.attributes.get('repository');
  const version = body.attributes.get('version');
  const release = {
    chart: versionOf(chart)!,
    repository: repository ? versionOf(repository) : null,
    version: versionOf(version),
  };
  const read = readChart(release.chart, release.repository, release.version);
  const place = placeOf(version?.line ?? line, 'helm_release', textOf(body, 'name') ?? name, 'chart');
  result.facts.push({
    extractor: 'terraform',
    place,
    ...read,
    ...factDefaults,
    ...(Object.values(release).some((text) => refersToValues(text)) && { release }),
  });
  const values = body.attributes.get('values');
  const paths = (values?.kind === 'other' ? (values.texts ?? []) : []).flatMap((text) =>
    /\.ya?ml$/.test(text) ? text.replace(/^\$\{path\.(?:module|root)\}\//, '') : [],
  );
  if (paths.length > 0) result.links.push({ type: 'values_files', paths });
}

/**
 * Returns the value of an attribute, or of an attribute of a block, such as
 * `default_node_pool.orchestrator_version`.
 */
function valueAt(body: HclBody, path: string): WrittenValue | undefined {
  const dot = path.indexOf('.');
  if (dot >= 0) {
    const block = body.blocks.find(({ type }) => type === path.slice(0, dot));
    return block && valueAt(block.body, path.slice(dot + 1));
  }
  const value = body.attributes.get(path);
  return value && { text: templateOf(value), line: value.line };
}

/**
 * Adds the managed services in the arguments of a module, in local values, or in variables, including nested
 * objects.
 *
 * @param source The source of the module, or null for other objects.
 * @param options.isNested True if only the objects in the body are read.
 */
export function addServices(
  extractor: Fact['extractor'],
  names: Pick<Fact['place'], 'kind' | 'name'>,
  source: string | null,
  { attributes, blocks }: HclBody,
  prefix: string,
  result: Extracted,
  {
    isNested = false,
    resolve = (text: string) => text,
  }: { isNested?: boolean; resolve?: (text: string) => string } = {},
): void {
  const written = new Map<string, WrittenValue>();
  for (const [name, value] of attributes) {
    if (value.kind === 'object') {
      addServices(extractor, names, source, value.body, `${prefix}${name}.`, result, { resolve });
      continue;
    }
    const text = templateOf(value);
    written.set(name, { text: text === null ? null : resolve(text), line: value.line });
  }
  for (const { type, body } of blocks)
    addServices(extractor, names, source, body, `${prefix}${type}.`, result, { isNested, resolve });
  if (isNested) return;
  const addon = /(?:^|\.)\w*addons\.([\w-]{1,100})\.$/.exec(prefix.slice(-200))?.[1];
  for (const { attribute, line, written: service, isGuessed } of findServices({
    source,
    attributes: written,
    addon,
  })) {
    const place = { line, document: 0, namespace: null, field: `${prefix}${attribute}`, ...names };
    result.facts.push(serviceFact(service, extractor, place, { isGuessed }));
  }
}
