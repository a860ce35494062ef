import { isItem } from '../../domain/json/json-item.ts';
import type { Item } from '../call-operation.ts';
import { createVariableNamer, escapeEnvironmentReferences } from '../configuration/environment-values.ts';
import { type SecretReplacer, toChannels, toWebhookChannel } from './argus-channels.ts';
import { toScrapeJob } from './argus-deployed-version.ts';
import { toCron, toVersionPattern } from './argus-patterns.ts';
import { type ArgusConfig, type ArgusService, textOf } from './read-argus.ts';

export interface ConvertedArgus {
  /** A configuration for `apply`. */
  document: Item;
  variables: Map<string, string>;
  /**
   * Parts that are missing from the document or only approximated, with the reason. `about` names the part.
   */
  notes: { about: string; note: string }[];
}

/**
 * Argus notifies about every newer release, even a patch release. A threshold of one day behind is the closest
 * equivalent.
 */
const rule = {
  name: 'Newer release',
  description: 'Alerts on any release newer than the deployed version, like Argus.',
  rule_type: 'days_behind',
  thresholds: { moderate: 1 },
};

/**
 * Converts the parts of an Argus configuration that have a counterpart and adds a note for each other part.
 */
export function convertArgus(config: ArgusConfig, options: { withSecrets: boolean }): ConvertedArgus {
  const variables = new Map<string, string>();
  const notes: ConvertedArgus['notes'] = [];
  const nameVariable = createVariableNamer();
  const secret: SecretReplacer = (value, purpose, ...parts) => {
    // Argus configurations can contain variables too. A value that is a single variable keeps the name of the variable.
    const whole = /^\$\{([A-Za-z_]\w*)\}$/.exec(value);
    if (whole) {
      variables.set(whole[1]!, purpose);
      return `\${env:${whole[1]}}`;
    }
    if (options.withSecrets) return withVariables(value, (name) => variables.set(name, purpose));
    const name = nameVariable('ARGUS', ...parts);
    variables.set(name, purpose);
    return `\${env:${name}}`;
  };

  const gatherJobs: Item[] = [];
  const scrapeJobs: Item[] = [];
  const alertConfigs: Item[] = [];
  const channels = convertChannels(config, secret, notes);
  const namesByUse = new Map<string, string[]>();
  for (const service of config.services) {
    const about = `service "${service.id}"`;
    const addNote = (note: string) => notes.push({ about, note });
    const source = toSource(service, addNote);
    reportUnsupported(service, addNote);
    if (!source) continue;
    const { name, isActive } = service;
    const off = isActive ? {} : { is_active: false };
    gatherJobs.push({ name, ...source, cron_expression: toCron(service.interval), ...off });
    scrapeJobs.push({ name, ...toScrapeJob(service, options, addNote), ...off });
    const pattern = textOf(service.require['regex_version']);
    alertConfigs.push({
      name,
      scrape_job: name,
      gather_job: name,
      rule: rule.name,
      ...(pattern !== null && { candidate_pattern: pattern }),
      ...off,
    });
    const uses = [
      ...service.notifiers.map(({ id, isOwn }) => channelKey(isOwn ? service.id : null, 'notify', id)),
      ...service.webhooks.map(({ id, isOwn }) => channelKey(isOwn ? service.id : null, 'webhook', id)),
    ];
    for (const use of uses) namesByUse.set(use, [...(namesByUse.get(use) ?? []), name]);
  }
  const notificationRules = [...channels].flatMap(([key, converted]) => {
    const configs = namesByUse.get(key);
    const [first] = converted;
    if (!configs || !first) return [];
    return {
      name: `Argus: ${String(first['name'])}`,
      event_types: ['alert.created'],
      alert_configs: configs,
      channels: converted.map((channel) => channel['name']),
    };
  });

  const sections = {
    rules: alertConfigs.length > 0 ? [rule] : [],
    gather_jobs: gatherJobs,
    scrape_jobs: scrapeJobs,
    notification_channels: [...channels.values()].flat(),
    alert_configs: alertConfigs,
    notification_rules: notificationRules,
  };
  const document = Object.fromEntries(Object.entries(sections).filter(([, list]) => list.length > 0));
  return { document, variables, notes };
}

/**
 * Converts notifiers and webhooks to channels. If a service overrides a notifier or webhook, the override
 * becomes a separate channel.
 */
function convertChannels(
  { notifiers, webhooks, services }: ArgusConfig,
  secret: SecretReplacer,
  notes: ConvertedArgus['notes'],
): Map<string, Item[]> {
  const channels = new Map<string, Item[]>();
  const add = (
    owner: string | null,
    kind: 'notify' | 'webhook',
    id: string,
    convert: (title: string) => ReturnType<typeof toChannels>,
  ) => {
    const title = owner === null ? id : `${owner}: ${id}`;
    const { channels: converted, notes: remarks } = convert(title);
    for (const note of remarks) notes.push({ about: `${kind} "${title}"`, note });
    const named = converted.map((channel, index) => ({
      name: converted.length > 1 ? `${title} (${index + 1})` : title,
      ...channel,
    }));
    channels.set(channelKey(owner, kind, id), named);
  };
  const fromNotifier = (notifier: Parameters<typeof toChannels>[1]) => (title: string) =>
    toChannels(title, notifier, secret);
  const fromWebhook = (webhook: Parameters<typeof toWebhookChannel>[1]) => (title: string) =>
    toWebhookChannel(title, webhook, secret);
  for (const [id, notifier] of notifiers) add(null, 'notify', id, fromNotifier(notifier));
  for (const [id, webhook] of webhooks) add(null, 'webhook', id, fromWebhook(webhook));
  for (const service of services) {
    for (const { id, notifier, isOwn } of service.notifiers)
      if (isOwn) add(service.id, 'notify', id, fromNotifier(notifier));
    for (const { id, webhook, isOwn } of service.webhooks)
      if (isOwn) add(service.id, 'webhook', id, fromWebhook(webhook));
  }
  return channels;
}

