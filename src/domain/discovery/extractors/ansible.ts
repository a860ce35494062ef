import type { DocumentTree } from '../../parsers/document-tree.ts';
import {
  ansibleDirectories,
  isForAllHosts,
  isForOneHost,
  isInventory,
  isRoleDefaults,
  isRoleVars,
  isVariablesOfHosts,
} from '../ansible-paths.ts';
import { readAnsibleRequirements } from '../ansible-requirements.ts';
import { canBeAnsibleValue, resolveAnsibleVariables } from '../ansible-values.ts';
import { readArchive, readDownload, softwareFact } from '../download-address.ts';
import {
  type Extracted,
  emptyExtraction,
  type Fact,
  type FactLocation,
  type InventoryValue,
} from '../fact.ts';
import { writtenText } from '../helmfile-templates.ts';
import { factDefaults, locateNode } from '../manifest.ts';
import { maxVariableName, namesKnownSoftware, readNamedVersion } from '../named-versions.ts';
import { pipPackage, readCondaPackage, readPipPackage, usesOtherIndex } from '../python-packages.ts';
import { listAt, type ReadDocument, textAt, treeAt } from '../read-documents.ts';
import { isSecretName } from '../read-dotenv.ts';
import { looksLikeImage, readImage, readWrittenImage, splitImage, type WrittenImage } from '../read-image.ts';
import { isTemplated, readableText, readVersion } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { repositoryVariable, repositoryVariables } from '../repository-variables.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { packageFact, readPinnedPackage } from '../system-packages.ts';
import { withCommentedVersion } from '../version-comment.ts';
import { walkTree } from '../walk-tree.ts';
import { inventoryVariables } from './ansible-inventory.ts';
import { isExecutionEnvironment } from './execution-environment.ts';
import { type FilePath, isYamlBelow, type YamlExtractor } from './extractor.ts';

/**
 * Images and downloads of Ansible variables and tasks, versions of software in the catalog, and the roles and
 * collections of `requirements.yml`. A variable that only names an image is combined with the variable of its
 * tag: `web_image` with `web_image_tag`, `web_tag`, or `web_version`.
 */
export const ansible: YamlExtractor = {
  name: 'ansible',
  wants: (text, file) =>
    isRequirements(file, text)
      ? /roles:|collections:|^[ \t]*- (?:src|name):/m.test(text)
      : /image|docker|podman|_(?:version|tag|release)|package|pkg|\b(?:apt|apk|gem|npm|pip):|conda|https?:\/\/|\}\}\//i.test(
          text,
        ) &&
        !/^apiVersion:/m.test(text) &&
        !isExecutionEnvironment(text, file) &&
        isAnsible(text, file),
  extract(document, file) {
    const result = emptyExtraction();
    if (isRequirements(file, document.text))
      result.facts.push(...readAnsibleRequirements(document, document.tree, 'ansible'));
    else {
      readVersions(document, file, result);
      const { path } = file;
      const isShared = isRoleDefaults(path) || isRoleVars(path) || isForAllHosts(path);
      const values = isShared ? valuesOf(document.tree) : [];
      if (values.length > 0) result.links.push({ type: 'ansible_values', values });
      if (isInventory(path)) readInventory(document, file, result);
    }
    return result;
  },
};

/** Maximum number of versions in a file that a playbook can name. Real files have up to about a hundred. */
const maxPossibleFacts = 500;

/**
 * Extracts variables from files outside of the usual directories, which playbooks can load with `vars_files`.
 * Such files can have any name, so the extractor yields only links, not items.
 */
