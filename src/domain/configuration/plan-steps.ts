import type { Item } from '../json/json-item.ts';
import type { Configuration, DocumentLocation, Entry, LocatedMessage } from './configuration-entries.ts';
import type { ResourceKind, Section } from './kinds.ts';

/** Stored configuration of an organization. */
export interface ServerState {
  /** Resources of the organization in ascending ID order, which is the order of their creation. */
  own: Record<Section, Item[]>;
  /** Global jobs. */
  global: Record<Section, Item[]>;
  /** Setting overrides of the organization, without templates, which are in `templates`. */
  settings: Map<string, unknown>;
  /** Keys of the settings that organizations can override. */
  settingKeys: string[];
  /** Values of the settings that only the operator can change. */
  operatorSettings: Map<string, unknown>;
  templates: Map<string, string>;
}

/** Target of a reference: an existing resource, or one that the file creates. */
export type Target = { id: number } | { entry: Entry };

/** Field of an API request. References are replaced by IDs once their targets have been created. */
export interface FieldValue {
  member: string;
  value: unknown;
  targets: Target | Target[] | null;
}

/** Change of a field. Its displayed values contain no secrets. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

interface ResourceStep {
  kind: ResourceKind;
  name: string;
}

export type Step =
  | (ResourceStep & {
      action: 'create';
      entry: Entry;
      members: FieldValue[];
      changes: Change[];
      /**
       * True if this step must run after the update of another configuration, which has the same comparison until then.
       */
      isLate?: boolean;
    })
  | (ResourceStep & {
      action: 'update';
      entry: Entry;
      id: number;
      /** All fields of the entry. `differing` contains only the changed ones. */
      members: FieldValue[];
      differing: FieldValue[];
      changes: Change[];
    })
  | (ResourceStep & { action: 'delete'; id: number })
  /** Settings for a gather job that a helm sync job creates once it finds the chart. */
  | (ResourceStep & {
      action: 'await';
      entry: Entry;
      sync: Target;
      chart: string;
      members: FieldValue[];
      changes: Change[];
    })
  /**
   * Scrape job for an item of a discovery job. If no scan has found the item yet, a later scan can find it.
   */
  | (ResourceStep & {
      action: 'follow';
      entry: Entry;
      job: Target;
      item: { key: string; discriminator: string };
      members: FieldValue[];
      changes: Change[];
    })
  | { action: 'set'; key: string; value: unknown; target: Target | null; changes: Change[] }
  | { action: 'unset'; key: string }
  | { action: 'set-template'; category: string; body: string; changes: Change[] }
  | { action: 'unset-template'; category: string }
  | { action: 'set-version'; entry: Entry; version: string; changes: Change[] };

export interface Plan {
  /** Steps in execution order. */
  steps: Step[];
  /** IDs of entries that already exist. */
  ids: Map<Entry, number>;
  unchanged: number;
  notes: LocatedMessage[];
}

export interface PlanOptions {
  /** True to delete resources that aren't in the file, in sections that the file includes. */
  prune: boolean;
  /** True to write secrets even though they can't be compared with the stored ones. */
  updateSecrets: boolean;
  /** Returns the fields of an entry with their schemas, in the order in which they're written. */
  fieldsOf(section: Section): readonly [string, Item][];
}

/** Plan under construction: the input and the results so far. */
export interface PlanDraft {
  desired: Configuration;
  state: ServerState;
  options: PlanOptions;
  /** Entries of the file and resources of the server, by name. */
  named: NameIndex;
  /** Problems. If there are any, the plan isn't applied. */
  problems: LocatedMessage[];
  notes: LocatedMessage[];
  ids: Map<Entry, number>;
  /** Resources of the server that are in the file. */
  kept: Set<Item>;
  /** Resources that the file references but doesn't contain, such as `rules/7`. */
  referred: Set<string>;
  unchanged: number;
}

export interface NameIndex {
  entries(section: Section, name: string): readonly Entry[];
  own(section: Section, name: string): readonly Item[];
  global(section: Section, name: string): readonly Item[];
  /**
   * Returns the names of global resources if `isGlobal` is true. Otherwise, returns the names in the file and those of
   * the organization's resources.
   */
  names(section: Section, isGlobal: boolean): readonly string[];
  /** Returns a resource of the organization or a global resource. */
  byId(section: Section, id: unknown): Item | undefined;
}

/** Returns an index for lookups by name and ID in constant time. */
export function indexNames(desired: Configuration, state: ServerState): NameIndex {
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
  const entries = cached((section) => Map.groupBy(desired.entries[section] ?? [], ({ name }) => name));
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

export function addProblem(
  draft: PlanDraft,
  { section, index }: DocumentLocation,
  message: string,
  field?: string,
): void {
  draft.problems.push({ section, index, message, ...(field !== undefined && { field }) });
}
