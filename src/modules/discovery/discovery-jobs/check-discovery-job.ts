import { isDeepStrictEqual } from 'node:util';
import { readHost } from '../../../domain/artifacts/host.ts';
import { checkRef, parseRepositoryUrl } from '../../../domain/artifacts/repository-url.ts';
import { compileLabelRules } from '../../../domain/discovery/guess-labels.ts';
import { maxPathRules, normalizeIgnoreRule } from '../../../domain/discovery/ignore-rules.ts';
import { parsePathPattern } from '../../../domain/discovery/path-pattern.ts';
import {
  parseRepositoryGroup,
  type RepositoryFilter,
  toRepositoryFilter,
} from '../../../domain/discovery/repository-group.ts';
import { invalidField } from '../../../platform/errors.ts';
import { TimeSlices } from '../../../platform/time-slices.ts';
import { checkSchedule } from '../../runs/index.ts';
import { findExtractorError } from '../../settings/index.ts';
import type { DiscoveryJobValues } from '../model/discovery-job-queries.ts';

/** Validates and normalizes the fields of a job. Throws 400 for a source that can't be read. */
export async function checkDiscoveryJob(values: DiscoveryJobValues): Promise<DiscoveryJobValues> {
  const source = checks[values.kind](values);
  for (const field of ['include', 'exclude'] as const) {
    const wrong = values[field].findIndex((pattern) => !isPathPattern(pattern));
    if (wrong >= 0)
      throw invalidField(`${field}.${wrong}`, 'must be a path pattern without "!" or control characters');
  }
  await checkLabelRules(values.label_rules);
  await checkCustomExtractors(values.custom_extractors);
  const ignore_rules = checkIgnoreRules(values.ignore_rules);
  const source_credentials = checkSourceCredentials(values.source_credentials);
  checkSchedule(values);
  return { ...values, ...source, ignore_rules, source_credentials };
}

/** Validates the source fields of each kind of job. Throws 400 for fields of another kind. */
const checks: Readonly<
  Record<
    DiscoveryJobValues['kind'],
    (
      values: DiscoveryJobValues,
    ) => Partial<
      Pick<DiscoveryJobValues, 'repository_url' | 'ref' | 'group_url' | 'forge' | 'repository_filter'>
    >
  >
> = {
  git_repository(values) {
    rejectCluster(values, 'a repository');
    rejectHost(values, 'a repository');
    rejectGroup(values, 'a repository');
    const repository = parseRepositoryUrl(values.repository_url ?? '');
    if (!repository.ok) throw invalidField('repository_url', repository.message);
    const ref = values.ref ?? 'HEAD';
    const refProblem = checkRef(ref);
    if (refProblem) throw invalidField('ref', refProblem);
    return { repository_url: repository.url, ref };
  },
  kubernetes_cluster(values) {
    rejectRepository(values, 'a cluster');
    rejectHost(values, 'a cluster');
    rejectGroup(values, 'a cluster');
    rejectPatterns(values, 'a cluster');
    checkName(values, 'cluster_name', 'a cluster');
    return { ref: null };
  },
  container_host(values) {
    rejectRepository(values, 'a container host');
    rejectCluster(values, 'a container host');
    rejectGroup(values, 'a container host');
    rejectPatterns(values, 'a container host');
    checkName(values, 'host_name', 'a container host');
    return { ref: null };
  },
  repository_group(values) {
    rejectRepository(values, 'a repository group');
    rejectCluster(values, 'a repository group');
    rejectHost(values, 'a repository group');
    if (values.group_url === null) throw invalidField('group_url', 'is required for a repository group');
    const parsed = parseRepositoryGroup(values.group_url, values.forge);
    if (!parsed.ok) throw invalidField(parsed.field, parsed.message);
    const { url, forge } = parsed.group;
    const filter = toRepositoryFilter(values.repository_filter ?? {});
    checkFilter(filter, forge);
    return { ref: null, group_url: url, forge, repository_filter: filter };
  },
};

function checkFilter(filter: RepositoryFilter, forge: NonNullable<DiscoveryJobValues['forge']>): void {
  for (const field of ['include', 'exclude'] as const) {
    const wrong = filter[field].findIndex((pattern) => !isPathPattern(pattern));
    if (wrong >= 0)
      throw invalidField(
        `repository_filter.${field}.${wrong}`,
        'must be a path pattern without "!" or control characters',
      );
  }
  if (forge === 'gitlab' && filter.languages.length > 0)
    throw invalidField(
      'repository_filter.languages',
      "must be empty, because GitLab's list of projects has no languages",
    );
}