export const ansibleVariables: YamlExtractor = {
  name: 'ansible',
  isAuxiliary: () => true,
  wants: (text, file) =>
    /\.ya?ml$/i.test(file.base) &&
    /^[a-z]\w*(?:version|image|tag|release):[ \t]+\S/m.test(text) &&
    !/^(?:apiVersion|kind|services|jobs|image|stages|repositories|releases|dependencies):/m.test(text) &&
    !isYamlBelow(ansibleDirectories, file),
  extract(document, file) {
    if (document.tree.kind !== 'map') return emptyExtraction();
    const result = emptyExtraction();
    readVersions(document, { ...file, path: `vars/${file.base}` }, result);
    const values = valuesOf(document.tree);
    const facts = result.facts.slice(0, maxPossibleFacts);
    if (values.length === 0) return emptyExtraction();
    return { ...emptyExtraction(), links: [{ type: 'ansible_variables', facts, values }] };
  },
};

/**
 * Maximum number of variables of one file that other files of its role can use. Real files have up to a few
 * hundred.
 */
const maxValues = 1_000;

/** Returns the variables that can be part of an image or a URL in other files of the role. */
function valuesOf(tree: DocumentTree): [name: string, value: string][] {
  if (tree.kind !== 'map') return [];
  const values: [name: string, value: string][] = [];
  for (const [name, value] of tree.entries()) {
    if (values.length >= maxValues) break;
    if (value.kind === 'scalar' && canBeAnsibleValue(name, value.text))
      values.push([name, readableText(value.text)]);
  }
  return values;
}

/**
 * Adds the variables of an inventory, which other files can refer to. In a file with groups and hosts, also
 * adds the versions of software that only the names of variables identify.
 */
function readInventory(document: ReadDocument, file: FilePath, result: Extracted): void {
  const { tree } = document;
  const isNested = !isVariablesOfHosts(file.path);
  const variables = isNested
    ? [...inventoryVariables(tree)]
    : tree.kind === 'map'
      ? [...tree.entries()].flatMap(([name, node]) =>
          node.kind === 'scalar' ? [{ name, node, field: name, isOfOneHost: isForOneHost(file.path) }] : [],
        )
      : [];
  const values: InventoryValue[] = [];
  for (const { name, node, field, isOfOneHost } of variables) {
    if (values.length >= maxValues || !canBeAnsibleValue(name, node.text)) continue;
    const { line, document: index } = locateNode(document, node, null, field);
    values.push({ name, text: readableText(node.text), line, document: index, field, isOfOneHost });
    const fact = isNested ? readSoftwareVersion(document, name, node, field) : null;
    if (fact && result.facts.length < maxFactsPerFile) result.facts.push(fact);
  }
  if (values.length > 0) result.links.push({ type: 'ansible_inventory', values });
}

function isAnsible(text: string, file: FilePath): boolean {
  if (isYamlBelow(ansibleDirectories, file)) return true;
  const head = text.slice(0, 4_000);
  const play = head.search(/^- (?:hosts|name):/m);
  return play >= 0 && /^[ ]+(?:hosts|tasks|roles|vars):/m.test(head.slice(play));
}

/**
 * True for a list of roles and collections. `requirements.yml` always is one. For similar names, the content
 * or the directory must also match: charts of Helm 2 use `requirements.yaml` for their dependencies, and a
 * playbook can have such a name, too.
 */
function isRequirements({ base, path }: FilePath, text: string): boolean {
  if (base === 'requirements.yml') return true;
  if (!base.includes('requirements') || !/\.ya?ml$/.test(base)) return false;
  if (/^(?:dependencies|(?:- )? *(?:hosts|tasks|import_playbook)):/m.test(text)) return false;
  return (
    /(?:^|\/)(?:roles|collections)\/[^/]+$/.test(path) ||
    /^(?:roles|collections):/m.test(text) ||
    // In older files, the root is a list of roles.
    (/^- *(?:src|name|scm):/m.test(text) && /^ +(?:version|src):/m.test(text))
  );
}

