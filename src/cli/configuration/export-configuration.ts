import { isDeepStrictEqual } from 'node:util';
import {
  artifactField,
  chartOfManagedJob,
  defaultOf,
  discoveredFields,
  fieldsKeptWhenOmitted,
  findReferenceSetting,
  kinds,
  managedJobFields,
  type ResourceKind,
  type Section,
  trackedField,
  valueInFile,
} from '../../domain/configuration/kinds.ts';
import type { ServerState } from '../../domain/configuration/plan-steps.ts';
import {
  canBeRulePath,
  type IgnoreRule,
  inFileOrder,
  maxIgnoreRules,
  maxPathRules,
  ruleText,
} from '../../domain/discovery/ignore-rules.ts';
import { scrapeJobOf } from '../../domain/source-types/deployed-versions-source-type.ts';
import { type PresetId, presets } from '../../domain/templates/presets.ts';
import type { Item } from '../call-operation.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { counted } from '../output/counted.ts';
import { createVariableNamer, escapeEnvironmentReferences } from './environment-values.ts';
import { fieldsOf, isRequired } from './section-schema.ts';

export interface ExportOptions {
  /** True if the export includes the versions of manual scrape jobs. */
  withVersions: boolean;
  /**
   * True if the export includes the URLs of channels. They are secrets, because anyone with such a URL can
   * post to it.
   */
  withUrls: boolean;
  /** True if the export includes the resources that discovery jobs derive from the items that they find. */
  withDerived: boolean;
}

export interface ExportedConfiguration {
  document: Item;
  /** Variables that must be set before applying the file, with their purposes. */
  variables: Map<string, string>;
  /** Notes about data that the file doesn't contain. */
  notes: string[];
}

