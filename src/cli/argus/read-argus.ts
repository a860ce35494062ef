import { type Item, isItem } from '../call-operation.ts';
import { usageError } from '../cli-error.ts';

/**
 * The part of an Argus configuration (https://release-argus.io/docs/config/) that the import uses. In older
 * files, the fields of `latest_version`, `options`, and `dashboard` are directly in the service.
 */
export interface ArgusConfig {
  services: ArgusService[];
  /**
   * Notifiers by ID, merged with the defaults of their type. Keys in `url_fields`, `params`, and `options`
   * are lowercase.
   */
  notifiers: Map<string, ArgusNotifier>;
  webhooks: Map<string, Item>;
}

export interface ArgusService {
  id: string;
  name: string;
  isActive: boolean;
  /** Interval such as `10m`, or a number of seconds. */
  interval: string;
  latest: Item;
  require: Item;
  deployed: Item | null;
  dashboard: Item;
  /**
   * Notifiers of the service. `notifier` is the configured notifier with the same ID, merged with the overrides of the
   * service.
   */
  notifiers: { id: string; notifier: ArgusNotifier; isOwn: boolean }[];
  webhooks: { id: string; webhook: Item; isOwn: boolean }[];
  hasCommands: boolean;
  comment: string | null;
}

export interface ArgusNotifier {
  type: string;
  urlFields: Record<string, string>;
  params: Record<string, string>;
  options: Record<string, string>;
}

/** Current section of each field that older files have directly in the service. */
const movedFields: Readonly<Record<string, 'latest_version' | 'options' | 'dashboard' | 'require'>> = {
  type: 'latest_version',
  url: 'latest_version',
  allow_invalid_certs: 'latest_version',
  access_token: 'latest_version',
  use_prerelease: 'latest_version',
  url_commands: 'latest_version',
  active: 'options',
  interval: 'options',
  semantic_versioning: 'options',
  auto_approve: 'dashboard',
  icon: 'dashboard',
  icon_link_to: 'dashboard',
  web_url: 'dashboard',
  regex_content: 'require',
  regex_version: 'require',
};

/** Default interval of Argus. */
const defaultInterval = '10m';

export function readArgus(config: unknown): ArgusConfig {
  const root = itemOf(config);
  if (!isItem(root['service'])) throw usageError('No services found. Is this an Argus configuration?');
  const defaults = itemOf(root['defaults']);
  const serviceDefaults = toCurrentFormat(itemOf(defaults['service']));
  const notifiers = new Map(
    Object.entries(itemOf(root['notify'])).map(([id, notify]) => [
      id,
      toNotifier(id, itemOf(notify), defaults),
    ]),
  );
  const webhooks = new Map(
    Object.entries(itemOf(root['webhook'])).map(([id, webhook]) => [
      id,
      { ...itemOf(defaults['webhook']), ...itemOf(webhook) },
    ]),
  );

  const services = Object.entries(root['service']).map(([id, given]): ArgusService => {
    const service = toCurrentFormat(itemOf(given));
    const merged = (part: string) => ({ ...itemOf(serviceDefaults[part]), ...itemOf(service[part]) });
    const options = merged('options');
    const { require, ...latest } = merged('latest_version');
    const notify = nonEmpty(service['notify']) ?? nonEmpty(serviceDefaults['notify']) ?? {};
    const hooks = nonEmpty(service['webhook']) ?? nonEmpty(serviceDefaults['webhook']) ?? {};
    return {
      id,
      name: textOf(service['name']) ?? id,
      isActive: options['active'] !== false,
      interval: textOf(options['interval']) ?? defaultInterval,
      latest,
      require: itemOf(require),
      deployed: isItem(service['deployed_version']) ? service['deployed_version'] : null,
      dashboard: itemOf(service['dashboard']),
      notifiers: Object.entries(notify).map(([notifierId, own]) => {
        const known = notifiers.get(notifierId);
        const configured = toNotifier(notifierId, itemOf(own), known ? {} : defaults);
        const notifier = known ? mergeNotifiers(known, configured, itemOf(own)) : configured;
        const hasOverrides =
          !known ||
          ['urlFields', 'params'].some((part) => Object.keys(configured[part as 'params']).length > 0);
        return { id: notifierId, notifier, isOwn: hasOverrides };
      }),
      webhooks: Object.entries(hooks).map(([hookId, own]) => {
        const known = webhooks.get(hookId);
        const hasOverrides = !known || ['url', 'headers', 'secret'].some((part) => part in itemOf(own));
        return { id: hookId, webhook: { ...known, ...itemOf(own) }, isOwn: hasOverrides };
      }),
      hasCommands: Array.isArray(service['command']) && service['command'].length > 0,
      comment: textOf(service['comment']),
    };
  });
  return { services, notifiers, webhooks };
}

/** Converts a service, or the defaults of services, to the current format of Argus. */
function toCurrentFormat(service: Item): Item {
  const result: Item = { ...service };
  const latest = itemOf(service['latest_version']);
  const require = { ...itemOf(latest['require']) };
  const parts = { latest_version: { ...latest }, options: {}, dashboard: {}, require } as Record<
    string,
    Item
  >;
  for (const [member, part] of Object.entries(movedFields)) {
    if (service[member] === undefined) continue;
    parts[part]![member] = service[member];
    delete result[member];
  }
  const latestVersion = { ...parts['latest_version'], ...(Object.keys(require).length > 0 && { require }) };
  return {
    ...result,
    latest_version: latestVersion,
    options: { ...parts['options'], ...itemOf(service['options']) },
    dashboard: { ...parts['dashboard'], ...itemOf(service['dashboard']) },
  };
}

/** Merges a notifier with the defaults of its type. Without a `type`, the ID is the type. */
function toNotifier(id: string, notify: Item, defaults: Item): ArgusNotifier {
  const type = (textOf(notify['type']) ?? id).toLowerCase();
  const byType = itemOf(itemOf(defaults['notify'])[type]);
  const part = (name: string) => ({ ...lowerCaseTexts(byType[name]), ...lowerCaseTexts(notify[name]) });
  return { type, urlFields: part('url_fields'), params: part('params'), options: part('options') };
}

function mergeNotifiers(known: ArgusNotifier, own: ArgusNotifier, configured: Item): ArgusNotifier {
  return {
    type: configured['type'] === undefined ? known.type : own.type,
    urlFields: { ...known.urlFields, ...own.urlFields },
    params: { ...known.params, ...own.params },
    options: { ...known.options, ...own.options },
  };
}

/** Returns the strings of an object with lowercase keys, because keys in Argus are case-insensitive. */
function lowerCaseTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(itemOf(value)).flatMap(([key, inner]) => {
      const text = textOf(inner);
      return text === null ? [] : [[key.toLowerCase(), text]];
    }),
  );
}

export function itemOf(value: unknown): Item {
  return isItem(value) ? value : {};
}

export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

function nonEmpty(value: unknown): Item | null {
  return isItem(value) && Object.keys(value).length > 0 ? value : null;
}
