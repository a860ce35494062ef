import { isDeepStrictEqual } from 'node:util';
import {
  artifactField,
  chartOf,
  defaultChannelField,
  defaultChannelSetting,
  defaultOf,
  discoveredMembers,
  fedMembers,
  type Kind,
  kinds,
  membersWithoutDefault,
  type Section,
  trackedField,
  valueInFile,
} from '../../domain/configuration/kinds.ts';
import type { ServerState } from '../../domain/configuration/plan-steps.ts';
import { scrapeJobOf } from '../../domain/source-types/deployed-versions-source-type.ts';
import { type PresetId, presets } from '../../domain/templates/presets.ts';
import type { Item } from '../call-operation.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { createVariableNames, escapeEnvironment } from './environment-values.ts';
import { fieldsOf } from './section-schema.ts';

export interface ExportOptions {
  /** True if the export includes the versions of manual scrape jobs. */
  withVersions: boolean;
  /**
   * True if the export includes the URLs of channels. They are secrets, because anyone with such a URL can
   * post to it.
   */
  withUrls: boolean;
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
  const exported = chooseItems(state);
  const duplicates = findDuplicates(exported.alert_configs);
  const nameVariable = createVariableNames();
  const variable = (purpose: string, ...parts: string[]) => {
    const name = nameVariable(...parts);
    variables.set(name, purpose);
    return `\${env:${name}}`;
  };

  const document: Item = {};
  const settings = [...state.settings].map(([key, value]) =>
    key === defaultChannelSetting
      ? [defaultChannelField, value === null ? null : toReference('notification_channels', value)]
      : [key, escapeEnvironment(value)],
  );
  if (settings.length > 0) document['settings'] = Object.fromEntries(settings);
  if (state.templates.size > 0)
    document['templates'] = escapeEnvironment(Object.fromEntries(state.templates));
  for (const kind of kinds) {
    const items = exported[kind.section];
    if (items.length > 0) document[kind.section] = items.map((item) => writeEntry(kind, item));
  }
  return { document, variables, notes };

  function writeEntry(kind: Kind, item: Item): Item {
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
      if (value === undefined || value === null) continue;
      if (!membersWithoutDefault.has(field) && isDeepStrictEqual(value, defaultOf(schema))) continue;
      entry[field] = value;
    }
    return entry;
  }

  function writeMember({ section }: Kind, item: Item, field: string): unknown {
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
          chart: chartOf(item),
        };
      if (!fedMembers.has(field)) return undefined;
    }
    if (section === 'scrape_jobs' && item['discovery_job_id'] !== null) {
      if (field === 'fed_by') return writeFedBy(item);
      if (!discoveredMembers.has(field)) return undefined;
    }
    if (section === 'scrape_jobs') {
      const isManual = item['parser_type'] === 'manual';
      if (field === 'version')
        return options.withVersions && isManual ? escapeEnvironment(item['latest_version']) : undefined;
      if (field === 'ref' && item['ref'] === 'HEAD') return undefined;
    }
    return escapeEnvironment(valueInFile(section, field, item));
  }

  function writeFedBy(job: Item): Item {
    const item = job['followed_item'] as Item | undefined;
    if (!item) throw new CliError('A resource was deleted during the export. Try again.');
    return {
      discovery_job: toReference('discovery_jobs', job['discovery_job_id']),
      key: escapeEnvironment(item['key']),
      ...(item['discriminator'] !== '' && { discriminator: escapeEnvironment(item['discriminator']) }),
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
        // The server shortens the URL for viewers.
        if (String(channel['url']).endsWith('/…'))
          throw new CliError(
            "Viewers can't read channel URLs. Use a login or key with the member role.",
            exitCodes.notAllowed,
          );
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
        // If some options are required, it's unknown whether optional ones are stored too.
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

  function writeReference(kind: Kind, member: string, value: unknown): unknown {
    const { section } = kind.references[member]!;
    return Array.isArray(value)
      ? value.map((id) => toReference(section, id))
      : value && toReference(section, value);
  }

  /** Returns the name of a resource. If the name isn't unique, returns it with a key or scope. */
  function toReference(section: Section, id: unknown): unknown {
    const isOwn = exported[section].some((item) => item['id'] === id);
    const among = isOwn ? exported[section] : state.global[section];
    const item = among.find((each) => each['id'] === id);
    if (!item) throw new CliError('A resource was deleted during the export. Try again.');
    const key = duplicateNumber(among, item);
    const name = escapeEnvironment(item['name']);
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
 * Selects all resources of the organization. Gather jobs that a Helm sync created are included only if they
 * are used or were changed.
 */
function chooseItems({ own }: ServerState): Record<Section, Item[]> {
  const used = new Set(own.alert_configs.map((config) => config['gather_job_id']));
  const gatherJobs = own.gather_jobs.filter(
    (job) => job['helm_sync_job_id'] === null || used.has(job['id']) || !hasSyncDefaults(job),
  );
  return { ...own, gather_jobs: gatherJobs };
}

function hasSyncDefaults(job: Item): boolean {
  return (
    job['name'] === chartOf(job).slice(0, 200) &&
    job['version_scheme'] === 'semver' &&
    job['version_pattern'] === null &&
    job['include_prereleases'] === true &&
    job['max_releases'] === null &&
    job['is_active'] === true
  );
}
