import type { Section } from '../../domain/configuration/kinds.ts';
import type { Item } from '../../domain/json/json-item.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { ApiRequest } from '../../platform/http/index.ts';

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

/** Bodies of the requests that create resources, by section. */
export interface CreateBodies {
  rules: ApiRequest<'createRule'>['body'];
  helm_sync_jobs: ApiRequest<'createHelmSyncJob'>['body'];
  discovery_jobs: ApiRequest<'createDiscoveryJob'>['body'];
  gather_jobs: ApiRequest<'createGatherJob'>['body'];
  scrape_jobs: ApiRequest<'createScrapeJob'>['body'];
  notification_channels: ApiRequest<'createNotificationChannel'>['body'];
  alert_configs: ApiRequest<'createAlertConfig'>['body'];
  notification_rules: ApiRequest<'createNotificationRule'>['body'];
  freshness_targets: ApiRequest<'createFreshnessTarget'>['body'];
  artifact_aliases: ApiRequest<'createArtifactAlias'>['body'];
  artifact_corrections: ApiRequest<'createArtifactCorrection'>['body'];
}

/** Bodies of the requests that update resources, by section. */
export interface UpdateBodies {
  rules: ApiRequest<'updateRule'>['body'];
  helm_sync_jobs: ApiRequest<'updateHelmSyncJob'>['body'];
  discovery_jobs: ApiRequest<'updateDiscoveryJob'>['body'];
  gather_jobs: ApiRequest<'updateGatherJob'>['body'];
  scrape_jobs: ApiRequest<'updateScrapeJob'>['body'];
  notification_channels: ApiRequest<'updateNotificationChannel'>['body'];
  alert_configs: ApiRequest<'updateAlertConfig'>['body'];
  notification_rules: ApiRequest<'updateNotificationRule'>['body'];
  freshness_targets: ApiRequest<'updateFreshnessTarget'>['body'];
  artifact_aliases: ApiRequest<'updateArtifactAlias'>['body'];
  artifact_corrections: ApiRequest<'updateArtifactCorrection'>['body'];
}

export type CreateWork<InSection extends Section = Section> = {
  [Each in InSection]: {
    action: 'create';
    section: Each;
    /** Valid request body, without the fields in `references`. */
    body: CreateBodies[Each];
    references: References;
    /**
     * True if the resource must be created after the updates, because an update changes an alert
     * configuration that has the same comparison.
     */
    isLate: boolean;
  };
}[InSection];

export type UpdateWork<InSection extends Section = Section> = {
  [Each in InSection]: {
    action: 'update';
    section: Each;
    id: number;
    revision: number;
    /** All fields after the update, which are checked together, without those in `references`. */
    body: CreateBodies[Each];
    /** Valid request body with the changed fields, without those in `references`. */
    changes: UpdateBodies[Each];
    references: References;
  };
}[InSection];

export type StepWork =
  | CreateWork
  | UpdateWork
  | { action: 'delete'; section: Section; id: number; revision: number }
  | {
      action: 'create-fed';
      sync: Reference;
      /** Fields that helm sync jobs don't set, and the source. */
      body: CreateBodies['gather_jobs'];
      repositoryUrl: string;
      credentialName: string | null;
      chart: string;
    }
  | {
      action: 'create-followed';
      discoveryJob: Reference;
      /** Fields that a discovery job doesn't set. */
      body: CreateBodies['scrape_jobs'];
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
 * End of a plan, returned after its steps. If it contains problems, the steps can't be applied, but are
 * checked for further problems.
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
