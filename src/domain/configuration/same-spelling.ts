import { type ArtifactSourceType, artifactNames } from '../artifacts/artifact-names.ts';
import { normalizeRepositoryUrl } from '../artifacts/chart-names.ts';
import { parseRepositoryUrl } from '../repositories/repository-url.ts';
import { type Item, isSameJson } from './json-item.ts';
import type { Section } from './kinds.ts';

/** Lists whose order doesn't matter. */
const sets: ReadonlySet<string> = new Set([
  'severities',
  'event_types',
  'rule_ids',
  'alert_config_ids',
  'channel_ids',
]);

/**
 * Whether a value in a file equals the stored value. The server normalizes addresses, so a file that spells one
 * differently causes no change.
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

/** Values that can't be parsed are compared as written. The server reports what is invalid. */
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
