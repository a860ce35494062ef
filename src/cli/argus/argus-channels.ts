import { ownValue } from '../../domain/json/own-value.ts';
import { withoutSurrounding } from '../../domain/text/trailing.ts';
import type { Item } from '../call-operation.ts';
import { type ArgusNotifier, itemOf, textOf } from './read-argus.ts';

/**
 * Returns the text that replaces a secret: a reference to a variable, or the secret itself if secrets are
 * exported.
 */
export type SecretReplacer = (value: string, purpose: string, ...nameParts: string[]) => string;

export interface ConvertedChannels {
  /** Channels without names, which the caller adds. A notifier with several receivers becomes several channels. */
  channels: Item[];
  notes: string[];
}

/** Converts a notifier of Argus (shoutrrr) to notification channels if a preset for its platform exists. */
export function toChannels(id: string, notifier: ArgusNotifier, secret: SecretReplacer): ConvertedChannels {
  const { type, urlFields, params, options } = notifier;
  const field = (name: string) => ownValue(urlFields, name) ?? '';
  const notes: string[] = [];
  if (options['message'] !== undefined || params['title'] !== undefined)
    notes.push('message and title are not imported; the preset provides them');
  const host = () =>
    `${field('host')}${field('port') === '' || field('port') === '443' ? '' : `:${field('port')}`}`;
  const path = () => (field('path') === '' ? '' : `/${withoutSurrounding(field('path'), '/')}`);
  const hidden = (value: string, what: string, ...name: string[]) =>
    secret(value, `notify "${id}": ${what}`, id, ...name);
  const one = (channel: Item): ConvertedChannels => ({ channels: [channel], notes });

  switch (type) {
    case 'slack': {
      // The token of an incoming webhook has the form hook:A-B-C, where A, B, and C are the last parts of the webhook
      // URL.
      const [, parts] =
        /^(?:hook:)?([A-Za-z0-9]+-[A-Za-z0-9]+-[A-Za-z0-9]+)(?:@.*)?$/.exec(field('token')) ?? [];
      if (parts === undefined || field('token').startsWith('xox'))
        return { channels: [], notes: ["Slack bot tokens aren't supported; create an incoming webhook"] };
      const address = `https://hooks.slack.com/services/${parts.replaceAll('-', '/')}`;
      return one({ preset: 'slack', url: hidden(address, 'the incoming webhook URL', 'URL') });
    }
    case 'discord': {
      const token = hidden(field('token'), 'url_fields.token', 'TOKEN');
      return one({
        preset: 'discord',
        url: `https://discord.com/api/webhooks/${field('webhookid')}/${token}`,
      });
    }
    case 'mattermost': {
      const token = hidden(field('token'), 'url_fields.token', 'TOKEN');
      return one({ preset: 'mattermost', url: `https://${host()}${path()}/hooks/${token}` });
    }
    case 'gotify': {
      const scheme = /^(y|yes|true|1)$/i.test(params['disabletls'] ?? '') ? 'http' : 'https';
      const token = hidden(field('token'), 'url_fields.token', 'TOKEN');
      const priority = params['priority'];
      return one({
        preset: 'gotify',
        url: `${scheme}://${host()}${path()}/message`,
        headers: { 'X-Gotify-Key': token },
        ...(priority !== undefined && /^([0-9]|10)$/.test(priority) && { preset_options: { priority } }),
      });
    }
    case 'ntfy': {
      const login = `${field('username')}:${field('password')}`;
      const basic = `Basic ${Buffer.from(login).toString('base64')}`;
      return one({
        preset: 'ntfy',
        url: `${params['scheme'] ?? 'https'}://${host() || 'ntfy.sh'}`,
        ...(login !== ':' && {
          headers: { Authorization: hidden(basic, 'Basic and user:password in base64', 'LOGIN') },
        }),
        preset_options: { topic: hidden(field('topic'), 'url_fields.topic', 'TOPIC') },
      });
    }
    case 'telegram': {
      const token = hidden(field('token'), 'url_fields.token', 'TOKEN');
      const chats = (params['chats'] ?? '').split(',').map((chat) => chat.trim());
      const url = `https://api.telegram.org/bot${token}/sendMessage`;
      const channels = chats
        .filter((chat) => chat !== '')
        .map((chat) => ({ preset: 'telegram', url, preset_options: { chat_id: chat } }));
      return { channels, notes };
    }
    case 'generic': {
      notes.push("imported as disabled: its receiver must accept Pacekeeper's message format");
      const address = `${/^(y|yes|true|1)$/i.test(params['disabletls'] ?? '') ? 'http' : 'https'}://${host()}${path()}`;
      return one({ preset: 'generic', url: hidden(address, 'the address', 'URL'), is_active: false });
    }
    case 'teams':
      return {
        channels: [],
        notes: ['Teams connectors are retired; create a workflow and a channel with the teams preset'],
      };
    default:
      return { channels: [], notes: [`no preset for ${type}`] };
  }
}

/**
 * Converts a webhook of Argus to a disabled channel. The webhook simulates a push event of GitHub or GitLab,
 * a format that no channel supports.
 */
export function toWebhookChannel(id: string, webhook: Item, secret: SecretReplacer): ConvertedChannels {
  const url = textOf(webhook['url']);
  if (url === null) return { channels: [], notes: ['url is missing'] };
  const notes = [
    `imported as disabled: it simulated a ${textOf(webhook['type']) ?? 'github'} push event, and its receiver must accept Pacekeeper's message format`,
  ];
  const headers: Record<string, string> = {};
  for (const [name, value] of headersOf(webhook)) {
    if (/\{[{%]/.test(value)) notes.push(`header ${name} uses a template; headers don't support templates`);
    else headers[name] = secret(value, `webhook "${id}": header ${name}`, id, 'HEADER', name);
  }
  if (webhook['secret'] !== undefined)
    notes.push('its secret uses X-Hub-Signature; set a signing_secret on the channel');
  const address = secret(url, `webhook "${id}": url`, id, 'URL');
  return {
    channels: [
      {
        preset: 'generic',
        url: address,
        ...(Object.keys(headers).length > 0 && { headers }),
        is_active: false,
      },
    ],
    notes,
  };
}

/**
 * Returns the headers of a webhook. They are a list of keys and values. In older files, they can be a map,
 * and the field can be named `custom_headers`.
 */
function headersOf(webhook: Item): [string, string][] {
  const given = webhook['headers'] ?? webhook['custom_headers'];
  if (!Array.isArray(given))
    return Object.entries(itemOf(given)).map(([name, value]) => [name, textOf(value) ?? '']);
  return given.map((header): [string, string] => [
    textOf(itemOf(header)['key']) ?? '',
    textOf(itemOf(header)['value']) ?? '',
  ]);
}