function readVersions(document: ReadDocument, file: FilePath, result: Extracted): void {
  const topLevel = topLevelVariables(document.tree);
  const local = variablesOfTasks(document.tree);
  // An inventory can set the variables of a role's defaults, so the expressions are needed for linking.
  const keepsExpressions = isRoleDefaults(file.path);
  /** Top-level variables that an image or a download refers to. */
  const used = new Set<string>();
  const isComplete = walkTree(document.tree, ({ node, key, field }) => {
    if (result.facts.length >= maxFactsPerFile) return false;
    if (node.kind === 'scalar') {
      const fact = readDownloadedSoftware(document, node, topLevel, local, used, keepsExpressions);
      if (fact) result.facts.push(fact);
      return false;
    }
    if (node.kind !== 'map') return node.kind === 'list';
    const values = new Map(node.entries());
    const resolve = (text: string) => withVariables(text, used, values, topLevel);
    for (const [name, value] of values) {
      if (value.kind !== 'scalar' || (!isImageName(name, key) && !isOtherImage(name, value.text))) continue;
      const isRootOfDefaults = keepsExpressions && field === '';
      const found = readVariable(document, values, name, value, resolve, used, isRootOfDefaults);
      if (!found) continue;
      const place = locateNode(document, value, namesIn(node), joinedField(field, name));
      result.facts.push({ extractor: 'ansible', place, ...found });
    }
    for (const [version, fact] of readRepositories(document, values, topLevel)) {
      used.add(version);
      result.facts.push({ ...fact, place: { ...fact.place, field: joinedField(field, version) } });
    }
    for (const [written, found] of pythonPackages(values, key)) {
      if (result.facts.length >= maxFactsPerFile) return false;
      const place = locateNode(document, written, null, `package ${found.artifact.name}`);
      result.facts.push({ extractor: 'ansible', place, ...found });
    }
    const entry = readImageEntry(document, values);
    if (entry) result.facts.push({ ...entry, place: { ...entry.place, field: joinedField(field, 'tag') } });
    for (const each of packagesOfTask(document, values)) {
      const fact = readTaskPackage(document, each, topLevel, local, used);
      if (fact && result.facts.length < maxFactsPerFile) result.facts.push(fact);
    }
    const source = readGitSource(document, values, resolve);
    if (source)
      result.facts.push({ ...source, place: { ...source.place, field: joinedField(field, 'version') } });
    return true;
  });
  for (const [name, fact] of packageVersions(document, topLevel, keepsExpressions)) {
    if (used.has(name)) continue;
    used.add(name);
    result.facts.push(fact);
  }
  if (isVariablesFile(file) || document.tree.kind === 'list')
    for (const [name, value] of topLevel) {
      const fact = used.has(name) ? null : readSoftwareVersion(document, name, value);
      if (fact) result.facts.push(fact);
    }
  if (!isComplete || result.facts.length >= maxFactsPerFile)
    result.problems.push({ line: document.line, reason: 'too_large', message: reasonTexts.too_large });
}

/**
 * Yields the Python packages in the arguments of the module `pip`, and in lists of packages, such as
 * `conda_env_packages: [python=3.11]`.
 *
 * @param parent Key of the map, such as the name of a module.
 */
function* pythonPackages(
  values: Values,
  parent: string,
): Generator<[written: DocumentTree, found: Omit<Fact, 'extractor' | 'place'>], void> {
  const isModule = /(?:^|\.)pip$/.test(parent);
  for (const [key, value] of values) {
    const isConda = /conda\w{0,100}_(?:packages?|dependencies|specs?)$/i.test(key);
    if (!isConda && !(isModule && key === 'name') && !/(?:pip|python)\w{0,100}_packages$/i.test(key))
      continue;
    const entries = (value.kind === 'list' ? [...listAt(value)] : [value]).slice(0, maxPackages);
    const options = isModule ? [values.get('extra_args')] : entries;
    const hasOtherIndex = options.some((each) => each?.kind === 'scalar' && usesOtherIndex(each.text));
    for (const entry of entries) {
      const version = isModule ? values.get('version') : treeAt(entry, 'version');
      const name = entry.kind === 'map' ? textAt(entry, 'name') : entry.kind === 'scalar' ? entry.text : null;
      if (name === null) continue;
      // The version of a module applies to its only package.
      const isStated = version?.kind === 'scalar' && (!isModule || entries.length === 1);
      if (isStated && /^[\w.-]{1,100}$/.test(name) && /^\d[\w.+!-]{0,60}$/.test(version.text))
        yield [version, pipPackage(name, version.text, hasOtherIndex)];
      const found = isConda ? readCondaPackage(name) : readPipPackage(name, hasOtherIndex);
      if (found) yield [entry, found];
    }
  }
}

