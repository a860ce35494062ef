import { type FluxTemplate, linksOf } from './fact.ts';
import { createSourceCheck } from './flux-sources.ts';
import { canReplaceVariables } from './flux-template.ts';
import { itemKey } from './item-key.ts';
import type { LinkedFact, LinkOf, ScannedFile } from './link-facts.ts';
import { push } from './push.ts';
import { hasRegistryHost, readImage, readWrittenImage, splitImageText } from './read-image.ts';
import { isTemplated, readVersion } from './read-version.ts';
import { directoryOf, resolvePath } from './repository-path.ts';

/**
 * Maximum number of files, directories, and variables that one scan visits. Each counts every time it is visited. Real
 * scans need a few thousand.
 */
const maxVisited = 1_000_000;

/** Maximum number of versions from variables. Real repositories have a few hundred. */
const maxVersions = 20_000;

/** Maximum number of clusters that use one Kustomization. */
const maxClusters = 100;

type Substitution = LinkOf<'flux_substitution'> & { file: string };

/** A Kustomization in one cluster. Several clusters can apply a directory that contains the Kustomization. */
interface Instance {
  substitution: Substitution;
  /** File of the Kustomization that applies the others in the cluster. */
  root: string;
}

type Variables = LinkOf<'flux_variables'> & { file: string };

/**
 * Returns the versions that Flux Kustomizations set with variables in the manifests that they apply: one for each
 * Kustomization, on the line of the variable. A version with a default value, or with a variable only in the name of
 * its artifact, stays on the line of the manifest.
 *
 * @param canReplace False for facts whose versions aren't deployed.
 * @returns The new facts, and the facts that they replace. A fact stays as it is if no Kustomization sets its version.
 */
export function linkFluxVariables(
  facts: readonly LinkedFact[],
  files: readonly ScannedFile[],
  canReplace: (fact: LinkedFact) => boolean,
  reportUnsearched: (path: string) => void,
): { added: LinkedFact[]; dropped: ReadonlySet<LinkedFact> } {
  const added = new Map<string, LinkedFact>();
  const dropped = new Set<LinkedFact>();
  const open = Map.groupBy(
    facts.filter((fact) => fact.template && canReplaceVariables(fact.extractor) && canReplace(fact)),
    ({ file, templateFile }) => templateFile ?? file,
  );
  const sourceOf = createSourceCheck(files);
  const isOwn = (link: Substitution | (LinkOf<'flux_kustomization'> & { file: string })) =>
    sourceOf(link) === 'this_repository';
  const substitutions = placedLinks(files, 'flux_substitution').filter(isOwn);
  if (open.size === 0 || substitutions.length === 0) return { added: [], dropped };
  const budget = { left: maxVisited };
  const all = placedLinks(files, 'flux_kustomization').filter(isOwn);
  const relevant = new Set([...open.keys(), ...all.map(({ file }) => file)]);
  const filesAppliedBy = createReach(files, relevant, budget);
  const instances = instancesOf(substitutions, all, (path) => filesAppliedBy([path]), budget);
  const lookupOf = createLookup(instances, placedLinks(files, 'flux_variables'), budget);
  const annotated = Map.groupBy(
    facts.filter(({ extractor }) => extractor === 'annotated'),
    ({ file, place }) => JSON.stringify([file, place.line]),
  );
  const found = new Map<LinkedFact, Replaced[]>();
  /** Clusters in which the value of a variable isn't known. */
  const unknown = new Map<LinkedFact, Instance[]>();
  let count = 0;
  for (const instance of instances) {
    const { substitution } = instance;
    const reached = filesAppliedBy(substitution.paths);
    const lookup = lookupOf(instance);
    for (const file of new Set([...reached, substitution.file]))
      for (const fact of open.get(file) ?? []) {
        // A Kustomization also replaces variables in its own patches and images, but not in the rest of its file.
        const isOwn = file === substitution.file && fact.place.document === substitution.document;
        if (!reached.has(file) && !isOwn) continue;
        budget.left--;
        if (budget.left < 0 || count >= maxVersions) continue;
        const read = replaceVariables(fact, lookup);
        if (!read) continue;
        count++;
        if (read === 'unknown') push(unknown, fact, instance);
        else push(found, fact, { fact: read, substitution });
      }
  }
  if (budget.left < 0 || count >= maxVersions)
    for (const fact of [...open.values()].flat()) reportUnsearched(fact.file);
  for (const [fact, replaced] of found) {
    // If the version is known in no cluster, the fact stays on the line of the manifest.
    for (const instance of unknown.get(fact) ?? []) replaced.push(withoutVersion(fact, instance));
    const linesOf = new Map<string, Set<number>>();
    for (const { fact: each } of replaced)
      linesOf.set(each.file, (linesOf.get(each.file) ?? new Set()).add(each.place.line));
    for (const each of replaced) {
      const { file, place } = each.fact;
      // Kustomizations in one file can apply the same manifest.
      if (linesOf.get(file)!.size > 1 && each.substitution.name !== null)
        place.field = `${place.field} in ${each.substitution.name.slice(0, 200)}`;
      const comments = annotated.get(JSON.stringify([file, place.line])) ?? [];
      dropped.add(fact);
      // A comment for Renovate can name the source of the variable.
      if (comments.length > 0 && each.fact.origin.type === 'unknown') continue;
      for (const comment of comments) dropped.add(comment);
      const { artifact, version, digest } = each.fact;
      const key = JSON.stringify([file, place.line, itemKey(each.fact), artifact.name, version, digest]);
      added.set(key, each.fact);
    }
  }
  return { added: [...added.values()], dropped };
}

