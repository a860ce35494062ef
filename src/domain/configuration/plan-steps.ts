import type { Item } from '../json/json-item.ts';
import type { Configuration, Entry, Place, Remark } from './configuration-entries.ts';
import type { Kind, Section } from './kinds.ts';

/** The stored configuration of an organization. */
export interface ServerState {
  /** Resources of the organization by ascending ID, which is the order in which they were created. */
  own: Record<Section, Item[]>;
  /** Global jobs. */
  global: Record<Section, Item[]>;
  /** Overrides of the organization. Templates are in `templates`. */
  settings: Map<string, unknown>;
  /** All setting keys. */
  settingKeys: string[];
  templates: Map<string, string>;
}

/** The target of a reference: an existing resource, or one that the file creates. */
export type Target = { id: number } | { entry: Entry };

/** A field for the API. References are replaced by IDs once everything before them is created. */
export interface MemberValue {
  member: string;
  value: unknown;
  targets: Target | Target[] | null;
}

/** A field that changes. The displayed values contain no secrets. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

interface ThingStep {
  kind: Kind;
  name: string;
}

export type Step =
  | (ThingStep & {
      action: 'create';
      entry: Entry;
      members: MemberValue[];
      changes: Change[];
      /** Another configuration has the same comparison until that one is updated. */
      isLate?: boolean;
    })
  | (ThingStep & {
      action: 'update';
      entry: Entry;
      id: number;
      /** All fields of the entry, and those that differ. */
      members: MemberValue[];
      differing: MemberValue[];
      changes: Change[];
    })
  | (ThingStep & { action: 'delete'; id: number })
  /** A gather job that a helm sync job will feed once it finds the chart. */
  | (ThingStep & {
      action: 'await';
      entry: Entry;
      sync: Target;
      chart: string;
      members: MemberValue[];
      changes: Change[];
    })
  /** A scrape job for an item of a discovery job, which the next scan finds if none has yet. */
  | (ThingStep & {
      action: 'follow';
      entry: Entry;
      job: Target;
      item: { key: string; discriminator: string };
      members: MemberValue[];
      changes: Change[];
    })
  | { action: 'set'; key: string; value: unknown; target: Target | null; changes: Change[] }
  | { action: 'unset'; key: string }
  | { action: 'set-template'; category: string; body: string; changes: Change[] }
  | { action: 'unset-template'; category: string }
  | { action: 'set-version'; entry: Entry; version: string; changes: Change[] };

export interface Plan {
  /** In execution order. */
  steps: Step[];
  /** IDs of entries that already exist. */
  ids: Map<Entry, number>;
  unchanged: number;
  notes: Remark[];
}

export interface PlanOptions {
  /** Deletes resources that aren't in the file, in sections that the file includes. */
  prune: boolean;
  /** Writes secrets even though they can't be compared with the stored ones. */
  updateSecrets: boolean;
  /** The fields of an entry, in the order in which they are written, with their schemas. */
  fieldsOf(section: Section): readonly [string, Item][];
}

/** A plan under construction: the input, and the results so far. */
export interface Draft {
  wanted: Configuration;
  state: ServerState;
  options: PlanOptions;
  /** Entries of the file and resources of the server, by name. */
  named: NamedThings;
  /** Problems. If there are any, nothing is changed. */
  problems: Remark[];
  notes: Remark[];
  ids: Map<Entry, number>;
  /** Resources of the server that are in the file. */
  kept: Set<Item>;
  /** Resources that the file references but doesn't contain: `rules/7`. */
  referred: Set<string>;
  unchanged: number;
}

export interface NamedThings {
  entries(section: Section, name: string): readonly Entry[];
  own(section: Section, name: string): readonly Item[];
  global(section: Section, name: string): readonly Item[];
  /** Names in the file and of the organization, or of global resources. */
  names(section: Section, isGlobal: boolean): readonly string[];
  /** A resource of the organization or a global one, by ID. */
  byId(section: Section, id: unknown): Item | undefined;
}

/** Looks up resources by name and ID in constant time. */
export function indexNames(wanted: Configuration, state: ServerState): NamedThings {
  const none: readonly never[] = [];
  const cached = <Value>(make: (section: Section) => Value) => {
    const made = new Map<Section, Value>();
    return (section: Section): Value => {
      const found = made.get(section) ?? make(section);
      made.set(section, found);
      return found;
    };
  };
  const byName = (items: readonly Item[]) => Map.groupBy(items, (item) => item['name']);
  const entries = cached((section) => Map.groupBy(wanted.entries[section] ?? [], ({ name }) => name));
  const own = cached((section) => byName(state.own[section]));
  const global = cached((section) => byName(state.global[section]));
  const ids = cached(
    (section) => new Map([...state.global[section], ...state.own[section]].map((item) => [item['id'], item])),
  );
  return {
    entries: (section, name) => entries(section).get(name) ?? none,
    own: (section, name) => own(section).get(name) ?? none,
    global: (section, name) => global(section).get(name) ?? none,
    names: (section, isGlobal) =>
      isGlobal
        ? [...global(section).keys()].map(String)
        : [...entries(section).keys(), ...[...own(section).keys()].map(String)],
    byId: (section, id) => ids(section).get(id),
  };
}

export function addProblem(draft: Draft, { section, index }: Place, message: string, field?: string): void {
  draft.problems.push({ section, index, message, ...(field !== undefined && { field }) });
}