function rejectGroup({ group_url, forge, repository_filter }: DiscoveryJobValues, what: string): void {
  if (group_url !== null) throw invalidField('group_url', `must be null for ${what}`);
  if (forge !== null) throw invalidField('forge', `must be null for ${what}`);
  if (repository_filter !== null) throw invalidField('repository_filter', `must be null for ${what}`);
}

function rejectPatterns({ custom_extractors }: DiscoveryJobValues, what: string): void {
  if (custom_extractors.length > 0) throw invalidField('custom_extractors', `must be empty for ${what}`);
}

/** Throws 400 if a repository is set. The default of `ref` is allowed, because it means the same as null. */
function rejectRepository({ repository_url, ref }: DiscoveryJobValues, what: string): void {
  if (repository_url !== null) throw invalidField('repository_url', `must be null for ${what}`);
  if (ref !== null && ref !== 'HEAD') throw invalidField('ref', `must be null for ${what}`);
}

function rejectCluster({ cluster_name, helm_secrets }: DiscoveryJobValues, what: string): void {
  if (cluster_name !== null) throw invalidField('cluster_name', `must be null for ${what}`);
  if (helm_secrets) throw invalidField('helm_secrets', `must be false for ${what}`);
}

function rejectHost({ host_name }: DiscoveryJobValues, what: string): void {
  if (host_name !== null) throw invalidField('host_name', `must be null for ${what}`);
}

function checkName(values: DiscoveryJobValues, field: 'cluster_name' | 'host_name', what: string): void {
  const name = values[field];
  if (name === null) throw invalidField(field, `is required for ${what}`);
  if (/\p{Cc}/u.test(name)) throw invalidField(field, "can't contain control characters");
  if (values.credential_name === null) throw invalidField('credential_name', `is required for ${what}`);
}

/** Throws 400 for an invalid rule. Pauses between rules, because checking each one can take milliseconds. */
export async function checkLabelRules(rules: DiscoveryJobValues['label_rules']): Promise<void> {
  const slices = new TimeSlices();
  for (const [index, rule] of rules.entries()) {
    const compiled = compileLabelRules([rule]);
    if (!compiled.ok) throw invalidField(`label_rules.${index}.pattern`, compiled.message);
    await slices.pause();
  }
}

/** Throws 400 for an invalid pattern. */
export async function checkCustomExtractors(
  extractors: DiscoveryJobValues['custom_extractors'],
  field = 'custom_extractors',
): Promise<void> {
  const error = await findExtractorError(extractors, field);
  if (error) throw invalidField(error.field, error.message);
}

function checkIgnoreRules(rules: DiscoveryJobValues['ignore_rules']): DiscoveryJobValues['ignore_rules'] {
  if (rules.filter(({ path }) => path !== undefined).length > maxPathRules)
    throw invalidField('ignore_rules', `can have at most ${maxPathRules} rules with a path`);
  return rules.map((rule, index) => {
    const normalized = normalizeIgnoreRule(rule);
    if (normalized.ok) return normalized.rule;
    const field = ['ignore_rules', index, normalized.field].filter((part) => part !== '').join('.');
    throw invalidField(field, normalized.message);
  });
}

export function isPathPattern(pattern: string): boolean {
  const parsed = /\p{Cc}/u.test(pattern) ? null : parsePathPattern(pattern);
  return parsed !== null && parsed.segments.length > 0;
}

function checkSourceCredentials(given: DiscoveryJobValues['source_credentials']) {
  const seen = new Set<string>();
  return given.map(({ host: text, credential_name }, index) => {
    const host = readHost(text);
    if (host === null)
      throw invalidField(`source_credentials.${index}.host`, 'must be a host such as ghcr.io');
    if (seen.has(host)) throw invalidField(`source_credentials.${index}.host`, 'must be listed only once');
    seen.add(host);
    return { host, credential_name };
  });
}

/** True if a scan could find other items after the change. */
export function hasDifferentSource(before: DiscoveryJobValues, after: DiscoveryJobValues): boolean {
  return readFields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}

const readFields = [
  ...(['repository_url', 'ref', 'cluster_name', 'helm_secrets', 'host_name'] as const),
  ...(['group_url', 'forge', 'repository_filter'] as const),
  ...(['include', 'exclude', 'extractors', 'label_rules', 'custom_extractors', 'credential_name'] as const),
];
