import type { DocumentTree } from '../parsers/document-tree.ts';
import { isOpenAddress, readOpenDownload, softwareFact } from './download-address.ts';
import type { Fact } from './fact.ts';
import { writtenText } from './helmfile-templates.ts';
import { factDefaults, locateNode } from './manifest.ts';
import { namesKnownSoftware } from './named-versions.ts';
import { pipPackage, readCondaPackage, readPipPackage, usesOtherIndex } from './python-packages.ts';
import { textOf, type Values, withVariables } from './read-ansible-variables.ts';
import { listAt, type ReadDocument, textAt, treeAt } from './read-documents.ts';
import { isTemplated, readVersion } from './read-version.ts';
import { packageFact, readPinnedPackage } from './system-packages.ts';

/** Modules that install system packages, whose arguments contain packages with versions. */
const packageModules = /(?:^|\.)(?:apt|aptitude|apk|package)$/;

/** Modules that have the version of a package in a separate argument. */
const versionedModules = /(?:^|\.)(?:gem|npm)$/;

/** Matches a package whose whole version is a variable, such as `docker-ce={{ docker_ce_version }}`. */
const packageOfVariable =
  /^([a-z0-9][a-z0-9.+_-]{0,100})(?::[a-z0-9]{1,20})?=(\{\{\s{0,5}[A-Za-z_]\w{0,100}\s{0,5}\}\})$/i;

/** Maximum number of packages in one list. Real lists have up to about 50. */
const maxPackages = 1_000;

/** A package that a task installs, with its version or with the variable that contains it. */
interface TaskPackage {
  node: DocumentTree;
  name: string;
  version: string;
}

/** Yields the packages with versions that the modules of a task install. */
export function* packagesOfTask(document: ReadDocument, task: Values): Generator<TaskPackage, void> {
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
export function readTaskPackage(
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
 * Yields the Python packages in the arguments of the module `pip`, and in lists of packages, such as
 * `conda_env_packages: [python=3.11]`.
 *
 * @param parent Key of the map, such as the name of a module.
 */
export function* pythonPackages(
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

/** Reads a Git repository and its version, as in the arguments of the module `git`. */
export function readGitSource(
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

/**
 * Reads software in a URL. If the version is a variable of the file, the location is the line of that
 * variable.
 */
export function readDownloadedSoftware(
  document: ReadDocument,
  node: DocumentTree & { kind: 'scalar' },
  topLevel: Values,
  local: Values,
  used: Set<string>,
  keepsExpression: boolean,
): Fact | null {
  if (!isOpenAddress(node.text) && !node.text.includes('://')) return null;
  const written = node.text.slice(0, 1_000).trim();
  const ownUsed = new Set<string>();
  // A command contains the URL between other words.
  const isCommand = /\s/.test(written.replaceAll(/\{\{[^{}]*\}\}/g, ''));
  const found = isCommand ? (urlInText.exec(written)?.[0] ?? '') : written;
  const url = withVariables(found, new Set(), local);
  const resolved = withVariables(url, ownUsed, topLevel);
  // Another file of the role can set the start of the address. Without that, it isn't known to be a download.
  const isUnknown = isOpenAddress(resolved);
  const download = readOpenDownload(resolved);
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
    ...(download.isGuessed && { isOriginGuessed: true }),
    note: versionName === undefined ? null : `value of ${versionName.slice(0, 100)}`,
    ...((isUnknown || !isResolved || (keepsExpression && ownUsed.size > 0)) && { expression: url }),
  };
}

/** Matches a URL in a text. Templates in it can contain spaces. */
const urlInText = /https?:\/\/(?:\{\{[^{}]*\}\}|[^\s"'`|;<>{}])+/;
