import { isInventory, isVariablesOfHosts } from './ansible-paths.ts';
import type { LinkedFact, LinkOf } from './link-facts.ts';
import { push } from './push.ts';
import { baseOf, directoriesAbove, directoryOf } from './repository-path.ts';

type Uses = LinkOf<'ansible_uses'>;

/** A role in the repository. */
interface Role {
  /** Path after `roles/`, such as `web` or `apps/web`. */
  name: string;
  directory: string;
}

/**
 * Finds the versions in roles that no playbook uses, in task files that their role doesn't include, and in
 * variables that only these files refer to. A name that comes from a variable can be that of any role or
 * file, so in that case, all roles or files count as used.
 *
 * @param paths Paths of all files.
 * @returns The unused facts, each with a note that says why it isn't deployed.
 */
export function findUnusedAnsibleFacts(
  facts: readonly LinkedFact[],
  links: Iterable<readonly [path: string, link: Uses]>,
  paths: readonly string[],
): ReadonlyMap<LinkedFact, string> {
  const uses = new Map<string, Uses>(links);
  const unused = new Map<LinkedFact, string>();
  if (![...uses.values()].some(({ isPlay }) => isPlay)) return unused;
  const roles = findRoles(paths);
  const roleOf = createRoleFinder(roles);
  const live = usedRoles(roles, uses, roleOf);
  const deadFiles = new Map<string, string>();
  if (live !== null)
    for (const path of paths) {
      const role = roleOf(path);
      if (role && !live.has(role))
        deadFiles.set(path, `no playbook uses the role ${role.name}`.slice(0, 300));
    }
  for (const path of unusedTaskFiles(roles, uses, paths, roleOf, deadFiles))
    deadFiles.set(path, 'no task of the role includes this file');
  if (deadFiles.size === 0) return unused;
  const inDead = new Set<string>();
  const inLive = new Set<string>();
  for (const [path, { variables }] of uses)
    for (const name of variables) (deadFiles.has(path) ? inDead : inLive).add(name);
  const isAnyVariableUsed = [...uses].some(([path, each]) => each.hasOpenVariables && !deadFiles.has(path));
  for (const fact of facts) {
    if (fact.extractor !== 'ansible' && fact.extractor !== 'commands' && !fact.file.endsWith('.j2')) continue;
    const note = deadFiles.get(fact.file);
    if (note !== undefined) unused.set(fact, note);
    else if (!isAnyVariableUsed && isVariables(fact.file)) {
      const [variable = ''] = fact.place.field.split(/[.[]/, 1);
      if (inDead.has(variable) && !inLive.has(variable))
        unused.set(fact, `no task in use refers to ${variable}`.slice(0, 300));
    }
  }
  return unused;
}

function isVariables(path: string): boolean {
  return isInventory(path) || /(?:^|\/)(?:defaults|vars)\//.test(path);
}

const directoriesOfRoles: ReadonlySet<string> = new Set([
  'tasks',
  'defaults',
  'vars',
  'handlers',
  'templates',
  'files',
  'meta',
]);

/** Returns the role that contains a file, judging by its path, such as `roles/apps/web/tasks/main.yml`. */
export function roleOfPath(path: string): Role | null {
  const segments = path.split('/');
  const start = segments.lastIndexOf('roles') + 1;
  if (start === 0) return null;
  // The last segment is the file, and the first one after `roles` belongs to the name of the role.
  for (let at = start + 1; at < segments.length - 1; at++)
    if (directoriesOfRoles.has(segments[at]!))
      return {
        name: segments.slice(start, at).join('/'),
        directory: segments.slice(0, at).join('/'),
      };
  return null;
}

/**
 * Returns the roles with a main task file. The roles of a collection are omitted, because other repositories
 * can use them, unless the collection contains an inventory of its own, which its playbooks deploy to.
 */
function findRoles(paths: readonly string[]): Role[] {
  const inventories = paths.filter(
    (path) => isVariablesOfHosts(path) && !/(?:^|\/)(?:roles\/|[^/]*(?:sample|example))/i.test(path),
  );
  const withInventory = new Set(inventories.flatMap(directoriesAbove));
  const collections = new Set(
    paths
      .filter((path) => /(?:^|\/)galaxy\.yml$/.test(path))
      .map(directoryOf)
      .filter((directory) => !withInventory.has(directory)),
  );
  return paths.flatMap((path) => {
    if (!/\/tasks\/main\.ya?ml$/.test(path)) return [];
    const role = roleOfPath(path);
    return role === null || directoriesAbove(path).some((each) => collections.has(each)) ? [] : [role];
  });
}

function createRoleFinder(roles: readonly Role[]): (path: string) => Role | null {
  const byDirectory = new Map(roles.map((role) => [role.directory, role]));
  return (path) => {
    const role = roleOfPath(path);
    return (role && byDirectory.get(role.directory)) ?? null;
  };
}

/** Returns the roles that playbooks use, directly or through other roles, or null if that isn't known. */
function usedRoles(
  roles: readonly Role[],
  uses: ReadonlyMap<string, Uses>,
  roleOf: (path: string) => Role | null,
): ReadonlySet<Role> | null {
  const usesOfRole = new Map<Role, Uses[]>();
  const waiting: Uses[] = [];
  for (const [path, each] of uses) {
    if (each.hasOpenRoles) return null;
    const role = roleOf(path);
    if (role === null) waiting.push(each);
    else {
      push(usesOfRole, role, each);
    }
  }
  const byName = Map.groupBy(roles, ({ name }) => baseOf(name));
  const live = new Set<Role>();
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    const words = [
      ...each.names.flatMap(possibleRoleNames),
      ...each.files.flatMap((path) => path.split('/')),
    ];
    for (const role of words.flatMap((word) => byName.get(word) ?? [])) {
      if (live.has(role)) continue;
      live.add(role);
      waiting.push(...(usesOfRole.get(role) ?? []));
    }
  }
  // If playbooks use less than half of the roles in a directory, something outside the repository probably uses the
  // others.
  const directoryOfRoles = ({ name, directory }: Role) => directory.slice(0, -name.length);
  for (const group of Map.groupBy(roles, directoryOfRoles).values())
    if (group.filter((role) => live.has(role)).length * 2 < group.length)
      for (const role of group) live.add(role);
  return live;
}