export function exportConfiguration(state: ServerState, options: ExportOptions): ExportedConfiguration {
  const variables = new Map<string, string>();
  const notes: string[] = [];
  const exported = chooseItems(state, options);
  noteDerived(state, exported, notes);
  noteDecisions(state, notes);
  const duplicates = findDuplicates(exported.alert_configs);
  const nameVariable = createVariableNamer();
  const variable = (purpose: string, ...parts: string[]) => {
    const name = nameVariable(...parts);
    variables.set(name, purpose);
    return `\${env:${name}}`;
  };

  const document: Item = {};
  const settings = [...state.settings].map(([key, value]) => {
    const setting = findReferenceSetting(key);
    return setting
      ? [setting.field, value === null ? null : toReference(setting.section, value)]
      : [key, escapeEnvironmentReferences(value)];
  });
  if (settings.length > 0) document['settings'] = Object.fromEntries(settings);
  if (state.templates.size > 0)
    document['templates'] = escapeEnvironmentReferences(Object.fromEntries(state.templates));
  for (const kind of kinds) {
    const items = exported[kind.section];
    if (items.length > 0) document[kind.section] = items.map((item) => writeEntry(kind, item));
  }
  return { document, variables, notes };

  function writeEntry(kind: ResourceKind, item: Item): Item {
    const entry: Item = {};
    const key = duplicateNumber(exported[kind.section], item);
    const memberOf = new Map(Object.entries(kind.references).map(([member, { field }]) => [field, member]));
    for (const [field, schema] of fieldsOf(kind.section)) {
      const member = memberOf.get(field);
      const value =
        field === 'key'
          ? key
          : member === undefined
            ? writeMember(kind, item, field)
            : writeReference(kind, member, item[member]);
      if (value === undefined) continue;
      // A required field is written even if it has no value.
      if (!isRequired(kind.section, field)) {
        if (value === null) continue;
        if (!fieldsKeptWhenOmitted.has(field) && isDeepStrictEqual(value, defaultOf(schema))) continue;
      }
      entry[field] = value;
    }
    return entry;
  }

  function writeMember({ section }: ResourceKind, item: Item, field: string): unknown {
    if (section === 'notification_channels') {
      const secret = writeSecret(item, field);
      if (secret !== undefined) return secret;
    }
    if (field === 'ordinal') return duplicates.has(item) ? item['ordinal'] : undefined;
    if (section === 'gather_jobs' && field === artifactField && item['source_type'] === 'deployed_versions')
      return { [trackedField]: toReference('scrape_jobs', scrapeJobOf(String(item[field]))) };
    if (section === 'gather_jobs' && item['helm_sync_job_id'] !== null) {
      if (field === 'fed_by')
        return {
          helm_sync_job: toReference('helm_sync_jobs', item['helm_sync_job_id']),
          chart: chartOfManagedJob(item),
        };
      if (!managedJobFields.has(field)) return undefined;
    }
    if (section === 'scrape_jobs' && item['discovery_job_id'] !== null) {
      if (field === 'fed_by') return writeFedBy(item);
      if (!discoveredFields.has(field)) return undefined;
    }
    if (section === 'scrape_jobs') {
      const isManual = item['parser_type'] === 'manual';
      if (field === 'version')
        return options.withVersions && isManual
          ? escapeEnvironmentReferences(item['latest_version'])
          : undefined;
      if (field === 'ref' && item['ref'] === 'HEAD') return undefined;
    }
    return escapeEnvironmentReferences(valueInFile(section, field, item));
  }

  function writeFedBy(job: Item): Item {
    const item = job['followed_item'] as Item | undefined;
    if (!item) throw new CliError('A resource was deleted during the export. Try again.');
    return {
      discovery_job: toReference('discovery_jobs', job['discovery_job_id']),
      key: escapeEnvironmentReferences(item['key']),
      ...(item['discriminator'] !== '' && {
        discriminator: escapeEnvironmentReferences(item['discriminator']),
      }),
    };
  }

  /**
   * Replaces values that the server doesn't return, or that shouldn't be in a file, with variables.
   * @returns `undefined` if the field isn't a secret.
   */
  function writeSecret(channel: Item, field: string): unknown {
    const of = `notification channel "${String(channel['name'])}"`;
    const make = (purpose: string, ...parts: string[]) =>
      variable(`${of}: ${purpose}`, 'CHANNEL', String(channel['name']), ...parts);
    switch (field) {
      case 'url':
        if (channel['channel_type'] === 'email') return null;
        // The URL of an issue tracker isn't a secret.
        if (channel['channel_type'] !== 'webhook') return undefined;
        if (!options.withUrls) return make('url', 'URL');
        requireFullAddress(channel['url']);
        return undefined;
      case 'closing_path':
        if (channel['closing_path'] === null) return null;
        if (!options.withUrls) return make('closing_path', 'CLOSING_PATH');
        requireFullAddress(channel['closing_path']);
        return undefined;
      case 'headers': {
        const names = Object.keys(channel['headers'] as Item);
        return Object.fromEntries(names.map((name) => [name, make(`header ${name}`, 'HEADER', name)]));
      }
      case 'signing_secret':
        return channel['has_signing_secret'] === true ? make('signing_secret', 'SIGNING_SECRET') : null;
      case 'token':
        return channel['has_token'] === true ? make('token', 'TOKEN') : null;
      case 'preset_options': {
        const preset = presets[channel['preset'] as PresetId];
        const optional = preset.options.filter(({ isRequired }) => !isRequired).map(({ name }) => name);
        const required = preset.options.filter(({ isRequired }) => isRequired).map(({ name }) => name);
        // `has_preset_options` covers all options, so if some are required, it doesn't show whether optional ones are
        // stored too.
        const stored =
          required.length > 0 ? 'optional preset_options, if any are stored' : 'optional preset_options';
        if (optional.length > 0 && channel['has_preset_options'] === true)
          notes.push(`${of}: the server doesn't return ${stored} (${optional.join(', ')}).`);
        return Object.fromEntries(required.map((name) => [name, make(`preset option ${name}`, name)]));
      }
      default:
        return undefined;
    }
  }

  /** The server returns only the beginning of a secret address to viewers. */
  function requireFullAddress(address: unknown): void {
    if (String(address).endsWith('/…'))
      throw new CliError(
        "Viewers can't read channel URLs. Use a login or key with the member role.",
        exitCodes.notAllowed,
      );
  }

  function writeReference(kind: ResourceKind, member: string, value: unknown): unknown {
    const { section } = kind.references[member]!;
    return Array.isArray(value)
      ? value.map((id) => toReference(section, id))
      : value && toReference(section, value);
  }

  /** Returns the name of a resource. Adds a key if the name isn't unique, and the scope of a global resource. */
  function toReference(section: Section, id: unknown): unknown {
    const isOwn = exported[section].some((item) => item['id'] === id);
    const among = isOwn ? exported[section] : state.global[section];
    const item = among.find((each) => each['id'] === id);
    if (!item) throw new CliError('A resource was deleted during the export. Try again.');
    const key = duplicateNumber(among, item);
    const name = escapeEnvironmentReferences(item['name']);
    if (isOwn && key === null) return name;
    return { name, ...(key !== null && { key }), ...(!isOwn && { scope: 'global' }) };
  }
}

/** Returns the alert configurations that have the same jobs, rule, and candidate pattern as another one. */
function findDuplicates(configs: readonly Item[]): ReadonlySet<Item> {
  const byParts = Map.groupBy(configs, (item) =>
    JSON.stringify([
      item['scrape_job_id'],
      item['gather_job_id'],
      item['rule_id'],
      item['candidate_pattern'] ?? '',
    ]),
  );
  return new Set([...byParts.values()].filter((same) => same.length > 1).flat());
}

