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
import { canBeAnsibleValue } from '../ansible-values.ts';
import { type Extracted, emptyExtraction, type FactLocation, type InventoryValue } from '../fact.ts';
import { locateNode } from '../manifest.ts';
import {
  packagesOfTask,
  pythonPackages,
  readDownloadedSoftware,
  readGitSource,
  readTaskPackage,
} from '../read-ansible-tasks.ts';
import {
  isImageName,
  isOtherImage,
  packageVersions,
  readImageEntry,
  readRepositories,
  readSoftwareVersion,
  readVariable,
  topLevelVariables,
  variablesOfTasks,
  withVariables,
} from '../read-ansible-variables.ts';
import { type ReadDocument, textAt } from '../read-documents.ts';
import { isTemplated, readableText } from '../read-version.ts';
import { reasonTexts } from '../reasons.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
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
    // These arguments of a module remove what they name.
    if (textAt(node, 'state') === 'absent') return false;
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

function joinedField(field: string, name: string): string {
  return field === '' ? name : `${field}.${name}`;
}

function isVariablesFile({ path }: FilePath): boolean {
  return /(?:^|\/)(?:defaults|vars|group_vars|host_vars)\//.test(path);
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
