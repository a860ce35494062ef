import {
  isForAllHosts,
  isPartOfInventory,
  isRoleDefaults,
  isRoleTemplate,
  isRoleVars,
  rootOfInventory,
} from './ansible-paths.ts';
import { readOpenDownload, softwareFact } from './download-address.ts';
import type { InventoryValue } from './fact.ts';
import { createPlays } from './link-ansible-plays.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { canDeployToProduction } from './link-value-overlays.ts';
import { namesKnownSoftware } from './named-versions.ts';
import { push } from './push.ts';
import { isSecretName } from './read-dotenv.ts';
import { readWrittenImage } from './read-image.ts';
import { readVersion } from './read-version.ts';
import { baseOf, directoryOf, resolvePath } from './repository-path.ts';
import { readPinnedPackage } from './system-packages.ts';

/** Maximum length of a chain of variables that refer to each other. */
const maxChain = 5;
/** Maximum length of a resolved text. Download URLs are shorter. */
const maxLength = 1_000;

/** True for a variable that can be part of an image or a URL. */
export function canBeAnsibleValue(name: string, text: string): boolean {
  return (
    text !== '' &&
    text.length <= 300 &&
    !isSecretName(name) &&
    // Exclude a URL with credentials, because it can contain a password.
    !/:\/\/[^/]*@/.test(text) &&
    /version|release|tag|image|registry|repo|url|prefix|channel|name|host|arch|platform|base/i.test(name)
  );
}

/**
 * Replaces `{{ name }}` with the value of a variable, and `{{ name | default('text') }}` with the literal
 * default if the variable has no value. Other filters and expressions stay as written.
 */
export function resolveAnsibleVariables(
  text: string,
  valueOf: (name: string) => string | undefined,
): { text: string; used: Set<string> } {
  const used = new Set<string>();
  let resolved = text.slice(0, maxLength);
  for (let depth = 0; depth < maxChain && resolved.includes('{{'); depth++) {
    const next = resolved
      .replaceAll(reference, (written, name: string, single?: string, double?: string) => {
        const value = valueOf(name);
        if (value !== undefined) used.add(name);
        return value ?? single ?? double ?? written;
      })
      .slice(0, maxLength);
    if (next === resolved) break;
    resolved = next;
  }
  return { text: resolved, used };
}

const reference =
  /\{\{\s*([A-Za-z_]\w*)\s*(?:\|\s*d(?:efault)?\(\s*(?:'([^'{}]*)'|"([^"{}]*)")\s*(?:,\s*true\s*)?\)\s*)?\}\}/gi;

/** Returns the files with variables that playbooks name, each with its link. */
export function variableFilesOfPlaybooks(
  files: readonly ScannedFile[],
): [path: string, link: LinkOf<'ansible_variables'>][] {
  const named = new Set<string>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'ansible_uses' || !link.isPlay) continue;
      for (const each of link.files) {
        const target = resolvePath(directoryOf(path), each);
        if (target !== null) named.add(target);
      }
    }
  return files.flatMap(({ path, links }) =>
    named.has(path)
      ? links.flatMap((link) =>
          link.type === 'ansible_variables' ? [[path, link] as [string, LinkOf<'ansible_variables'>]] : [],
        )
      : [],
  );
}

/** Returns the variables that have the same value in all lists that contain them. */
function sharedVariables(
  lists: Iterable<Iterable<readonly [name: string, value: string]>>,
): Map<string, string> {
  const shared = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const values of lists)
    for (const [name, value] of values) {
      if ((shared.get(name) ?? value) !== value) ambiguous.add(name);
      shared.set(name, value);
    }
  for (const name of ambiguous) shared.delete(name);
  return shared;
}

