import { createHash } from 'node:crypto';
import { chartArtifactName, normalizeRepositoryUrl } from '../../domain/artifacts/chart-names.ts';
import {
  createDocumentCheck,
  type DocumentProblem,
  type Path,
} from '../../domain/configuration/check-document.ts';
import {
  type Entry,
  type LocatedMessage,
  toConfiguration,
} from '../../domain/configuration/configuration-entries.ts';
import {
  apiReferenceValue,
  findReferenceSetting,
  kindOf,
  kinds,
  nameFieldOf,
  type Section,
  secretFields,
  templateSettings,
} from '../../domain/configuration/kinds.ts';
import { planConfiguration } from '../../domain/configuration/plan-configuration.ts';
import type { FieldValue, Plan, ServerState, Step, Target } from '../../domain/configuration/plan-steps.ts';
import type { Item } from '../../domain/json/json-item.ts';
import schema from '../../generated/configuration-schema.json' with { type: 'json' };
import { type ContractOperation, readContract } from '../../platform/http/contract.ts';
import { fieldErrors } from '../../platform/http/field-errors.ts';
import { fillDefaults } from '../../platform/http/fill-defaults.ts';
import type { OperationId } from '../../platform/http/operation.ts';
import { createChartFilter } from '../../sources/chart-filter.ts';
import {
  type CreateBodies,
  type CreateWork,
  maxProblems,
  type PlanInput,
  type PlannedStep,
  type PlanProblem,
  type PlanResult,
  type Reference,
  type References,
  type StateTexts,
  type UpdateBodies,
  type UpdateWork,
} from './planned-steps.ts';

/** Number of steps per message, limited so that no message blocks the server's thread. */
const stepsPerPart = 200;
const checkDocument = createDocumentCheck(schema);

/**
 * Validates a configuration and plans its changes. Runs in the sandbox and yields the steps in parts. If it
 * finds problems, it still yields those steps that can be checked further.
 */
