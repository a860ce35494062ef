import type { Section } from '../../domain/configuration/kinds.ts';
import type { Item } from '../../domain/json/json-item.ts';
import type { Schemas } from '../../generated/client-api.ts';

/** ID of a resource, or the entry that creates it, such as `rules/3`. */
export type Reference = number | string;

export type References = Readonly<Record<string, Reference | readonly Reference[]>>;

/** Change in a plan: how it's displayed, and the data to apply it. */
export interface PlannedStep {
  shown: Schemas['ConfigurationStep'];
  work: StepWork;
}

/**
 * True if the step is part of creating a resource, such as the version of a new job, and not a separate
 * change.
 */
export function isPartOfCreation({ shown: { action, id } }: PlannedStep): boolean {
  return action === 'set_version' && id === null;
}

export type StepWork =
  | {
      action: 'create';
      section: Section;
      /** Valid request body, without the fields in `references`. */
      body: Item;
      references: References;
      /**
       * True if the resource must be created after the updates, because one of them changes an alert configuration that
       * has the same comparison.
       */
      isLate: boolean;
    }
  | {
      action: 'update';
      section: Section;
      id: number;
      revision: number;
      /** Valid request body with the changed fields, without those in `references`. */
      body: Item;
      references: References;
      /** All fields after the update, which are checked together. */
      desired: Item;
    }
  | { action: 'delete'; section: Section; id: number; revision: number }
  | {
      action: 'create-fed';
      sync: Reference;
      /** Fields that helm sync jobs don't set. */
      body: Item;
      repositoryUrl: string;
      credentialName: string | null;
      chart: string;
    }
  | {
      action: 'create-followed';
      discoveryJob: Reference;
      /** Fields that a discovery job doesn't set. */
      body: Item;
      key: string;
      discriminator: string;
    }
  | { action: 'set'; key: string; revision: number; value: unknown; reference: Reference | null }
  | { action: 'unset'; key: string; revision: number }
  | { action: 'set-version'; scrapeJob: Reference; version: string };

/** Maximum number of reported problems. */
export const maxProblems = 100;

/** Problem with a field of the configuration, such as `rules.3.thresholds`. */
export interface PlanProblem {
  field: string;
  message: string;
}

/**
 * End of a plan, returned after its steps. If it contains problems, the steps can't be applied and serve only to find
 * more problems.
 */
export interface PlanResult {
  problems: PlanProblem[];
  fingerprint: string;
  unchanged: number;
  notes: Schemas['ConfigurationNote'][];
}

/** Current configuration of an organization as JSON text, so that the server's thread doesn't parse it. */
export interface StateTexts {
  own: Record<Section, readonly string[]>;
  global: Record<Section, readonly string[]>;
  settings: readonly (readonly [key: string, value: unknown])[];
  /** Revisions of all settings, including those with their default value. */
  settingRevisions: readonly (readonly [key: string, revision: number])[];
  /** Values of the settings that only the operator can change. */
  operatorSettings: readonly (readonly [key: string, value: unknown])[];
  templates: readonly (readonly [category: string, body: string])[];
}

export interface PlanInput {
  settings: Item | null;
  templates: Item | null;
  /** Sections of the configuration as JSON text. */
  sections: Partial<Record<Section, string>>;
  state: StateTexts;
  prune: boolean;
  updateSecrets: boolean;
  /** True if the steps include the changed fields. */
  showsChanges: boolean;
}