/** Returns the directories of inventories that contain no other inventory. */
function findInstallations(paths: Iterable<string>): string[] {
  const roots = new Set(Array.from(paths, rootOfInventory));
  // Variables next to playbooks apply to the inventories below, so their directory isn't an inventory itself.
  const above = new Set([...roots].flatMap((root) => withParents(root).slice(1)));
  return [...roots].filter((root) => !above.has(root));
}

/** Variables of the files for all hosts, by the directory of the inventory. */
type AllHosts = ReadonlyMap<string, ReadonlyMap<string, string>>;

function readAllHosts(links: readonly (readonly [path: string, link: LinkOf<'ansible_values'>])[]): AllHosts {
  const lists = Map.groupBy(
    links.filter(([path]) => isForAllHosts(path)),
    ([path]) => rootOfInventory(path),
  );
  return new Map(
    Array.from(lists, ([root, own]) => [root, sharedVariables(own.map(([, { values }]) => values))]),
  );
}

/** Returns the variables that all hosts of every inventory have, with the same value. */
function variablesOfAllInventories(
  allHosts: AllHosts,
  installations: readonly string[],
): Map<string, string> {
  const names = new Set(Array.from(allHosts.values(), (values) => [...values.keys()]).flat());
  const shared = new Map<string, string>();
  let left = maxChecks;
  for (const name of names) {
    left -= installations.length;
    if (left < 0) break;
    const found = new Set(
      installations.map((root) =>
        withParents(root)
          .map((each) => allHosts.get(each)?.get(name))
          .find((value) => value !== undefined),
      ),
    );
    const [value] = found;
    if (found.size === 1 && value !== undefined) shared.set(name, value);
  }
  return shared;
}

/** Variables of a role, by name. Those of `vars/main.yml` have precedence over inventories. */
interface RoleValues {
  defaults: Map<string, string>;
  vars: Map<string, string>;
}

/** A variable of an inventory, with its file. */
interface InventoryVariable extends InventoryValue {
  file: string;
}

/** Maximum number of versions that the inventories of one repository add. Real ones add up to a few hundred. */
const maxVariants = 10_000;
/** Maximum number of comparisons of inventories. Beyond it, versions of roles count as deployed. */
const maxChecks = 5_000_000;

/** Returns a directory and the directories above it, up to the root of the repository. */
function withParents(directory: string): string[] {
  const found = [directory];
  for (let at = directory; at !== ''; found.push(at)) at = directoryOf(at);
  return found;
}

/**
 * Completes images and downloads of Ansible roles with variables from other files. As in Ansible,
 * `vars/main.yml` of the role has precedence over files that a playbook names and inventories, and these over
 * the defaults of the role.
 *
 * A variable that all hosts of every inventory have applies wherever it's used. If an inventory sets a variable for all
 * of its hosts, for groups, or for single hosts, each such variable is the place of another version. If all inventories
 * set it for groups or for all of their hosts, the version of the role isn't deployed.
 *
 * @param named Files with variables that playbooks name.
 * @param uses Playbooks and the files of roles.
 * @param paths Paths of all files, because an inventory without variables uses the defaults of roles.
 * @returns The versions that inventories set, and the facts to drop: those of variables that are part of an
 * image or a download. They would be duplicates.
 */