interface Replaced {
  fact: LinkedFact;
  substitution: Substitution;
}

/** Returns a fact whose version isn't known in one cluster, although it is in others. */
function withoutVersion(fact: LinkedFact, { substitution, root }: Instance): Replaced {
  const { template: _template, templateFile, ...rest } = fact;
  const { file, line, document } = substitution;
  const note = `variable of ${templateFile ?? fact.file}${root === file ? '' : `, unknown in ${root}`}`;
  return {
    fact: {
      ...rest,
      state: 'templated',
      reason: fact.reason === 'not_installed' ? fact.reason : 'templated',
      note: note.slice(0, 300),
      file,
      place: { ...fact.place, line, document },
    },
    substitution,
  };
}

function placedLinks<T extends 'flux_kustomization' | 'flux_substitution' | 'flux_variables'>(
  files: readonly ScannedFile[],
  type: T,
): (LinkOf<T> & { file: string })[] {
  return Array.from(linksOf(files, type), ([file, link]) => ({ ...link, file }));
}

/** The value of a variable and its place. A variable can be unset, or be set to a value that isn't known. */
type Looked = { value: string; file: string; line: number; document: number } | 'unset' | 'unknown';
type Lookup = (name: string) => Looked;

/**
 * Returns a fact with the variables replaced, `unknown` if the value of a variable in its version isn't known, or null if
 * nothing sets a variable or the result isn't valid.
 */