/**
 * Returns the number of a resource among those with the same name. The oldest resource has 1. Null if the
 * name is unique.
 */
function duplicateNumber(among: readonly Item[], item: Item): number | null {
  const named = among.filter(({ name }) => name === item['name']);
  return named.length === 1 ? null : named.indexOf(item) + 1;
}

/**
 * Selects the resources of the organization that the file contains. Gather jobs that a Helm sync job created
 * are included only if they're used or were changed. Resources that a discovery job derives from its items
 * are included only if one of these conditions is met:
 * - `withDerived` is set.
 * - The resource was changed.
 * - Another resource in the file refers to it.
 * - The item of the resource was corrected, or its rule isn't the default of the discovery job.
 * - The discovery job doesn't accept the role of the item.
 */
function chooseItems({ own }: ServerState, { withDerived }: ExportOptions): Record<Section, Item[]> {
  const idsIn = (items: readonly Item[], field: string) => new Set(items.flatMap((item) => item[field]));
  const routed = idsIn(own.notification_rules, 'alert_config_ids');
  const isWritten = (item: Item, isUnchanged: boolean) =>
    withDerived || item['managed_by'] == null || !isUnchanged;
  const itemOf = new Map(own.scrape_jobs.map((job) => [job['id'], job['followed_item'] as Item | undefined]));
  const defaultRuleOf = new Map(own.discovery_jobs.map((job) => [job['id'], job['default_rule_id']]));
  const isRestored = (config: Item) =>
    isDerivedConfig(config) &&
    config['rule_id'] === defaultRuleOf.get((config['managed_by'] as Item | null)?.['id']) &&
    !isCorrected(itemOf.get(config['scrape_job_id']));
  const alertConfigs = own.alert_configs.filter(
    (config) => routed.has(config['id']) || isWritten(config, isRestored(config)),
  );
  const used = idsIn(alertConfigs, 'gather_job_id');
  const gatherJobs = own.gather_jobs.filter(
    (job) =>
      used.has(job['id']) ||
      (isWritten(job, job['revision'] === 1) && (job['helm_sync_job_id'] === null || !hasSyncDefaults(job))),
  );
  const feeding = idsIn(gatherJobs, 'helm_sync_job_id');
  const syncs = own.helm_sync_jobs.filter(
    (job) => feeding.has(job['id']) || isWritten(job, job['revision'] === 1),
  );
  const compared = idsIn(alertConfigs, 'scrape_job_id');
  const tracked = new Set(gatherJobs.map((job) => scrapeJobOf(String(job[artifactField]))));
  const acceptedRoles = new Map(
    own.discovery_jobs.map((job) => [
      job['id'],
      job['accept'] === 'all' ? (job['accept_roles'] as string[]) : [],
    ]),
  );
  const isAccepted = (job: Item) =>
    acceptedRoles
      .get(job['discovery_job_id'])
      ?.includes(String((job['followed_item'] as Item | undefined)?.['role'])) === true;
  const scrapeJobs = own.scrape_jobs.filter(
    (job) =>
      withDerived ||
      !isAccepted(job) ||
      compared.has(job['id']) ||
      tracked.has(Number(job['id'])) ||
      !isDerivedScrapeJob(job),
  );
  return {
    ...own,
    // Jobs for the repositories of a group are excluded, because the discovery job of the group creates them again.
    discovery_jobs: own.discovery_jobs.filter((job) => job['group_job_id'] === null).map(withDecisions),
    alert_configs: alertConfigs,
    gather_jobs: gatherJobs,
    helm_sync_jobs: syncs,
    scrape_jobs: scrapeJobs,
  };
}

/** True if accepting an item created the alert configuration, and it hasn't been edited since. */
function isDerivedConfig(config: Item): boolean {
  const unchanged = {
    edited_fields: [],
    labels: {},
    candidate_pattern: null,
    ignored_versions: [],
    counted_versions: [],
    lifecycle_override: null,
    ignored_vulnerabilities: [],
  };
  return Object.entries(unchanged).every(([field, value]) => isDeepStrictEqual(config[field], value));
}

/**
 * True if a person chose the upstream for this item alone, not for all items of its artifact. A new scan
 * restores only corrections that apply to an artifact.
 */
function isCorrected(item: Item | undefined): boolean {
  return item !== undefined && (item['edited_fields'] as string[]).includes('source');
}

/** True if a person changed the name, labels, or upstream of an item. A scan can't find those values. */
function isEdited(item: Item): boolean {
  return (item['edited_fields'] as string[]).length > 0;
}