export function linkAnsibleValues(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: LinkOf<'ansible_values'>]>,
  named: readonly [path: string, link: LinkOf<'ansible_variables'>][],
  inventories: readonly (readonly [path: string, link: LinkOf<'ansible_inventory'>])[],
  uses: Iterable<readonly [path: string, link: LinkOf<'ansible_uses'>]>,
  paths: readonly string[],
  reportUnsearched: (path: string) => void,
): { added: LinkedFact[]; dropped: ReadonlySet<LinkedFact> } {
  const byRole = new Map<string, RoleValues>();
  const all = [...links];
  const allHosts = readAllHosts(all);
  const installations = findInstallations([
    ...inventories.map(([path]) => path),
    ...all.flatMap(([path]) => (isForAllHosts(path) ? path : [])),
    ...paths.filter(isPartOfInventory),
  ]);
  const shared = sharedVariables([
    variablesOfAllInventories(allHosts, installations),
    ...named.map(([, { values }]) => values),
  ]);
  for (const [path, { values }] of all) {
    if (isForAllHosts(path)) continue;
    const known = byRole.get(roleOf(path)) ?? { defaults: new Map(), vars: new Map() };
    byRole.set(roleOf(path), known);
    const own = isRoleVars(path) ? known.vars : known.defaults;
    for (const [name, value] of values) own.set(name, value);
  }
  const plays = createPlays(uses, {
    variables: inventories.flatMap(([file, { values }]) => values.map((value) => ({ ...value, file }))),
    installations,
    namesIn: createNameFinder(all, named, inventories, paths),
  });
  const inventory = createInventory(inventories, installations, shared, plays);
  if (byRole.size === 0 && shared.size === 0 && inventory.isEmpty)
    return { added: [], dropped: new Set(facts.filter(hasOpenAddress)) };
  /** Variables that a fact contains, as role and name. */
  const contained = new Set<string>();
  /** The facts that contain each shared variable. */
  const containing = new Map<string, LinkedFact[]>();
  const added: LinkedFact[] = [];
  /** Software whose version is another fact, that of the variable, and files that aren't downloads. */
  const repeated = new Set<LinkedFact>();
  let left = maxVariants;
  for (const fact of facts) {
    const expression = expressionOf(fact);
    if (expression === null) {
      inventory.overrideVariable(fact, roleNameOf(fact.file));
      continue;
    }
    const addedBefore = added.length;
    const role = roleOf(fact.file);
    const own = byRole.get(role);
    const ofRole = (name: string) => own?.vars.get(name) ?? shared.get(name) ?? own?.defaults.get(name);
    const { text, used } = resolveAnsibleVariables(expression, ofRole);
    for (const name of new Set([...used, ...variablesIn(expression)])) {
      if (own?.vars.has(name)) continue;
      for (const variable of [...inventory.of(name), ...plays.variablesOf(roleNameOf(fact.file), name)]) {
        if (left-- <= 0) break;
        // The name of the variable identifies the software better than the name of its package.
        if (isWithoutAddress(fact) && namesKnownSoftware(name, variable.text)) continue;
        const inFile = inventory.valuesOf(variable.file);
        const inInventory = withParents(rootOfInventory(variable.file)).flatMap(
          (root) => allHosts.get(root) ?? [],
        );
        const resolved = resolveAnsibleVariables(expression, (each) =>
          each === name
            ? variable.text
            : (own?.vars.get(each) ??
              inFile.get(each) ??
              shared.get(each) ??
              inInventory.find((values) => values.has(each))?.get(each) ??
              own?.defaults.get(each)),
        );
        const read = readResolved(fact, resolved.text);
        if (read && read.state !== 'templated') added.push(toVariant(fact, read, variable, expression, role));
      }
    }
    if (isWithoutAddress(fact) && fact.place.kind !== 'variable' && namesDefault(expression, ofRole)) {
      repeated.add(fact);
      continue;
    }
    if (hasOpenAddress(fact) && !/^https?:\/\//.test(text)) {
      repeated.add(fact);
      continue;
    }
    if (used.size > 0) {
      const read = readResolved(fact, text);
      if (!read) continue;
      const isUnchanged = read.version === fact.version && read.artifact?.name === fact.artifact.name;
      const isDefault = [...used].some((name) => !shared.has(name) || own?.vars.has(name));
      const note = `${isDefault ? 'default value' : 'value'} of ${expression.slice(0, 100)}`;
      // The address can be new even then, if it begins with a variable.
      Object.assign(fact, read, { note: isUnchanged ? (fact.note ?? note) : note });
      for (const name of used) {
        contained.add(`${role}\0${name}`);
        if (!shared.has(name) || own?.vars.has(name)) continue;
        push(containing, name, fact);
      }
    }
    // Without a value, the version of an inventory is a template as well.
    if (fact.state === 'exact' || (fact.state === 'templated' && added.length > addedBefore))
      inventory.overrideExpression(
        fact,
        roleNameOf(fact.file),
        [...used, ...variablesIn(expression)],
        own?.vars,
      );
  }
  if (left < 0) for (const file of inventory.files()) reportUnsearched(file);
  const namedPaths = new Set(named.map(([path]) => path));
  for (const fact of facts)
    if (fact.place.kind === 'variable' && (namedPaths.has(fact.file) || isForAllHosts(fact.file)))
      useArtifactOfVariable(fact, containing.get(fact.place.field) ?? []);
  const variants = new Set(added.map(placeOf));
  const dropped = facts.filter(
    (fact) =>
      fact.extractor === 'ansible' &&
      fact.place.kind === 'variable' &&
      fact.expression === undefined &&
      (contained.has(`${roleOf(fact.file)}\0${fact.place.field}`) || variants.has(placeOf(fact))),
  );
  // The variable can contain the whole image, and several tasks of a role can use it.
  const known = new Set(
    facts.flatMap((fact) => (fact.place.kind === 'variable' ? [] : placeAndArtifactOf(fact))),
  );
  const byKey = new Map(added.map((fact) => [placeAndArtifactOf(fact), fact]));
  return {
    added: [...byKey].flatMap(([key, fact]) => (known.has(key) ? [] : fact)),
    dropped: new Set([...dropped, ...repeated]),
  };
}

