import { rootOfInventory } from './ansible-paths.ts';
import type { AnsiblePlay, PlayVariable } from './ansible-plays.ts';
import type { InventoryValue } from './fact.ts';
import { roleOfPath } from './link-ansible-uses.ts';
import type { LinkOf } from './link-facts.ts';
import { push } from './push.ts';
import { baseOf, directoryOf, resolvePath } from './repository-path.ts';

/** Maximum number of comparisons of plays, roles, and inventories. Real repositories need a few thousand. */
const maxChecks = 2_000_000;

/**
 * Plays that set a variable of a role: all plays that use the role, some of them, or unknown ones, because a play loads
 * files of variables whose names aren't known. Null if no play is known to use the role.
 */
export type PlaySetting = 'all' | 'some' | 'unknown' | null;

interface PlacedPlay {
  play: AnsiblePlay | null;
  file: string;
}

/** A variable that a play sets, with its file. */
export interface PlacedVariable extends InventoryValue {
  file: string;
}

/**
 * Indexes the plays of a repository by the roles that they use, directly or through other roles.
 *
 * @param options.variables Variables of inventories, each with its file.
 * @param options.installations Directories of inventories.
 * @param options.namesIn Returns the variables in a file that a play loads, or null if they aren't known.
 */
export function createPlays(
  uses: Iterable<readonly [path: string, link: LinkOf<'ansible_uses'>]>,
  {
    variables,
    installations,
    namesIn,
  }: {
    variables: Iterable<InventoryValue & { file: string }>;
    installations: readonly string[];
    namesIn: (file: string) => ReadonlySet<string> | null;
  },
) {
  const direct = new Map<string, PlacedPlay[]>();
  /** Names of the roles that can use each role. */
  const users = new Map<string, string[]>();
  const words: [names: readonly string[], role: string][] = [];
  const roles = new Set<string>();
  for (const [file, { isPlay, plays, names }] of uses) {
    const role = roleOfPath(file);
    if (role !== null) {
      roles.add(baseOf(role.name));
      words.push([names, baseOf(role.name)]);
    } else if (isPlay && plays === null)
      for (const name of new Set(names.map(lastPart))) push(direct, name, { play: null, file });
    else
      for (const play of plays ?? [])
        for (const name of new Set(play.roles.map(lastPart))) push(direct, name, { play, file });
  }
  for (const [names, role] of words)
    for (const name of new Set(names.map(lastPart)))
      if (name !== role && roles.has(name)) push(users, name, role);
  const rootsByGroup = new Map<string, Set<string>>();
  for (const variable of variables) {
    const group = groupOf(variable);
    if (group === null) continue;
    const key = JSON.stringify([variable.name, group]);
    rootsByGroup.set(key, (rootsByGroup.get(key) ?? new Set()).add(rootOfInventory(variable.file)));
  }
  const known = new Map<string, readonly PlacedPlay[]>();
  let left = maxChecks;

  return {
    /** Returns the plays that set one of the variables, which have the same purpose, for a role. */
    settingOf(role: string, names: readonly string[]): PlaySetting {
      const plays = playsOf(role);
      if (plays.length === 0) return null;
      const results = new Set(plays.map((each) => resultOf(each, role, names)));
      if (left < 0) return 'unknown';
      if (results.has('unset')) return 'some';
      return results.has('unknown') ? 'unknown' : 'all';
    },
    /** Yields the variables with a name that plays set for a role. */
    *variablesOf(role: string, name: string): Generator<PlacedVariable, void> {
      for (const { play, file } of playsOf(role))
        for (const variable of play?.variables ?? [])
          if (variable.name === name && isFor(variable, role))
            yield { ...variable, file, field: name, isOfOneHost: false };
    },
  };

  /** Returns the plays that use a role. */
  function playsOf(role: string): readonly PlacedPlay[] {
    const before = known.get(role);
    if (before) return before;
    const found = new Set<PlacedPlay>();
    const seen = new Set([role]);
    const waiting = [role];
    for (let name = waiting.pop(); name !== undefined && left > 0; name = waiting.pop()) {
      for (const play of direct.get(name) ?? []) found.add(play);
      for (const user of users.get(name) ?? []) {
        left--;
        if (!seen.has(user)) waiting.push(user);
        seen.add(user);
      }
    }
    known.set(role, [...found]);
    return [...found];
  }

  function resultOf(
    { play, file }: PlacedPlay,
    role: string,
    names: readonly string[],
  ): 'set' | 'unset' | 'unknown' {
    if (play === null) return 'unknown';
    left -=
      play.variables.length + play.files.length + play.hosts.length * names.length * installations.length;
    if (left < 0) return 'unknown';
    if (play.variables.some((each) => names.includes(each.name) && isFor(each, role))) return 'set';
    let isOpen = play.hasOpenFiles;
    for (const path of play.files) {
      const target = resolvePath(directoryOf(file), path);
      const inFile = target === null ? null : namesIn(target);
      if (names.some((name) => inFile?.has(name))) return 'set';
      isOpen ||= inFile === null;
    }
    const isSet = (host: string) =>
      installations.length > 0 &&
      installations.every((root) =>
        names.some((name) => isSetIn(root, name, host) || isSetIn(root, name, 'all')),
      );
    // The files of a group can be those that the play loads by the name of an environment.
    if (isOpen || play.hosts.some((host) => host.includes('{{'))) return 'unknown';
    return play.hosts.length > 0 && play.hosts.every(isSet) ? 'set' : 'unset';
  }

  function isSetIn(root: string, name: string, group: string): boolean {
    const roots = rootsByGroup.get(JSON.stringify([name, group]));
    for (let at = root; roots !== undefined; at = directoryOf(at)) {
      if (roots.has(at)) return true;
      if (at === '') return false;
    }
    return false;
  }
}

function isFor(variable: PlayVariable, role: string): boolean {
  return variable.role === null || lastPart(variable.role) === role;
}

/** Returns the name of a role without its collection and its directories. */
function lastPart(name: string): string {
  return baseOf(name).slice(baseOf(name).lastIndexOf('.') + 1);
}

/** Returns the group for which an inventory sets a variable, or null if that isn't known. */
function groupOf({ file, field, isOfOneHost, group }: InventoryValue & { file: string }): string | null {
  if (isOfOneHost) return null;
  const ofPath = /(?:^|\/)group_vars\/([^/]+?)(?:\.ya?ml)?(?:\/|$)/.exec(file)?.[1];
  return group ?? ofPath ?? /(?:^|\.)([^.]+)\.vars\.[^.]+$/.exec(field)?.[1] ?? null;
}