/** True if a discovery job that accepts all items would create the same scrape job. */
function isDerivedScrapeJob(job: Item): boolean {
  const item = job['followed_item'] as Item | undefined;
  return (
    item !== undefined &&
    job['name'] === item['name'] &&
    isDeepStrictEqual(job['labels'], item['labels']) &&
    job['history_limit'] === 100 &&
    job['is_active'] === true &&
    item['rule_id'] === null &&
    item['not_monitored'] === false &&
    !isEdited(item)
  );
}

/** Adds a note that counts the resources missing from the file because discovery jobs create them again. */
function noteDerived(state: ServerState, exported: Record<Section, readonly Item[]>, notes: string[]): void {
  const isDerived = (item: Item) =>
    item['managed_by'] != null || item['discovery_job_id'] != null || item['group_job_id'] != null;
  const parts = kinds.flatMap(({ section, word }) => {
    const written = new Set(exported[section]);
    const count = state.own[section].filter((item) => isDerived(item) && !written.has(item)).length;
    return count === 0 ? [] : [counted(count, word)];
  });
  if (parts.length > 0)
    notes.push(
      `${new Intl.ListFormat('en-US').format(parts)} that discovery jobs derive from the items they find aren't in the file. Use --all to include them.`,
    );
}

/**
 * Adds the decisions that people made about the items of a discovery job to its ignore rules, up to the limit
 * of rules.
 */
function withDecisions(job: Item): Item {
  const rules = (job['ignore_rules'] as IgnoreRule[]).map(inFileOrder);
  return { ...job, ignore_rules: [...rules, ...decisionsOf(job).written] };
}

/**
 * Returns ignore rules for a discovery job: the decisions that people made about its items without a scrape
 * job. A rule has a path only if several items have the same key.
 */
function decisionsOf(job: Item): { written: IgnoreRule[]; omittedCount: number } {
  const items = unfedItems(job);
  const keyCounts = Map.groupBy(items, ({ key }) => key);
  const rules = job['ignore_rules'] as IgnoreRule[];
  const stored = new Set(rules.map(ruleText));
  let [room, roomForPaths] = [
    maxIgnoreRules - rules.length,
    maxPathRules - rules.filter(({ path }) => path !== undefined).length,
  ];
  const written: IgnoreRule[] = [];
  let omittedCount = 0;
  for (const item of items.filter(isDecided).toSorted((a, b) => Number(a['id']) - Number(b['id']))) {
    const hasPath = keyCounts.get(item['key'])!.length > 1;
    const rule: IgnoreRule = {
      artifact: String((item['artifact'] as Item)['key']),
      key: String(item['key']),
      ...(hasPath && { path: `/${String((item['place'] as Item)['file'])}` }),
      ...(typeof item['ignore_reason'] === 'string' && { reason: item['ignore_reason'] }),
      ...(item['status'] === 'new' && { is_ignored: false }),
    };
    if (stored.has(ruleText(rule))) continue;
    const isPathUsable = rule.path === undefined || (roomForPaths > 0 && canBeRulePath(rule.path));
    if (job['group_job_id'] !== null || room === 0 || !isPathUsable) omittedCount += 1;
    else {
      room -= 1;
      if (hasPath) roomForPaths -= 1;
      written.push(rule);
    }
  }
  return { written, omittedCount };
}

function unfedItems(job: Item): Item[] {
  return (job['unfed_items'] ?? []) as Item[];
}

/** True if a person ignored or restored an item. */
function isDecided(item: Item): boolean {
  return item['ignored_by'] === 'person' || (item['status'] === 'new' && item['restored_at'] !== null);
}

/** Adds notes about the decisions that the file can't contain. They concern items without a scrape job. */
function noteDecisions({ own }: ServerState, notes: string[]): void {
  const omittedCount = own.discovery_jobs.reduce((sum, job) => sum + decisionsOf(job).omittedCount, 0);
  if (omittedCount > 0)
    notes.push(
      `The file doesn't contain ${counted(omittedCount, 'decision')} about ignored and restored items. It can't contain decisions about repositories of groups, about files whose path is too long or contains * or ?, or beyond the limit of ${maxIgnoreRules} ignore rules for each discovery job, of which ${maxPathRules} can have a path. To stay within the limit, write rules for directories or artifacts.`,
    );
  const corrected = own.discovery_jobs
    .flatMap(unfedItems)
    .filter((item) => item['status'] === 'new' && isEdited(item));
  if (corrected.length > 0)
    notes.push(
      `The file doesn't contain the corrections of ${counted(corrected.length, 'item')} that aren't accepted yet. It contains only accepted items.`,
    );
}

function hasSyncDefaults(job: Item): boolean {
  return (
    job['name'] === chartOfManagedJob(job).slice(0, 200) &&
    job['version_scheme'] === 'semver' &&
    job['version_pattern'] === null &&
    job['include_prereleases'] === true &&
    job['max_releases'] === null &&
    job['is_active'] === true
  );
}