function replaceVariables(fact: LinkedFact, lookup: Lookup): LinkedFact | 'unknown' | null {
  const template = fact.template!;
  const name = substitute(template.name, lookup);
  const version = substitute(template.version ?? '', lookup);
  const digest = substitute(template.digest ?? '', lookup);
  const ofVersion = version.variables + digest.variables;
  if (version.isUnknown || digest.isUnknown || (ofVersion === 0 && name.isUnknown)) return 'unknown';
  if (!version.isComplete || !digest.isComplete || (ofVersion === 0 && !name.isComplete)) return null;
  const written = { name: name.text, version: version.text || null, digest: digest.text || null };
  const read = readReplaced(fact, template, written);
  if (!read || read.reason === 'invalid') return null;
  // A variable in the name sets the version if it contains the whole image.
  const isWholeImage =
    template.version === null && template.digest === null && (read.version ?? read.digest) !== null;
  const last = isWholeImage ? name.last : (version.last ?? digest.last);
  const usedDefault = isWholeImage ? name.usedDefault : version.usedDefault || digest.usedDefault;
  const text = [template.name, template.version, template.digest].find((part) => part?.includes('${'))!;
  const expression = (template.version?.includes('${') ? template.version : text).slice(0, 100);
  const note = last
    ? `in ${expression} of ${fact.templateFile ?? fact.file}`
    : `${usedDefault ? 'default value' : 'value'} of ${expression}`;
  const { template: _template, templateFile: _file, ...rest } = fact;
  const { line, document } = last ?? fact.place;
  return {
    ...rest,
    ...read,
    reason: fact.reason === 'not_installed' ? fact.reason : read.reason,
    note: note.slice(0, 300),
    file: last?.file ?? fact.file,
    place: { ...fact.place, line, document },
  };
}

type Read = Pick<
  LinkedFact,
  'artifact' | 'origin' | 'version' | 'state' | 'digest' | 'reason' | 'isOriginCertain'
>;

/** Reads an artifact and its version. The artifact of the fact is kept if its name contains no variables. */
function readReplaced(fact: LinkedFact, template: FluxTemplate, written: FluxTemplate): Read | null {
  const { notation } = template;
  const { version, digest } = written;
  const text = `${written.name}${version === null ? '' : `:${version}`}${digest === null ? '' : `@${digest}`}`;
  const image = notation === undefined ? readWrittenImage(text) : null;
  if (notation === undefined && !image) return null;
  const { origin, isOriginCertain } = fact;
  const own: Read = image
    ? { ...pickVersion(image), artifact: fact.artifact, origin, isOriginCertain }
    : { ...readVersion(version, notation!), digest, artifact: fact.artifact, origin, isOriginCertain };
  if (template.isSourceTemplated) return { ...own, state: 'templated', reason: 'templated' };
  if (!template.name.includes('${')) return own;
  const isNameKnown = !isTemplated(written.name);
  if (fact.artifact.kind === 'image' || image) {
    const parts = image ? splitImageText(text) : { name: written.name, tag: version, digest };
    const named = readImage(parts);
    const isOpen = fact.place.field.startsWith('spec.values') && named.origin.type === 'oci';
    // The chart of a release can add a registry to an image in its values.
    const isGuessed = named.isOriginGuessed === true || (isOpen && !hasRegistryHost(parts.name));
    const last = named.artifact.name.slice(named.artifact.name.lastIndexOf('/') + 1);
    const isDefault = fact.place.field.startsWith('spec.values') && parts.tag === null && isNameKnown;
    return {
      ...own,
      ...(isNameKnown ? {} : { version: named.version, state: named.state, reason: named.reason }),
      ...(isDefault && own.state === 'floating' && { reason: 'chart_default' as const }),
      artifact: fact.artifact.kind === 'chart' ? { kind: 'chart', name: last } : named.artifact,
      origin: named.origin,
      isOriginCertain: !isGuessed,
    };
  }
  const isInReference = origin.type === 'oci' && origin.reference.endsWith(fact.artifact.name);
  return {
    ...own,
    ...(!isNameKnown && { state: 'templated' as const, reason: 'templated' as const }),
    artifact: { ...fact.artifact, name: written.name },
    origin:
      fact.artifact.kind === 'git' && isNameKnown
        ? { type: 'git', url: written.name }
        : isInReference
          ? {
              type: 'oci',
              reference: origin.reference.slice(0, -fact.artifact.name.length) + written.name,
            }
          : origin,
  };
}

function pickVersion({
  version,
  state,
  digest,
  reason,
}: Omit<Read, 'artifact' | 'origin' | 'isOriginCertain'>) {
  return { version, state, digest, reason };
}

