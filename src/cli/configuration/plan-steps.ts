import type { Item } from '../call-operation.ts';
import type { Kind, Section } from './kinds.ts';
import type { Configuration, Entry } from './read-configuration.ts';
import type { ServerState } from './read-server-state.ts';

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
  | (ThingStep & { action: 'create'; entry: Entry; members: MemberValue[]; changes: Change[] })
  | (ThingStep & { action: 'update'; entry: Entry; id: number; members: MemberValue[]; changes: Change[] })
  | (ThingStep & { action: 'delete'; id: number })
  /** A gather job that a helm sync job makes when it runs: waited for, then changed. */
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
  notes: string[];
}

export interface PlanOptions {
  /** Deletes what the server has and the file has not, in the sections that the file has. */
  prune: boolean;
  /** Writes secrets although nobody can tell whether they are other ones. */
  updateSecrets: boolean;
}

/** A plan that is being made: what is asked, and what was found so far. */
export interface Draft {
  wanted: Configuration;
  state: ServerState;
  options: PlanOptions;
  /** What is wrong; with one of these, nothing is done. */
  problems: string[];
  notes: string[];
  ids: Map<Entry, number>;
  /** Things of the server that are in the file. */
  kept: Set<Item>;
  /** Things of the server that the file names and does not hold. */
  referred: { section: Section; id: unknown }[];
  unchanged: number;
}