/**
 * Returns the names by which a repository can contain the role: the given name, its last segment, and the part
 * after the name of a collection.
 */
function possibleRoleNames(name: string): string[] {
  return [name, baseOf(name), name.slice(name.lastIndexOf('.') + 1)];
}

/** Maximum number of comparisons of paths in one scan. Real repositories need a few thousand. */
const maxComparisons = 2_000_000;

/**
 * Yields the task files that no file in use includes. Beyond the maximum number of comparisons, all files count as used.
 */
function* unusedTaskFiles(
  roles: readonly Role[],
  uses: ReadonlyMap<string, Uses>,
  paths: readonly string[],
  roleOf: (path: string) => Role | null,
  deadFiles: ReadonlyMap<string, string>,
): Generator<string, void> {
  const inRole = Map.groupBy(paths, roleOf);
  const mentions = mentionedPaths(uses, roleOf);
  const isOpenOutside = [...uses].some(([path, each]) => roleOf(path) === null && each.hasOpenFiles);
  if (isOpenOutside) return;
  let left = maxComparisons;
  for (const role of roles) {
    const own = inRole.get(role) ?? [];
    const isTasks = (path: string) => path.startsWith(`${role.directory}/tasks/`);
    const isEntry = (path: string) => !isTasks(path) || /\/tasks\/main\.ya?ml$/.test(path);
    const isNamedElsewhere = (path: string) =>
      (mentions.get(baseOf(path)) ?? []).some(
        ({ mention, by }) => left-- <= 0 || (by !== role && isEndOf(mention, path)),
      );
    const live = new Set(own.filter((path) => isEntry(path) || isNamedElsewhere(path)));
    const rest = new Set(own.filter((path) => !live.has(path)));
    const byName = Map.groupBy(rest, baseOf);
    let isOpen = false;
    for (const path of live) {
      const each = uses.get(path);
      isOpen ||= each?.hasOpenFiles === true;
      for (const file of each?.files ?? [])
        for (const candidate of byName.get(baseOf(file)) ?? []) {
          if (left-- <= 0) return;
          if (!rest.has(candidate) || !isEndOf(file, candidate)) continue;
          rest.delete(candidate);
          live.add(candidate);
        }
    }
    if (!isOpen) for (const path of rest) if (!deadFiles.has(path)) yield path;
  }
}

/**
 * Returns the paths in `uses` that contain a directory, grouped by their last segment, each with the role of
 * the file that refers to it.
 */
function mentionedPaths(
  uses: ReadonlyMap<string, Uses>,
  roleOf: (path: string) => Role | null,
): ReadonlyMap<string, readonly { mention: string; by: Role | null }[]> {
  const mentions = [...uses].flatMap(([path, { files }]) => {
    const by = roleOf(path);
    return files.filter((each) => each.includes('/')).map((mention) => ({ mention, by }));
  });
  return Map.groupBy(mentions, ({ mention }) => baseOf(mention));
}

/** True if a path ends with the given relative path. */
function isEndOf(relative: string, path: string): boolean {
  const end = relative.replace(/^(?:\.{0,2}\/)+/, '');
  return path === end || path.endsWith(`/${end}`);
}