interface Substituted {
  text: string;
  /** Number of variables in the text. */
  variables: number;
  /** True if every variable was replaced. */
  isComplete: boolean;
  /** True if a variable has a value that isn't known. */
  isUnknown: boolean;
  usedDefault: boolean;
  /** The last variable with a value. */
  last: Exclude<Looked, string> | null;
}

/** Maximum number of characters of a text whose variables are replaced, before and after. */
const maxLength = 2_000;

/** Maximum depth of variables in the default values of variables. */
const maxNested = 3;

/**
 * Replaces `${NAME}` and `${NAME:=default}` as Flux does. Unlike in shells, `$NAME` isn't a variable. Flux replaces a
 * variable without a value by nothing, which is never meant, so such a variable stays as written.
 */
function substitute(written: string, lookup: Lookup): Substituted {
  const result: Substituted = {
    text: written,
    variables: 0,
    isComplete: true,
    isUnknown: false,
    usedDefault: false,
    last: null,
  };
  if (!written.includes('${')) return result;
  for (let depth = 0; depth < maxNested && result.text.length <= maxLength; depth++)
    result.text = result.text.replaceAll(variable, (whole, escape: string, name: string, sign, value) => {
      if (escape !== '') return whole;
      result.variables++;
      const looked = lookup(name);
      if (looked === 'unknown') {
        result.isUnknown = true;
        return whole;
      }
      if (looked !== 'unset' && (looked.value !== '' || !sign?.startsWith(':'))) {
        result.last = looked;
        return looked.value;
      }
      if (sign === undefined) return whole;
      result.usedDefault = true;
      return value;
    });
  result.isComplete = !result.text.includes('${') && result.text.length <= maxLength;
  result.variables = Math.max(1, result.variables);
  return result;
}

/** Matches a variable. Two dollar signs begin a text that Flux doesn't replace. */
const variable = /(\$?)\$\{([A-Za-z_]\w*)(?:(:?[-=])([^{}]*))?\}/g;

/** Returns the Kustomizations of each cluster. One with only its own variables is the same in all clusters. */
function instancesOf(
  substitutions: readonly Substitution[],
  all: readonly (LinkOf<'flux_kustomization'> & { file: string })[],
  filesAppliedBy: (path: string) => ReadonlySet<string>,
  budget: { left: number },
): Instance[] {
  const applied = new Set(all.map(({ file }) => file));
  const parents = new Map<string, Set<string>>();
  if (substitutions.some(({ sources }) => sources.length > 0))
    for (const { file, path } of all)
      for (const each of filesAppliedBy(path)) {
        if (each === file || !applied.has(each)) continue;
        const known = parents.get(each) ?? new Set();
        parents.set(each, known.add(file));
      }
  const known = new Map<string, readonly string[]>();
  const rootsOf = (file: string): readonly string[] => {
    const above = new Set([file]);
    for (const each of above)
      for (const parent of parents.get(each) ?? []) {
        if (budget.left-- <= 0) return [file];
        above.add(parent);
      }
    const roots = [...above].filter((each) => !parents.has(each)).slice(0, maxClusters);
    return roots.length > 0 ? roots : [file];
  };
  return substitutions.flatMap((substitution) => {
    const { file, sources } = substitution;
    const roots = sources.length === 0 ? [file] : (known.get(file) ?? rootsOf(file));
    if (sources.length > 0) known.set(file, roots);
    return roots.map((root) => ({ substitution, root }));
  });
}

