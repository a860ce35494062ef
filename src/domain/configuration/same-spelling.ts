import { normalizeRepositoryUrl } from '../artifacts/chart-names.ts';
import { readHost } from '../artifacts/host.ts';
import { parseRepositoryUrl } from '../artifacts/repository-url.ts';
import { normalizeRecipients } from '../channels/email-recipients.ts';
import { type RepositoryFilter, toRepositoryFilter } from '../discovery/repository-group.ts';
import { normalizePrefix } from '../identity/artifact-aliases.ts';
import { normalizePurls } from '../identity/job-identity.ts';
import { normalizeProjectUrl } from '../identity/project-url.ts';
import { type Item, isItem, isSameJson } from '../json/json-item.ts';
import { normalizePrometheusUrl, normalizeScrapeUrl } from '../prometheus/prometheus-address.ts';
import { type SourceTypeId, sourceTypes } from '../source-types/source-types.ts';
import { isTracker, normalizeProject, normalizeTrackerUrl, type TrackerType } from '../tickets/trackers.ts';
import { type IgnoreRequest, toStoredIgnore } from '../vulnerabilities/ignored-vulnerability.ts';
import { normalizePackages } from '../vulnerabilities/osv-package.ts';
import type { Section } from './kinds.ts';

/** Fields with lists whose order doesn't matter. */
const sets: ReadonlySet<string> = new Set([
  'severities',
  'event_types',
  'rule_ids',
  'alert_config_ids',
  'channel_ids',
  'always_for',
  'owners',
]);

/**
 * True if a value in a file equals the stored value. The server normalizes values such as URLs, so another
 * spelling in the file isn't a change.
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
  if (section === 'notification_channels' && member === 'recipients' && Array.isArray(wanted))
    return isSameSet(new Set(normalizeRecipients(wanted.map(String))), new Set(actual as unknown[]));
  if ((member === 'ignored_versions' || member === 'counted_versions') && Array.isArray(wanted))
    return isSameJson(
      wanted.map((version) => String(version).trim()),
      actual,
    );
  if (member === 'purls' && Array.isArray(wanted)) {
    const normalized = normalizePurls(wanted.map(String));
    return normalized.ok && isSameJson(normalized.purls, actual);
  }
  if (member === 'vulnerability_packages' && Array.isArray(wanted)) {
    const normalized = normalizePackages(wanted.map(String));
    return normalized.ok && isSameJson(normalized.packages, actual);
  }
  if (member === 'ignored_vulnerabilities' && Array.isArray(wanted))
    return isSameJson(wanted.map(withTime), actual);
  // Omitted values aren't changes: the server adds defaults to the filter, and derives the forge from the host name.
  if (section === 'discovery_jobs' && member === 'repository_filter' && actual !== null)
    return isSameJson(toRepositoryFilter((wanted ?? {}) as Partial<RepositoryFilter>), actual);
  if (section === 'discovery_jobs' && member === 'forge' && wanted === null) return true;
  if (section === 'discovery_jobs' && member === 'label_rules' && Array.isArray(wanted))
    return isSameJson(wanted.map(withLabels), actual);
  if (section === 'discovery_jobs' && member === 'custom_extractors' && Array.isArray(wanted))
    return isSameJson(wanted.map(withTemplates), actual);
  if (section === 'discovery_jobs' && member === 'source_credentials' && Array.isArray(wanted))
    return isSameJson(wanted.map(withHost), actual);
  if (typeof wanted !== 'string' || typeof actual !== 'string') return false;
  switch (`${section}.${member}`) {
    case 'notification_channels.project':
      return projectOfTracker(wanted, entry['channel_type']) === actual;
    case 'notification_channels.url':
      return addressOfTracker(wanted, entry['channel_type']) === actual;
    case 'gather_jobs.artifact_name':
    case 'artifact_corrections.artifact_name':
      return artifactKey(wanted, entry['source_type']) === artifactKey(actual, entry['source_type']);
    case 'gather_jobs.project_url':
      return projectKey(wanted) === projectKey(actual);
    case 'artifact_aliases.prefix':
    case 'artifact_aliases.upstream_prefix':
      return prefixKey(wanted) === prefixKey(actual);
    case 'helm_sync_jobs.repository_url':
      return indexKey(wanted) === indexKey(actual);
    case 'scrape_jobs.url':
      return scrapeKey(wanted, entry['source']) === scrapeKey(actual, entry['source']);
    case 'scrape_jobs.repository_url':
    case 'discovery_jobs.repository_url':
    case 'discovery_jobs.group_url':
      return gitKey(wanted) === gitKey(actual);
    default:
      return false;
  }
}

function projectOfTracker(project: string, type: unknown): string {
  const normalized = isTrackerType(type) ? normalizeProject(type, project) : null;
  return normalized?.ok === true ? normalized.project : project;
}

function addressOfTracker(url: string, type: unknown): string {
  return isTrackerType(type) ? normalizeTrackerUrl(type, url) : url;
}

function isTrackerType(type: unknown): type is TrackerType {
  return typeof type === 'string' && isTracker(type);
}

function scrapeKey(url: string, source: unknown): string {
  const address = source === 'prometheus' ? normalizePrometheusUrl(url) : normalizeScrapeUrl(url);
  return address.ok ? address.url : url;
}

/** Adds empty labels to a rule without labels, as the server does when it stores the rule. */
function withLabels(rule: unknown): unknown {
  return isItem(rule) ? { labels: {}, ...rule } : rule;
}

/** Adds empty templates to a pattern without templates, as the server does when it stores the pattern. */
function withTemplates(extractor: unknown): unknown {
  return isItem(extractor) ? { templates: {}, ...extractor } : extractor;
}

function isIgnoreRequest(value: unknown): value is IgnoreRequest {
  if (!isItem(value)) return false;
  const { id, until, note } = value;
  return (
    typeof id === 'string' &&
    (until == null || typeof until === 'string') &&
    (note === undefined || typeof note === 'string')
  );
}

function withTime(ignored: unknown): unknown {
  return isIgnoreRequest(ignored) ? toStoredIgnore(ignored) : ignored;
}

function withHost(credential: unknown): unknown {
  if (!isItem(credential) || typeof credential['host'] !== 'string') return credential;
  return { ...credential, host: readHost(credential['host']) ?? credential['host'] };
}

function isSameSet(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

/**
 * Returns the normalized artifact name, or the text if it can't be parsed. The server reports invalid values.
 */
function artifactKey(name: string, sourceType: unknown): string {
  if (!isSourceType(sourceType)) return name;
  const artifact = sourceTypes[sourceType].normalizeArtifactName(name);
  return artifact.ok ? artifact.artifactName : name;
}

function isSourceType(text: unknown): text is SourceTypeId {
  return typeof text === 'string' && Object.hasOwn(sourceTypes, text);
}

/** Returns the normalized URL of a Helm repository. The URL keeps its scheme, so a different scheme is a change. */
function indexKey(text: string): string {
  const repository = normalizeRepositoryUrl(text);
  return repository.ok ? repository.repositoryUrl : text;
}

function prefixKey(text: string): string {
  const prefix = normalizePrefix(text);
  return prefix.ok ? prefix.prefix : text;
}

function projectKey(text: string): string {
  const project = normalizeProjectUrl(text);
  return project.ok ? project.url : text;
}

function gitKey(text: string): string {
  const parsed = parseRepositoryUrl(text);
  return parsed.ok ? parsed.url : text;
}