/** Maximum number of packages in one list. Real lists have up to about 50. */
const maxPackages = 1_000;

/** Returns the variables of a file, or those of the plays in a playbook. */
function topLevelVariables(tree: DocumentTree): Values {
  if (tree.kind === 'map') return new Map(tree.entries());
  const variables = new Map<string, DocumentTree>();
  for (const play of listAt(tree)) {
    const own = treeAt(play, 'hosts') === undefined ? undefined : treeAt(play, 'vars');
    if (own?.kind === 'map') for (const [name, value] of own.entries()) variables.set(name, value);
  }
  return variables;
}

/** Returns the variables that the tasks of a file set, without those that have several values. */
function variablesOfTasks(tree: DocumentTree): Values {
  const found = new Map<string, DocumentTree>();
  const ambiguous = new Set<string>();
  for (const task of listAt(tree)) {
    if (task.kind !== 'map' || task.get('hosts') !== undefined) continue;
    for (const [key, set] of task.entries()) {
      if (set.kind !== 'map' || !/^(?:vars|(?:ansible\.builtin\.)?set_fact)$/.test(key)) continue;
      for (const [name, value] of set.entries()) {
        if (found.has(name)) ambiguous.add(name);
        found.set(name, value);
      }
    }
  }
  for (const name of ambiguous) found.delete(name);
  return found;
}

function joinedField(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

/** Reads an image whose name, registry, and tag are the entries of a map in a list of images. */
function readImageEntry(document: ReadDocument, values: Values): Fact | null {
  const [name, registry, tag] = [textOf(values, 'name'), textOf(values, 'registry'), values.get('tag')];
  if (name === null || registry === null || tag?.kind !== 'scalar') return null;
  // Skip a registry without a host, because its name can be an alias.
  if (!/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/[\w./-]+)?$/.test(registry.slice(0, 300))) return null;
  const parts = looksLikeImage(`${registry}/${name}`) ? splitImage(`${registry}/${name}`) : null;
  if (!parts || parts.tag !== null || parts.digest !== null) return null;
  return {
    extractor: 'ansible',
    place: locateNode(document, tag, { kind: 'image', namespace: null, name }, ''),
    ...readImage({ name: parts.name, tag: tag.text, digest: textOf(values, 'digest') }),
    note: null,
  };
}

/** Reads a Git repository and its version, as in the arguments of the module `git`. */
function readGitSource(
  document: ReadDocument,
  values: Values,
  resolve: (text: string) => string,
): Fact | null {
  const [repo, version] = [textOf(values, 'repo'), values.get('version')];
  if (repo === null || version?.kind !== 'scalar') return null;
  const url = resolve(repo.slice(0, 1_000));
  if (!/^(?:https?:\/\/|git@|ssh:\/\/|git:\/\/)\S+$/.test(url) || isTemplated(url)) return null;
  const ref = resolve(version.text.slice(0, 1_000));
  return {
    extractor: 'ansible',
    place: locateNode(document, version, null, ''),
    artifact: { kind: 'git', name: url },
    origin: { type: 'git', url },
    ...readVersion(ref, 'ref'),
    ...factDefaults,
    ...(ref.includes('{{') && { expression: ref }),
  };
}