/** Returns a function that looks up the variables of a Kustomization. */
function createLookup(
  instances: readonly Instance[],
  objects: readonly Variables[],
  budget: { left: number },
): (instance: Instance) => Lookup {
  const byName = Map.groupBy(objects, ({ kind, name }) => JSON.stringify([kind, name]));
  const namedIndex = new Map<string, ObjectIndex>();
  /** Returns the objects with a name that a Kustomization in a namespace can mean. */
  const indexOf = (named: string, namespace: string | null): ObjectIndex => {
    const key = JSON.stringify([named, namespace]);
    const known = namedIndex.get(key);
    if (known) return known;
    const all = byName.get(named) ?? [];
    const inNamespace = Map.groupBy(all, (each) => each.namespace);
    budget.left -= all.length;
    // A kustomization can set a namespace that the file of an object doesn't contain.
    const fitting = inNamespace.get(namespace) ?? (namespace === null ? all : (inNamespace.get(null) ?? []));
    const index = indexObjects(fitting);
    namedIndex.set(key, index);
    return index;
  };
  const groupOf = groupInstances(instances);
  const find = (kind: string, name: string, instance: Instance): Variables | null => {
    const { namespace } = instance.substitution;
    return findNearest(indexOf(JSON.stringify([kind, name]), namespace), groupOf(instance), instance, budget);
  };
  return (instance) => {
    const own = instance.substitution;
    const set = new Map<string, Looked>();
    const add = ({ file, document, variables }: Pick<Variables, 'file' | 'document' | 'variables'>) => {
      budget.left -= variables.length;
      for (const [name, value, line] of variables)
        if (!set.has(name)) set.set(name, value === null ? 'unknown' : { value, file, line, document });
    };
    add(own);
    let isComplete = true;
    for (const { kind, name } of own.sources.toReversed()) {
      const object = budget.left > 0 ? find(kind, name, instance) : null;
      // An object that isn't in the repository can override the variables of the earlier ones.
      if (!object) {
        isComplete = false;
        break;
      }
      add(object);
    }
    return (name) => set.get(name) ?? (isComplete ? 'unset' : 'unknown');
  };
}

/**
 * Objects with the same name. For each directory, the number of objects in and below it, and the sum of their indexes,
 * which identifies a single object.
 */
interface ObjectIndex {
  objects: readonly Variables[];
  below: ReadonlyMap<string, Counted>;
  /** The objects that belong to each directory, for each group of Kustomizations. */
  known: Map<InstanceGroup, Map<string, Counted>>;
}

interface Counted {
  count: number;
  sum: number;
}

/** The directories of Kustomizations with the same name, and those above them, each with the ones in it. */
type InstanceGroup = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the directory of a file and those above it. Files in the root of the repository are nearer to each other. */
function directoriesOf(file: string): string[] {
  const found = [directoryOf(file)];
  for (let at = directoryOf(found[0]!); at !== ''; at = directoryOf(at)) found.push(at);
  return [...found, '/'];
}

function indexObjects(objects: readonly Variables[]): ObjectIndex {
  const below = new Map<string, Counted>();
  for (const [index, { file }] of objects.entries())
    for (const directory of directoriesOf(file)) {
      const counted = below.get(directory) ?? { count: 0, sum: 0 };
      below.set(directory, { count: counted.count + 1, sum: counted.sum + index });
    }
  return { objects, below, known: new Map() };
}

/** Returns a function that returns the Kustomizations with the same name as one of them. */
function groupInstances(instances: readonly Instance[]): (instance: Instance) => InstanceGroup {
  const groups = new Map<string, Map<string, Set<string>>>();
  const nameOf = ({ substitution: { namespace, name } }: Instance) => JSON.stringify([namespace, name]);
  for (const instance of instances) {
    const group = groups.get(nameOf(instance)) ?? new Map<string, Set<string>>();
    groups.set(nameOf(instance), group);
    for (const file of new Set([instance.substitution.file, instance.root])) {
      const directories = directoriesOf(file);
      for (const [at, directory] of directories.entries()) {
        const inside = group.get(directory) ?? new Set();
        if (at > 0) inside.add(directories[at - 1]!);
        group.set(directory, inside);
      }
    }
  }
  return (instance) => groups.get(nameOf(instance))!;
}

/**
 * Returns the object nearest to a Kustomization or to the root of its cluster. An object belongs to the nearest directory
 * above it that contains a Kustomization of the group, so an object that is nearer to another cluster isn't found.
 *
 * @returns Null if several objects are equally near.
 */
