import { isDeepStrictEqual } from 'node:util';
import { parseRepositoryUrl } from '../../domain/repositories/repository-url.ts';
import type { Item } from '../call-operation.ts';
import type { Section } from './kinds.ts';

/** Lists in which the order says nothing. */
const sets: ReadonlySet<string> = new Set([
  'severities',
  'event_types',
  'rule_ids',
  'alert_config_ids',
  'channel_ids',
]);

/**
 * Whether what a file wants is what the server has. The server keeps addresses in one spelling, so that a file which
 * writes them otherwise wants no change.
 */
export function isSameValue(
  section: Section,
  member: string,
  wanted: unknown,
  actual: unknown,
  entry: Item,
): boolean {
  if (isDeepStrictEqual(wanted ?? null, actual ?? null)) return true;
  if (Array.isArray(wanted) && Array.isArray(actual) && sets.has(member))
    return isDeepStrictEqual(new Set(wanted), new Set(actual));
  if (member === 'ignored_versions' && Array.isArray(wanted))
    return isDeepStrictEqual(
      wanted.map((version) => String(version).trim()),
      actual,
    );
  if (typeof wanted !== 'string' || typeof actual !== 'string') return false;
  switch (`${section}.${member}`) {
    case 'gather_jobs.artifact_name':
      return artifactKey(wanted, entry['source_type']) === artifactKey(actual, entry['source_type']);
    case 'helm_sync_jobs.repository_url':
      return indexKey(wanted) === indexKey(actual);
    case 'scrape_jobs.repository_url':
      return gitKey(wanted) === gitKey(actual);
    default:
      return false;
  }
}

function artifactKey(name: string, sourceType: unknown): string {
  const text = name.trim();
  switch (sourceType) {
    case 'git_tags':
      return gitKey(/^[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[^/]+:/i.test(text) ? text : `https://${text}`);
    case 'http_json':
      return withScheme(text, (url) => {
        url.hash = '';
        return url.href;
      });
    case 'oci_registry': {
      const bare = text.replace(/^(?:oci|docker|https?):\/\//i, '').replace(/\/+$/, '');
      const [first = '', ...rest] = bare.split('/');
      const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
      const path = isHost ? rest.join('/') : bare;
      const host = isHost ? first.toLowerCase().replace(/:443$/, '') : 'docker.io';
      const domain = /^(index|registry-1|registry\.hub)\.docker\.(io|com)$/.test(host) ? 'docker.io' : host;
      return `${domain}/${domain === 'docker.io' && !path.includes('/') ? `library/${path}` : path}`;
    }
    default: {
      const key = addressKey(text);
      return sourceType === 'helm_repository'
        ? key
        : key.replace(/^www\.github\.com\//, 'github.com/').replace(/\.git$/, '');
    }
  }
}

/** `host/path`, the host in lower case. */
function addressKey(text: string): string {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '');
  const slash = bare.indexOf('/');
  const host = (slash < 0 ? bare : bare.slice(0, slash)).toLowerCase().replace(/:443$/, '');
  return slash < 0 ? host : host + bare.slice(slash);
}

/** Of a Helm repository, whose scheme counts. */
function indexKey(text: string): string {
  return withScheme(
    text.trim(),
    ({ origin, pathname }) =>
      origin +
      pathname
        .replace(/\/+$/, '')
        .replace(/\/index\.yaml$/, '')
        .replace(/\/+$/, ''),
  );
}

function gitKey(text: string): string {
  const parsed = parseRepositoryUrl(text);
  return parsed.ok ? parsed.url : text;
}

function withScheme(text: string, read: (url: URL) => string): string {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  return URL.canParse(full) ? read(new URL(full)) : text;
}