/** Yields the repositories in variables, each with the name of the variable that contains its version. */
function* readRepositories(
  document: ReadDocument,
  values: Values,
  topLevel: Values,
): Generator<[version: string, fact: Fact], void> {
  if (![...values.keys()].some((name) => repositoryVariable.test(name))) return;
  const texts = new Map<string, string>();
  for (const [name, value] of values)
    if (value.kind === 'scalar' && !isSecretName(name))
      texts.set(name, withVariables(value.text.slice(0, 300), new Set(), values, topLevel));
  for (const { version, url } of repositoryVariables(texts)) {
    const node = values.get(version);
    const names = { kind: 'variable', namespace: null, name: null };
    yield [
      version,
      {
        extractor: 'ansible',
        place: locateNode(document, node, names, version),
        artifact: { kind: 'git', name: url },
        origin: { type: 'git', url },
        ...readVersion(texts.get(version)!, 'ref'),
        ...factDefaults,
        note: `version of ${url}`.slice(0, 300),
      },
    ];
  }
}

/** Matches a system package whose version is in a variable, such as `postgresql-{{ postgresql_version }}`. */
const packageWithVersion =
  /^([a-z][a-z0-9]*(?:[._+-][a-z][a-z0-9]*)*)(?:-|=|=\*|@)\{\{\s*([A-Za-z_]\w*)\s*\}\}(?:[-.*]\S*)?$/i;
/** Matches a package whose whole version is a variable, such as `docker-ce={{ docker_ce_version }}`. */
const packageOfVariable =
  /^([a-z0-9][a-z0-9.+_-]{0,100})(?::[a-z0-9]{1,20})?=(\{\{\s{0,5}[A-Za-z_]\w{0,100}\s{0,5}\}\})$/i;

/** Modules that install system packages, whose arguments contain packages with versions. */
const packageModules = /(?:^|\.)(?:apt|aptitude|apk|package)$/;
/** Modules that have the version of a package in a separate argument. */
const versionedModules = /(?:^|\.)(?:gem|npm)$/;

/** A package that a task installs, with its version or with the variable that contains it. */
interface TaskPackage {
  node: DocumentTree;
  name: string;
  version: string;
}

/** Yields the packages with versions that the modules of a task install. */
function* packagesOfTask(document: ReadDocument, task: Values): Generator<TaskPackage, void> {
  for (const [module, argument] of task) {
    if (argument.kind !== 'map' || textAt(argument, 'state') === 'absent') continue;
    if (versionedModules.test(module)) {
      const [name, version] = [textAt(argument, 'name'), treeAt(argument, 'version')];
      if (name === null || version?.kind !== 'scalar' || !/^[\w./@-]{1,100}$/.test(name)) continue;
      const text = (writtenText(document, version) ?? version.text).slice(0, 300).trim();
      if (/^v?\d[\w.+-]{0,60}$/.test(text) || isVariable(text)) yield { node: version, name, version: text };
    }
    if (!packageModules.test(module)) continue;
    for (const key of ['name', 'pkg', 'package']) {
      const named = treeAt(argument, key);
      if (named === undefined) continue;
      const isItem = named.kind === 'scalar' && /^\{\{\s{0,5}item\s{0,5}\}\}$/.test(named.text.slice(0, 50));
      const list = isItem ? (task.get('loop') ?? task.get('with_items')) : named;
      const entries = list?.kind === 'list' ? [...listAt(list)].slice(0, maxPackages) : list ? [list] : [];
      for (const node of entries) {
        if (node.kind !== 'scalar') continue;
        for (const part of (writtenText(document, node) ?? node.text).slice(0, 1_000).split(',')) {
          const [, name, version] = packageOfVariable.exec(part.trim()) ?? [];
          const found = name === undefined ? readPinnedPackage(part) : null;
          if (name !== undefined) yield { node, name, version: version! };
          else if (found) yield { node, name: found.artifact.name, version: found.version! };
        }
      }
    }
  }
}

function isVariable(text: string): boolean {
  return /^\{\{\s{0,5}[A-Za-z_]\w{0,100}\s{0,5}\}\}$/.test(text);
}

/**
 * Reads a package that a task installs. If its version is a variable of the file, the location is the line of that
 * variable. Other files can set the variable otherwise.
 */