function findNearest(
  index: ObjectIndex,
  group: InstanceGroup,
  { substitution, root }: Instance,
  budget: { left: number },
): Variables | null {
  const known = index.known.get(group) ?? new Map<string, Counted>();
  index.known.set(group, known);
  const countIn = (directory: string): Counted => {
    const cached = known.get(directory);
    if (cached) return cached;
    const inside = group.get(directory) ?? new Set<string>();
    budget.left -= 1 + inside.size;
    const counted = { ...(index.below.get(directory) ?? { count: 0, sum: 0 }) };
    for (const each of inside) {
      counted.count -= index.below.get(each)?.count ?? 0;
      counted.sum -= index.below.get(each)?.sum ?? 0;
    }
    known.set(directory, counted);
    return counted;
  };
  const nearest = new Map<string, number>();
  for (const file of [substitution.file, root]) {
    const directories = directoriesOf(file);
    const at = directories.findIndex((directory) => countIn(directory).count > 0);
    if (at >= 0) nearest.set(directories[at]!, directories.length - at);
  }
  const depth = Math.max(...nearest.values());
  const found = [...nearest].flatMap(([directory, each]) => (each === depth ? countIn(directory) : []));
  const [only] = found;
  return found.length === 1 && only!.count === 1 ? index.objects[only!.sum]! : null;
}

/** Returns a function that returns those of the given files that a Kustomization with some paths applies. */
function createReach(
  files: readonly ScannedFile[],
  relevant: ReadonlySet<string>,
  budget: { left: number },
): (paths: readonly string[]) => ReadonlySet<string> {
  const kustomizations = new Map<string, { file: string; targets: string[] }>();
  for (const { path, links } of files)
    for (const link of links) {
      if (link.type !== 'kustomization' || !/(?:^|\/)kustomization(?:\.ya?ml)?$/i.test(path)) continue;
      const directory = directoryOf(path);
      const written = [...link.resources, ...link.patchFiles.map((patch) => patch.path)];
      const targets = written.flatMap((each) => resolvePath(directory, each) ?? []);
      kustomizations.set(directory, { file: path, targets });
    }
  const sorted = [...new Set([...relevant, ...kustomizations.keys()])].toSorted(byCodeUnits);
  const known = new Map<string, ReadonlySet<string>>();
  /** Returns the files below a directory without a kustomization, for which Flux creates one. */
  const listBelow = (root: string): string[] => {
    const targets = new Set<string>();
    const prefix = root === '' ? '' : `${root}/`;
    for (let index = firstAt(sorted, prefix); sorted[index]?.startsWith(prefix); index++) {
      const path = sorted[index]!;
      budget.left--;
      let target = path;
      // The kustomization of a directory decides about everything below the directory.
      for (let at = directoryOf(path); at !== root && at !== '' && budget.left > 0; at = directoryOf(at)) {
        budget.left--;
        if (kustomizations.has(at)) target = at;
      }
      targets.add(target);
    }
    return [...targets];
  };
  const visit = (root: string): ReadonlySet<string> => {
    const cached = known.get(root);
    if (cached) return cached;
    const found = new Set<string>();
    known.set(root, found);
    const visited = new Set<string>();
    const pending = kustomizations.has(root) ? [root] : listBelow(root);
    for (let next = pending.pop(); next !== undefined && budget.left > 0; next = pending.pop()) {
      budget.left--;
      if (visited.has(next)) continue;
      visited.add(next);
      if (relevant.has(next)) found.add(next);
      const own = kustomizations.get(next);
      if (own) pending.push(own.file, ...own.targets);
    }
    return found;
  };
  return (paths) => {
    const found = new Set<string>();
    for (const path of paths) {
      const root = isTemplated(path) ? null : resolvePath('', path);
      if (root === null) continue;
      const below = visit(root);
      budget.left -= below.size + 1;
      if (budget.left < 0) return new Set();
      for (const file of below) found.add(file);
    }
    return found;
  };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Returns the position of the first text in a sorted list that isn't before the given text. */
function firstAt(sorted: readonly string[], text: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
