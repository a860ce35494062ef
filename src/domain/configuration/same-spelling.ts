import { type ArtifactSourceType, artifactNames } from '../artifacts/artifact-names.ts';
import { normalizeRepositoryUrl } from '../artifacts/chart-names.ts';
import { parseRepositoryUrl } from '../repositories/repository-url.ts';
import { type Item, isSameJson } from './json-item.ts';
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
  if (isSameJson(wanted ?? null, actual ?? null)) return true;
  if (Array.isArray(wanted) && Array.isArray(actual) && sets.has(member))
    return isSameSet(new Set(wanted), new Set(actual));
  if ((member === 'ignored_versions' || member === 'counted_versions') && Array.isArray(wanted))
    return isSameJson(
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

function isSameSet(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

/** What cannot be read is compared as it is written: the server says what is wrong with it. */
function artifactKey(name: string, sourceType: unknown): string {
  if (!isSourceType(sourceType)) return name;
  const artifact = artifactNames[sourceType](name);
  return artifact.ok ? artifact.artifactName : name;
}

function isSourceType(text: unknown): text is ArtifactSourceType {
  return typeof text === 'string' && Object.hasOwn(artifactNames, text);
}

/** Of a Helm repository, whose scheme counts. */
function indexKey(text: string): string {
  const repository = normalizeRepositoryUrl(text);
  return repository.ok ? repository.repositoryUrl : text;
}

function gitKey(text: string): string {
  const parsed = parseRepositoryUrl(text);
  return parsed.ok ? parsed.url : text;
}