function readTaskPackage(
  document: ReadDocument,
  { node, name, version: written }: TaskPackage,
  topLevel: Values,
  local: Values,
  used: Set<string>,
): Fact | null {
  const ownUsed = new Set<string>();
  const version = withVariables(written, new Set(), local);
  if (version.includes('{{') && !isVariable(version)) return null;
  const resolved = withVariables(version, ownUsed, topLevel);
  const [variable] = ownUsed;
  const isOpen = resolved.includes('{{');
  // A variable of one package is enough: other packages of the same software have the same version.
  const reference = isOpen ? version : variable;
  if (reference !== undefined && used.has(reference)) return null;
  // The name of the variable identifies the software better than the name of its package.
  if (variable !== undefined && namesKnownSoftware(variable, resolved)) return null;
  if (reference !== undefined) used.add(reference);
  const place = variable === undefined || isOpen ? node : topLevel.get(variable);
  return {
    extractor: 'ansible',
    place: locateNode(document, place, null, `package ${name}`),
    ...packageFact(name, resolved),
    ...(isOpen && { expression: `${name}=${version}` }),
  };
}

/**
 * Yields the versions of packages that variables list, each with the name of the variable that contains the
 * version.
 */
function* packageVersions(
  document: ReadDocument,
  topLevel: Values,
  keepsExpressions: boolean,
): Generator<[name: string, fact: Fact], void> {
  for (const [key, list] of topLevel) {
    if (!/package|pkg/i.test(key)) continue;
    const entries = list.kind === 'list' ? [...listAt(list)] : [list];
    for (const entry of entries) {
      if (entry.kind !== 'scalar') continue;
      const [, software, name] =
        packageWithVersion.exec((writtenText(document, entry) ?? entry.text).slice(0, 300)) ?? [];
      const version = name === undefined || isSecretName(name) ? undefined : topLevel.get(name);
      if (software === undefined || name === undefined || version?.kind !== 'scalar') continue;
      if (!/^v?\d[\w.+~:-]{0,50}$/.test(version.text)) continue;
      yield [
        name,
        {
          extractor: 'ansible',
          place: locateNode(document, version, { kind: 'variable', namespace: null, name: null }, name),
          ...packageFact(software, version.text),
          ...(keepsExpressions && { expression: `${software}={{ ${name} }}` }),
        },
      ];
    }
  }
}

/**
 * Reads software in a URL. If the version is a variable of the file, the location is the line of that
 * variable.
 */
