import type { Section } from '../../domain/configuration/kinds.ts';
import type { Item } from '../../domain/json/json-item.ts';
import type { Schemas } from '../../generated/client-api.ts';

/** The ID of a resource, or the entry that creates it: `rules/3`. */
export type Reference = number | string;

export type References = Readonly<Record<string, Reference | readonly Reference[]>>;

/** A change of a plan: how it is displayed, and the data to apply it. */
export interface PlannedStep {
  shown: Schemas['ConfigurationStep'];
  work: StepWork;
}

/** Whether the step is part of creating a resource, such as the version of a new job, and not a change of its own. */
export function isPartOfCreation({ shown: { action, id } }: PlannedStep): boolean {
  return action === 'set_version' && id === null;
}

export type StepWork =
  | {
      action: 'create';
      section: Section;
      /** A valid request body, without the fields that are in `references`. */
      body: Item;
      references: References;
      /** Whether another step changes a configuration with the same comparison. */
      isLate: boolean;
    }
  | {
      action: 'update';
      section: Section;
      id: number;
      revision: number;
      /** A valid request body with the fields that change, without those that are in `references`. */
      body: Item;
      references: References;
      /** All fields, to be checked together. */
      desired: Item;
    }
  | { action: 'delete'; section: Section; id: number; revision: number }
  | {
      action: 'create-fed';
      sync: Reference;
      /** The fields that helm sync jobs don't set. */
      body: Item;
      repositoryUrl: string;
      credentialName: string | null;
      chart: string;
    }
  | {
      action: 'create-followed';
      discoveryJob: Reference;
      /** The fields that a discovery job doesn't set. */
      body: Item;
      key: string;
      discriminator: string;
    }
  | { action: 'set'; key: string; revision: number; value: unknown; channel: Reference | null }
  | { action: 'unset'; key: string; revision: number }
  | { action: 'set-version'; scrapeJob: Reference; version: string };

/** Maximum number of reported problems. */
export const maxProblems = 100;

/** A problem at a field of the configuration: `rules.3.thresholds`. */
export interface PlanProblem {
  field: string;
  message: string;
}

/** The end of a plan, after its steps. With problems, the steps are only for further checks. */
export interface PlanEnd {
  problems: PlanProblem[];
  fingerprint: string;
  unchanged: number;
  notes: Schemas['ConfigurationNote'][];
}

/** The configuration of an organization as JSON, so that the server's thread doesn't parse it. */
export interface StateTexts {
  own: Record<Section, readonly string[]>;
  global: Record<Section, readonly string[]>;
  settings: readonly (readonly [key: string, value: unknown])[];
  /** Of all settings. */
  settingRevisions: readonly (readonly [key: string, revision: number])[];
  templates: readonly (readonly [category: string, body: string])[];
}

export interface PlanInput {
  settings: Item | null;
  templates: Item | null;
  /** The lists of the configuration, as JSON. */
  sections: Partial<Record<Section, string>>;
  state: StateTexts;
  prune: boolean;
  updateSecrets: boolean;
  /** Whether to include the changed fields. */
  showsChanges: boolean;
}