function placeOf({ file, place }: LinkedFact): string {
  return JSON.stringify([file, place.field]);
}

function placeAndArtifactOf({ file, place, artifact }: LinkedFact): string {
  return JSON.stringify([file, place.field, artifact.name]);
}

/** Returns the names in the references of an expression, with or without a value. */
function variablesIn(expression: string): string[] {
  return [...expression.slice(0, maxLength).matchAll(reference)].map(([, name]) => name!);
}

/** True if a variable in an expression has a value, and its name identifies software of the catalog. */
function namesDefault(expression: string, valueOf: (name: string) => string | undefined): boolean {
  return variablesIn(expression).some((name) => {
    const value = valueOf(name);
    return value !== undefined && namesKnownSoftware(name, value);
  });
}

/** True for a package of a task, and for an archive whose address begins with a variable. */
function isWithoutAddress({ artifact, expression }: LinkedFact): boolean {
  return artifact.kind === 'tool' && expression?.includes('://') === false;
}

/** True for an archive whose address begins with a variable. It's a download only if the value is a URL. */
function hasOpenAddress(fact: LinkedFact): boolean {
  return isWithoutAddress(fact) && fact.expression!.trimStart().startsWith('{{');
}

/** Reads an expression whose variables are replaced. Null if the result still isn't an image or a download. */
function readResolved(fact: LinkedFact, text: string): Partial<LinkedFact> | null {
  if (fact.artifact.kind === 'image') {
    const image = readWrittenImage(text);
    // Keep the image as written if the resolved text isn't a valid image, because a variable can contain
    // another expression.
    if (!image || image.reason === 'invalid') return null;
    return { ...image, isOriginCertain: image.isOriginGuessed !== true && fact.isOriginGuessed !== true };
  }
  if (isWithoutAddress(fact) && !hasOpenAddress(fact)) return readPinnedPackage(text);
  if (hasOpenAddress(fact) && !/^https?:\/\//.test(text)) return null;
  const download = readOpenDownload(text);
  if (download)
    return { ...softwareFact(download, download.version, 'ref'), isOriginCertain: !download.isGuessed };
  return fact.artifact.kind === 'git' ? readVersion(text, 'ref') : {};
}

/** Returns the version that a variable of an inventory gives to an image or a download of a role. */
function toVariant(
  fact: LinkedFact,
  read: Partial<LinkedFact>,
  { file, line, document, field }: InventoryVariable,
  expression: string,
  role: string,
): LinkedFact {
  const name = (role.endsWith('/') && role.split('/').at(-2)) || null;
  const { expression: _, ...rest } = fact;
  return {
    ...rest,
    ...read,
    extractor: 'ansible',
    file,
    place: { line, document, kind: 'variable', namespace: null, name, field },
    note: `in ${expression.slice(0, 100)} of ${fact.file}`.slice(0, 300),
  };
}

/** Indexes the variables of inventories. Those that are the same for all hosts aren't included. */
function createInventory(
  links: Iterable<readonly [path: string, link: LinkOf<'ansible_inventory'>]>,
  installations: readonly string[],
  shared: ReadonlyMap<string, string>,
  plays: ReturnType<typeof createPlays>,
) {
  const byName = new Map<string, InventoryVariable[]>();
  const byFile = new Map<string, Map<string, string>>();
  for (const [file, { values }] of links) {
    const own = byFile.get(file) ?? new Map<string, string>();
    byFile.set(file, own);
    for (const value of values) {
      if (!own.has(value.name)) own.set(value.name, value.text);
      if (isForAllHosts(file) && shared.has(value.name)) continue;
      push(byName, value.name, { ...value, file });
    }
  }
  const settingOf = new Map<string, { files: InventoryVariable[]; roots: ReadonlySet<string> }>();
  /** Returns the variables with a name that inventories set for groups, and the inventories that have one. */
  const settingWith = (name: string) => {
    const known = settingOf.get(name);
    if (known) return known;
    const files = (byName.get(name) ?? []).filter((each) => !each.isOfOneHost);
    const parents = new Set(files.map(({ file }) => rootOfInventory(file)));
    const covered = installations.filter((root) => withParents(root).some((each) => parents.has(each)));
    const found = { files, roots: new Set(covered) };
    settingOf.set(name, found);
    return found;
  };
  let left = maxChecks;
  /** True if every inventory sets one of the variables for a group, and not only outside of production. */
  const isSetEverywhere = (names: readonly string[]) => {
    const setting = names.filter((name) => byName.has(name)).map(settingWith);
    if (setting.every(({ files }) => files.length === 0)) return false;
    left -= installations.length * setting.length;
    return (
      left >= 0 &&
      installations.every((root) => setting.some((each) => each.roots.has(root))) &&
      setting.some(({ files }) => canDeployToProduction(files))
    );
  };
  const canBeProduction =
    installations.length === 0 ||
    canDeployToProduction(installations.map((root) => ({ file: `${root}/hosts` })));
  /**
   * Marks a version of a role as overridden if all plays that use the role set one of the variables. If no such play is
   * known, every inventory must set one of them.
   */
  const overrideIfSet = (fact: LinkedFact, role: string, names: readonly string[]) => {
    // Without a default, every play must set the variable, so its plays show nothing.
    const setting = fact.state === 'templated' ? null : plays.settingOf(role, names);
    const isSet = setting === null ? isSetEverywhere(names) : setting === 'all' && canBeProduction;
    if (isSet) Object.assign(fact, { state: 'overridden', reason: 'overridden' });
    else if (setting === 'unknown' && names.some((name) => byName.has(name))) {
      const note = 'a file of variables that is known only when the playbook runs can replace it';
      fact.note = fact.note === null ? note : `${fact.note}; ${note}`;
    }
  };
  return {
    isEmpty: byFile.size === 0,
    files: () => byFile.keys(),
    of: (name: string): readonly InventoryVariable[] => byName.get(name) ?? [],
    valuesOf: (file: string): ReadonlyMap<string, string> => byFile.get(file) ?? new Map(),
    /** Marks the version of an expression as overridden if its variables are set everywhere. */
    overrideExpression(
      fact: LinkedFact,
      role: string,
      names: readonly string[],
      vars: ReadonlyMap<string, string> | undefined,
    ) {
      // Values that all hosts have are already part of the version.
      const open = names.filter((name) => !vars?.has(name) && !shared.has(name));
      if (open.length > 0) overrideIfSet(fact, role, open);
    },
    /** Marks a default variable of a role as overridden if it's set everywhere. */
    overrideVariable(fact: LinkedFact, role: string) {
      const { field } = fact.place;
      if (fact.extractor !== 'ansible' || !isRoleDefaults(fact.file) || fact.state !== 'exact') return;
      if (shared.has(field) && plays.settingOf(role, [field]) === null)
        Object.assign(fact, { state: 'overridden', reason: 'overridden' });
      else overrideIfSet(fact, role, [field]);
    },
  };
}

/**
 * Returns a function that returns the names of the variables in a file, or null if they aren't known. Variables that
 * can't be part of a version are omitted.
 */
function createNameFinder(
  roles: readonly (readonly [path: string, link: LinkOf<'ansible_values'>])[],
  named: readonly (readonly [path: string, link: LinkOf<'ansible_variables'>])[],
  inventories: readonly (readonly [path: string, link: LinkOf<'ansible_inventory'>])[],
  paths: readonly string[],
): (file: string) => ReadonlySet<string> | null {
  const namesOf = new Map<string, Set<string>>();
  const addNames = (path: string, names: readonly string[]) =>
    namesOf.set(path, new Set([...(namesOf.get(path) ?? []), ...names]));
  for (const [path, { values }] of [...roles, ...named])
    addNames(
      path,
      values.map(([name]) => name),
    );
  for (const [path, { values }] of inventories)
    addNames(
      path,
      values.map(({ name }) => name),
    );
  const existing = new Set(paths);
  return (file) => {
    const names = namesOf.get(file);
    if (names) return names;
    // In directories of variables, only those of the main file of a role are kept.
    return existing.has(file) && !/(?:^|\/)vars\//.test(file) ? noNames : null;
  };
}

const noNames: ReadonlySet<string> = new Set();

/** Replaces the software that only the name of a variable shows with the artifact whose version the variable is. */
function useArtifactOfVariable(fact: LinkedFact, containing: readonly LinkedFact[]): void {
  const [first] = containing;
  if (!first || containing.some(({ artifact }) => artifact.name !== first.artifact.name)) return;
  const isVersion = first.version?.replace(/^v/, '') === fact.version?.replace(/^v/, '');
  if (!isVersion) return;
  const { artifact, origin, version, state, reason, isOriginCertain } = first;
  Object.assign(fact, { artifact, origin, version, state, reason, isOriginCertain });
  fact.note = `version of ${artifact.name}`.slice(0, 300);
}

/** Returns the image or the download of a fact with its variables, or null if it has none. */
function expressionOf({ extractor, file, expression, artifact, version, state }: LinkedFact): string | null {
  if (extractor === 'ansible' || file.endsWith('.j2')) return expression ?? null;
  // Ansible also renders other files, such as jobs of Nomad, in its directories of templates.
  const isTemplate =
    isRoleTemplate(file) ||
    (/(?:^|\/)(?:templates|files)\//.test(file) && (extractor === 'nomad' || extractor === 'quadlet'));
  if (isTemplate && expression !== undefined) return expression;
  if (!isTemplate || artifact.kind !== 'image' || state !== 'templated' || !version?.includes('{{'))
    return null;
  return artifact.name.includes('{{') ? null : `${artifact.name}:${version}`;
}

/** Returns the name of the role that contains a file, or an empty string. */
function roleNameOf(path: string): string {
  return baseOf(roleOf(path).slice(0, -1));
}

/** Returns the directory of a role, which contains its directories of variables and tasks. */
function roleOf(path: string): string {
  return /^(.*\/|)(?:defaults|vars|tasks|handlers|templates)\//.exec(path)?.[1] ?? path;
}