function readDownloadedSoftware(
  document: ReadDocument,
  node: DocumentTree & { kind: 'scalar' },
  topLevel: Values,
  local: Values,
  used: Set<string>,
  keepsExpression: boolean,
): Fact | null {
  const isOpen = openAddress.test(node.text.slice(0, 200));
  if (!isOpen && !node.text.includes('://')) return null;
  const written = node.text.slice(0, 1_000).trim();
  const ownUsed = new Set<string>();
  // A command contains the URL between other words.
  const isCommand = /\s/.test(written.replaceAll(/\{\{[^{}]*\}\}/g, ''));
  const found = isCommand ? (urlInText.exec(written)?.[0] ?? '') : written;
  const url = withVariables(found, new Set(), local);
  const resolved = withVariables(url, ownUsed, topLevel);
  // Another file of the role can set the start of the address. Without that, it isn't known to be a download.
  const isUnknown = openAddress.test(resolved);
  const address = isUnknown ? resolved.replace(openAddress, 'https://unknown.invalid/') : resolved;
  const download = readDownload(address) ?? readArchive(address);
  // The scripts and sources of a branch don't show the deployed version.
  if (!download?.version || (download.isOnlyForVersions && !/\d|\{\{/.test(download.version))) return null;
  const [versionName] = [...ownUsed].filter((name) => /version|release|tag/i.test(name));
  const place = versionName === undefined ? node : topLevel.get(versionName);
  // Skip an archive if the variable with its version names software of the catalog. The variable is read
  // separately, and its name identifies the software better than the name of a file.
  if (
    download.isArchive &&
    versionName !== undefined &&
    place?.kind === 'scalar' &&
    namesKnownSoftware(versionName, place.text)
  ) {
    return null;
  }
  for (const name of ownUsed) used.add(name);
  const isResolved = !download.version.includes('{{');
  return {
    extractor: 'ansible',
    place: locateNode(document, place, null, `download ${download.repository ?? download.tool}`),
    ...softwareFact(download, download.version, 'ref'),
    note: versionName === undefined ? null : `value of ${versionName.slice(0, 100)}`,
    ...((isUnknown || !isResolved || (keepsExpression && ownUsed.size > 0)) && { expression: url }),
  };
}

/** Matches an address whose start is in a variable, such as `{{ mirror_url }}/`. */
const openAddress = /^\s{0,20}\{\{\s{0,5}[A-Za-z_]\w{0,100}\s{0,5}\}\}\//;

/** Matches a URL in a text. Templates in it can contain spaces. */
const urlInText = /https?:\/\/(?:\{\{[^{}]*\}\}|[^\s"'`|;<>{}])+/;

function isVariablesFile({ path }: FilePath): boolean {
  return /(?:^|\/)(?:defaults|vars|group_vars|host_vars)\//.test(path);
}

/** Reads a variable whose name identifies software, such as `etcd_version: 3.6.4`. */
function readSoftwareVersion(
  document: ReadDocument,
  name: string,
  value: DocumentTree,
  field = name,
): Fact | null {
  const found = value.kind === 'scalar' ? readNamedVersion(name, value.text) : null;
  const names = { kind: 'variable', namespace: null, name: null };
  return found && { extractor: 'ansible', place: locateNode(document, value, names, field), ...found };
}

/** Index of the entries of a map, because each lookup in the map itself scans all of its entries. */
type Values = ReadonlyMap<string, DocumentTree>;

function textOf(values: Values, name: string): string | null {
  const value = isSecretName(name) ? undefined : values.get(name);
  return value?.kind === 'scalar' ? readableText(value.text) : null;
}

/**
 * True for a variable or an argument that contains the name of an image.
 *
 * @param parent Key of the map that contains it, such as the name of a module.
 */
function isImageName(name: string, parent: string): boolean {
  if (/(?:^|_)image(?:_name|_repo|_repository)?$/i.test(name)) return true;
  return name === 'name' && /(?:^|[._])(?:docker|podman)_image(?:_pull)?$/.test(parent);
}

/** True for an image in a variable such as `web_image_migration`, whose value shows that it is an image. */
function isOtherImage(name: string, text: string): boolean {
  if (text.length > 300 || name.length > maxVariableName) return false;
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
  used: Set<string>,
  keepsExpression: boolean,
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
        ...((text.includes('{{') || (keepsExpression && note !== null)) && {
          expression: value.text.slice(0, 1_000),
        }),
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
    used.add(candidate.replace(/^_/, ''));
    const resolved = resolve(tag);
    const expression = keepsExpression
      ? `${value.text}:{{ ${candidate.replace(/^_/, '')} }}`
      : resolved.includes('{{')
        ? `${text}:${resolved}`
        : null;
    return {
      ...readImage({ ...parts, tag: resolved }),
      // A task can add a registry before a name without one, such as `{{ registry }}/{{ item.image }}`.
      ...(!parts.name.includes('/') && { isOriginGuessed: true as const }),
      note: `tag from ${candidate.replace(/^_/, '')}`,
      // Keep the expression if a variable is unresolved, because another file of the role can set it.
      ...(expression !== null && { expression: expression.slice(0, 1_000) }),
    };
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
function namesIn(map: DocumentTree): Pick<FactLocation, 'kind' | 'namespace' | 'name'> {
  const name = textAt(map, 'image') === null ? null : textAt(map, 'name');
  return {
    kind: name === null ? null : 'container',
    namespace: null,
    name: name !== null && !isTemplated(name) ? name : null,
  };
}