export async function* planInSandbox(input: PlanInput): AsyncGenerator<PlannedStep[], PlanResult, undefined> {
  const { document, settled, problems: invalid, originalPath } = checkDocument(documentOf(input));
  const state = stateOf(input);
  const { plan, problems: impossible } = planConfiguration(toConfiguration(document, settled), state, {
    prune: input.prune,
    updateSecrets: input.updateSecrets,
    fieldsOf: (section) => Object.entries(schema.properties[section].items.properties),
  });
  const writer = createStepWriter(plan, state, input.state);
  const hash = createHash('sha256');
  let part: PlannedStep[] = [];
  for (const step of plan.steps) {
    const written = writer.write(step);
    if (!written) continue;
    hash.update(JSON.stringify([written.shown, written.work], withoutSecretsOf(written.shown.section)));
    part.push(input.showsChanges ? written : { ...written, shown: { ...written.shown, changes: [] } });
    if (part.length < stepsPerPart) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
  const notes = plan.notes.map(({ section, index, message }) => ({ section, index, message }));
  const fingerprint = hash.digest('hex');
  const problems = [
    ...invalid,
    ...[...impossible.map(pathOfRemark), ...writer.problems].filter(({ path }) => !settled.has(path)),
  ]
    .slice(0, maxProblems)
    .map(({ path, message }) => problemAt(originalPath(path), message));
  return { problems, fingerprint, unchanged: plan.unchanged, notes };
}

/**
 * Returns a JSON replacer for fingerprints. A fingerprint includes everything that a plan shows or refers to.
 * It includes the names of secrets, but not their values.
 */
function withoutSecretsOf(section: string): (name: string, value: unknown) => unknown {
  const secrets = secretFields[section as Section];
  return (name, value) => {
    if (!secrets?.has(name)) return value;
    return typeof value === 'object' && value !== null ? Object.keys(value) : value !== null;
  };
}

function documentOf({ settings, templates, sections }: PlanInput): Item {
  return {
    ...(settings && { settings }),
    ...(templates && { templates }),
    ...Object.fromEntries(
      Object.entries(sections).map(([section, json]) => [section, JSON.parse(json) as unknown]),
    ),
  };
}

function stateOf({ state }: PlanInput): ServerState {
  const parse = (texts: Record<Section, readonly string[]>) =>
    Object.fromEntries(
      Object.entries(texts).map(([section, pages]) => [
        section,
        pages.flatMap((json) => JSON.parse(json) as Item[]),
      ]),
    ) as Record<Section, Item[]>;
  const operatorSettings = new Map(state.operatorSettings);
  return {
    own: parse(state.own),
    global: parse(state.global),
    settings: new Map(state.settings),
    settingKeys: state.settingRevisions.flatMap(([key]) => (operatorSettings.has(key) ? [] : [key])),
    operatorSettings,
    templates: new Map(state.templates),
  };
}

function problemAt(path: Path, message: string): PlanProblem {
  return { field: path.length === 0 ? 'body' : path.join('.').slice(0, 200), message };
}

function pathOfRemark({ section, index, field, message }: LocatedMessage): DocumentProblem {
  // Setting keys contain dots, so they aren't split.
  const inside = field === undefined ? [] : section === 'settings' ? [field] : field.split('.');
  return { path: [section, ...(index === null ? [] : [index]), ...inside], message };
}

const operationNouns: Readonly<Record<Section, string>> = {
  rules: 'Rule',
  helm_sync_jobs: 'HelmSyncJob',
  discovery_jobs: 'DiscoveryJob',
  gather_jobs: 'GatherJob',
  scrape_jobs: 'ScrapeJob',
  notification_channels: 'NotificationChannel',
  alert_configs: 'AlertConfig',
  notification_rules: 'NotificationRule',
  freshness_targets: 'FreshnessTarget',
  artifact_aliases: 'ArtifactAlias',
  artifact_corrections: 'ArtifactCorrection',
};

interface Bodies {
  create: CreateBodies;
  update: UpdateBodies;
}

let operations: Map<OperationId, ContractOperation> | undefined;

function operationOn(verb: 'create' | 'update', section: Section): ContractOperation {
  operations ??= new Map(readContract('client').map((operation) => [operation.operationId, operation]));
  return operations.get(`${verb}${operationNouns[section]}` as OperationId)!;
}

/**
 * First placeholder ID for resources that don't exist yet when a body is validated. Larger than any real ID.
 */
const firstPlaceholder = Number.MAX_SAFE_INTEGER - 10_000_000;

function createStepWriter(
  plan: Plan,
  state: ServerState,
  { settingRevisions: ofSettings }: Pick<StateTexts, 'settingRevisions'>,
) {
  const problems: DocumentProblem[] = [];
  const revisions = new Map(
    kinds.map(({ section }) => [
      section,
      new Map(state.own[section].map((item) => [Number(item['id']), Number(item['revision'])])),
    ]),
  );
  const revisionOf = (section: Section, id: number) => revisions.get(section)!.get(id)!;
  const settingRevisions = new Map(ofSettings);
  const planned = <Action extends 'set' | 'unset'>(action: Action, key: string) => ({
    action,
    key,
    revision: settingRevisions.get(key)!,
  });
  const syncs = new Map(state.own.helm_sync_jobs.map((item) => [Number(item['id']), item]));

  function referenceOf(target: Target): Reference {
    if ('id' in target) return target.id;
    return plan.ids.get(target.entry) ?? keyOf(target.entry);
  }

  function split(members: readonly FieldValue[]): { body: Item; references: References } {
    const body: Item = {};
    const references: Record<string, Reference | Reference[]> = {};
    for (const { member, value, targets } of members) {
      if (targets === null) body[member] = value;
      else references[member] = Array.isArray(targets) ? targets.map(referenceOf) : referenceOf(targets);
    }
    return { body, references };
  }

  /**
   * Validates a body like the API operation for the same change, and fills in defaults. Returns null if the
   * body is invalid, or if too many fields are missing for further checks.
   */
  function validBody<Verb extends keyof Bodies, InSection extends Section>(
    verb: Verb,
    section: InSection,
    entry: Entry,
    { body, references }: ReturnType<typeof split>,
  ): { body: Bodies[Verb][InSection]; references: References } | null {
    if (decisiveFields.some((field) => entry.isUnread(field))) return null;
    const operation = operationOn(verb, section);
    let placeholder = firstPlaceholder;
    const idOf = (reference: Reference) => (typeof reference === 'number' ? reference : placeholder++);
    const ids = Object.fromEntries(
      Object.entries(references).map(([member, to]) => [
        member,
        typeof to === 'object' ? to.map(idOf) : apiReferenceValue(member, idOf(to)),
      ]),
    );
    const whole: Item = { ...structuredClone(body), ...ids };
    const validate = operation.validateBody();
    const isValid = (value: Item): value is Item & Bodies[Verb][InSection] => {
      if (validate(value)) return true;
      // References that can't be resolved are already reported.
      const errors = fieldErrors(validate.errors ?? [], value).filter(
        ({ field }) => !(field in kindOf(section).references) && !entry.isUnread(field),
      );
      for (const { field, message } of errors)
        problems.push({ path: [section, entry.index, ...field.split('.')], message });
      return errors.length === 0 && isCheckedInParts(section);
    };
    if (!isValid(whole)) return null;
    if (verb === 'create') fillDefaults(operation.operationId, whole);
    for (const member of Object.keys(references)) delete whole[member];
    return { body: whole, references };
  }

  function writeFed(step: Extract<Step, { action: 'await' }>): PlannedStep | undefined {
    const { entry, chart } = step;
    const sync = 'entry' in step.sync ? step.sync.entry.values : syncs.get(step.sync.id)!;
    const refuse = (message: string) => {
      problems.push({ path: [entry.section, entry.index, 'fed_by'], message });
      return undefined;
    };
    if (sync['create_gather_jobs'] === false) return refuse("the helm sync job doesn't create gather jobs.");
    const filter = sync['chart_filter'];
    if (Array.isArray(filter) && !createChartFilter(filter as string[])(chart))
      return refuse(`the chart_filter of the helm sync job excludes chart ${chart}.`);
    const repository = normalizeRepositoryUrl(String(sync['repository_url']));
    const repositoryUrl = repository.ok ? repository.repositoryUrl : String(sync['repository_url']);
    const artifact = chartArtifactName(repositoryUrl, chart);
    if (!artifact.ok) return refuse(`chart ${artifact.message}`);
    const source = { source_type: 'helm_repository', artifact_name: artifact.artifactName };
    const valid = validBody('create', 'gather_jobs', entry, {
      body: { ...split(step.members).body, ...source },
      references: {},
    });
    if (!valid) return undefined;
    const { body } = valid;
    return {
      shown: { ...shownEntry(entry), action: 'create', id: null, chart, changes: shownChanges(step) },
      work: {
        action: 'create-fed',
        sync: referenceOf(step.sync),
        body,
        repositoryUrl,
        credentialName: typeof sync['credential_name'] === 'string' ? sync['credential_name'] : null,
        chart,
      },
    };
  }

  function writeFollowed(step: Extract<Step, { action: 'follow' }>): PlannedStep | undefined {
    const { entry, item } = step;
    // Validate the body like that of a manual job, which has the same fields as a scrape job that a discovery job
    // feeds.
    const { body } = split(step.members);
    const valid = validBody('create', 'scrape_jobs', entry, {
      body: { ...body, parser_type: 'manual' },
      references: {},
    });
    if (!valid) return undefined;
    return {
      shown: { ...shownEntry(entry), action: 'create', id: null, chart: null, changes: shownChanges(step) },
      work: {
        action: 'create-followed',
        discoveryJob: referenceOf(step.job),
        body: valid.body,
        ...item,
      },
    };
  }

  function createWork<InSection extends Section>(
    section: InSection,
    { entry, members, isLate = false }: Extract<Step, { action: 'create' }>,
  ): CreateWork<InSection> | null {
    const valid = validBody('create', section, entry, split(members));
    return valid && { action: 'create', section, ...valid, isLate };
  }

  function updateWork<InSection extends Section>(
    section: InSection,
    { entry, id, members, differing }: Extract<Step, { action: 'update' }>,
  ): UpdateWork<InSection> | null {
    const valid = validBody('update', section, entry, split(differing));
    const { body } = split(members);
    if (!valid || !isWhole(section, entry, body)) return null;
    const { body: changes, references } = valid;
    return { action: 'update', section, id, revision: revisionOf(section, id), body, changes, references };
  }

  function write(step: Step): PlannedStep | undefined {
    switch (step.action) {
      case 'create': {
        const work = createWork(step.kind.section, step);
        if (!work) return undefined;
        return {
          shown: {
            ...shownEntry(step.entry),
            action: 'create',
            id: null,
            chart: null,
            changes: shownChanges(step),
          },
          work,
        };
      }
      case 'update': {
        const work = updateWork(step.kind.section, step);
        if (!work) return undefined;
        return {
          shown: {
            ...shownEntry(step.entry),
            action: 'update',
            id: step.id,
            chart: null,
            changes: shownChanges(step),
          },
          work,
        };
      }
      case 'delete': {
        const { section } = step.kind;
        const { id, name } = step;
        return {
          shown: { action: 'delete', section, index: null, name, id, chart: null, changes: [] },
          work: { action: 'delete', section, id, revision: revisionOf(section, id) },
        };
      }
      case 'follow':
        return writeFollowed(step);
      case 'await':
        return writeFed(step);
      case 'set': {
        const { key, value, target } = step;
        return {
          shown: shownSetting('settings', nameOfSetting(key), step),
          work: { ...planned('set', key), value, reference: target && referenceOf(target) },
        };
      }
      case 'unset':
        return {
          shown: { ...shownSetting('settings', nameOfSetting(step.key), null), action: 'delete' },
          work: planned('unset', step.key),
        };
      case 'set-template': {
        const key = templateSettings[step.category]!;
        return {
          shown: shownSetting('templates', step.category, step),
          work: { ...planned('set', key), value: step.body, reference: null },
        };
      }
      case 'unset-template':
        return {
          shown: { ...shownSetting('templates', step.category, null), action: 'delete' },
          work: planned('unset', templateSettings[step.category]!),
        };
      case 'set-version': {
        const { entry, version } = step;
        return {
          shown: {
            ...shownEntry(entry),
            action: 'set_version',
            id: plan.ids.get(entry) ?? null,
            chart: null,
            changes: shownChanges(step),
          },
          work: { action: 'set-version', scrapeJob: referenceOf({ entry }), version },
        };
      }
    }
  }

  return { problems, write };
}

function keyOf({ section, index }: Entry): string {
  return `${section}/${index}`;
}

/**
 * Returns the name of a setting in the file. The name differs from the key of the setting only if the setting
 * contains the ID of a resource, because a file refers to resources by name.
 */
function nameOfSetting(key: string): string {
  return findReferenceSetting(key)?.field ?? key;
}

/** Fields that determine the meaning of the other fields of an entry. */
const decisiveFields = [
  'parser_type',
  'source_type',
  'channel_type',
  'preset',
  'rule_type',
  'fed_by',
] as const;

/** True if the other fields of a section can be checked even if required fields are missing. */
function isCheckedInParts(section: Section): boolean {
  return (
    section === 'notification_channels' || section === 'alert_configs' || section === 'notification_rules'
  );
}

/**
 * True if the checks can run on an entry: its section is checked in parts, or all its required fields can be
 * read. The name doesn't have to be readable, because the checks don't use it.
 */
function isWhole<InSection extends Section>(
  section: InSection,
  entry: Entry,
  _members: Item,
): _members is Item & CreateBodies[InSection] {
  if (isCheckedInParts(section)) return true;
  return !schema.properties[entry.section].items.required.some(
    (field) => field !== nameFieldOf(section) && entry.isUnread(field),
  );
}

function shownEntry({ section, index, name }: Entry) {
  return { section, index, name };
}

function shownChanges({ changes }: Pick<Extract<Step, { action: 'set' }>, 'changes'>) {
  return changes.map(({ field, before = null, after = null }) => ({ field, before, after }));
}

function shownSetting(
  section: 'settings' | 'templates',
  name: string,
  step: Pick<Extract<Step, { action: 'set' }>, 'changes'> | null,
): PlannedStep['shown'] {
  const isNew = step?.changes[0]?.before === undefined;
  return {
    action: isNew ? 'create' : 'update',
    section,
    index: null,
    name,
    id: null,
    chart: null,
    changes: step ? shownChanges(step) : [],
  };
}