function channelKey(owner: string | null, kind: 'notify' | 'webhook', id: string): string {
  return JSON.stringify([owner, kind, id]);
}

/** Converts `latest_version` to the source of a gather job. Null if no source matches. */
function toSource({ latest }: ArgusService, addNote: (note: string) => void): Item | null {
  const url = textOf(latest['url']) ?? '';
  const type = (textOf(latest['type']) ?? '').toLowerCase();
  if (/\$\{/.test(url)) {
    addNote(`latest_version.url ${url} contains a variable; create the gather job manually`);
    return null;
  }
  const github = /^(?:https?:\/\/(?:www\.)?github\.com\/)?([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url);
  if (type === 'github' && github) {
    const { pattern, notes } = toVersionPattern(latest['url_commands']);
    for (const note of notes) addNote(`latest_version.url_commands: ${note}`);
    return {
      source_type: 'github_releases',
      artifact_name: `github.com/${github[1]}`,
      ...(pattern !== null && { version_pattern: pattern }),
      ...(latest['use_prerelease'] !== true && { include_prereleases: false }),
    };
  }
  const page = /^https?:\/\/(?:www\.)?github\.com\/([\w.-]+\/[\w.-]+)\/(tags|releases)(?:[/?].*)?$/.exec(url);
  if (page) {
    addNote(
      `latest_version.url_commands searched the page ${url}; imported as ${page[2] === 'tags' ? 'repository tags' : 'releases'} without a pattern`,
    );
    return page[2] === 'tags'
      ? { source_type: 'git_tags', artifact_name: `https://github.com/${page[1]}` }
      : { source_type: 'github_releases', artifact_name: `github.com/${page[1]}` };
  }
  const gitlab =
    /^(https?:\/\/[^/]+\/api\/v4\/projects\/[^/]+)\/(repository\/tags|releases)\/?(?:\?.*)?$/.exec(url);
  if (gitlab) {
    addNote(
      'latest_version.url_commands searched the response text; imported as JSON fields without a pattern',
    );
    const path = gitlab[2] === 'releases' ? 'tag_name' : 'name';
    return { source_type: 'http_json', artifact_name: url, source_options: { version_path: `[*].${path}` } };
  }
  const given: unknown = latest['url_commands'];
  const command: unknown = Array.isArray(given) ? given[0] : given;
  const { pattern, notes } = toVersionPattern(given);
  for (const note of notes) addNote(`latest_version.url_commands: ${note}`);
  // Commands of other types work on a tag, so they can't find a version on a web page.
  const isRegex = isItem(command) && (textOf(command['type']) ?? '').startsWith('regex');
  if (/^https?:\/\//.test(url) && pattern !== null && isRegex) {
    return { source_type: 'http_text', artifact_name: url, source_options: { version_regex: pattern } };
  }
  addNote(
    `latest_version: ${type} ${url} searches a web page without a pattern that can be converted, which isn't supported. If the project publishes releases, tags, a chart, or an image, create a gather job for that`,
  );
  return null;
}

function reportUnsupported(service: ArgusService, addNote: (note: string) => void): void {
  const { latest, require, dashboard, hasCommands, comment } = service;
  if (latest['access_token'] !== undefined)
    addNote(
      'latest_version.access_token: add it to an agent as a credential and reference it in credential_name',
    );
  if (latest['allow_invalid_certs'] === true)
    addNote('latest_version.allow_invalid_certs: not supported; certificates are always verified');
  for (const member of ['regex_content', 'command', 'docker'])
    if (require[member] !== undefined) addNote(`latest_version.require.${member}: not supported`);
  if (hasCommands) addNote("command: not supported; Pacekeeper doesn't run commands");
  const shown = ['auto_approve', 'icon', 'icon_link_to', 'web_url', 'tags'].filter(
    (member) => dashboard[member] !== undefined,
  );
  if (shown.length > 0) addNote(`dashboard.${shown.join(', dashboard.')}: not supported`);
  if (comment !== null)
    addNote(`comment: not imported; jobs have no description ("${comment.slice(0, 80)}")`);
}

/** Converts `${NAME}`, a variable of Argus, to `${env:NAME}`. Any other text is literal and gets escaped. */
function withVariables(text: string, use: (name: string) => void): string {
  return String(escapeEnvironmentReferences(text)).replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name: string) => {
    use(name);
    return `\${env:${name}}`;
  });
}
