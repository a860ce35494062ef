import type { Configuration, Entry, Place, Remark } from './configuration-entries.ts';
import type { Item } from './json-item.ts';
import type { Kind, Section } from './kinds.ts';

/** The configuration of an organization as the server has it. */
export interface ServerState {
  /** Own things by ascending id, which is the order in which they were made. */
  own: Record<Section, Item[]>;
  /** Jobs that the operator offers to all. */
  global: Record<Section, Item[]>;
  /** Values that the organization has overridden; templates stand in `templates`. */
  settings: Map<string, unknown>;
  /** Every key that there is. */
  settingKeys: string[];
  templates: Map<string, string>;
}

/** What a reference leads to: a thing that is there, or one that the file makes. */
export type Target = { id: number } | { entry: Entry };

/** A member for the API; references get their ids when everything before them is made. */
export interface MemberValue {
  member: string;
  value: unknown;
  targets: Target | Target[] | null;
}

/** A member that changes. What is shown holds no secret. */
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
      /** It compares what something else compares until that is changed. */
      isLate?: boolean;
    })
  | (ThingStep & {
      action: 'update';
      entry: Entry;
      id: number;
      /** All that the entry wants, and what of it differs. */
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
  | { action: 'set'; key: string; value: unknown; target: Target | null; changes: Change[] }
  | { action: 'unset'; key: string }
  | { action: 'set-template'; category: string; body: string; changes: Change[] }
  | { action: 'unset-template'; category: string }
  | { action: 'set-version'; entry: Entry; version: string; changes: Change[] };

export interface Plan {
  /** In the order in which they are done. */
  steps: Step[];
  /** Ids of entries that are there already. */
  ids: Map<Entry, number>;
  unchanged: number;
  notes: Remark[];
}

export interface PlanOptions {
  /** Deletes what the server has and the file has not, in the sections that the file has. */
  prune: boolean;
  /** Writes secrets although nobody can tell whether they are other ones. */
  updateSecrets: boolean;
  /** The members of an entry in the file, in the order in which they are written, with their schemas. */
  fieldsOf(section: Section): readonly [string, Item][];
}

/** A plan that is being made: what is asked, and what was found so far. */
export interface Draft {
  wanted: Configuration;
  state: ServerState;
  options: PlanOptions;
  /** Entries of the file, and things of the server, by their names. */
  named: NamedThings;
  /** What is wrong; with one of these, nothing is done. */
  problems: Remark[];
  notes: Remark[];
  ids: Map<Entry, number>;
  /** Things of the server that are in the file. */
  kept: Set<Item>;
  /** Things of the server that the file names and does not hold: `rules/7`. */
  referred: Set<string>;
  unchanged: number;
}

export interface NamedThings {
  entries(section: Section, name: string): readonly Entry[];
  own(section: Section, name: string): readonly Item[];
  global(section: Section, name: string): readonly Item[];
  /** An own or global thing by its id. */
  byId(section: Section, id: unknown): Item | undefined;
}

/** Looks things up by name and id in a time that does not grow with their number. */
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
    byId: (section, id) => ids(section).get(id),
  };
}

export function addProblem(draft: Draft, { section, index }: Place, message: string): void {
  draft.problems.push({ section, index, message });
}
