import { isDeepStrictEqual } from 'node:util';
import { readHost } from '../../../domain/artifacts/host.ts';
import { compileLabelRules } from '../../../domain/discovery/guess-labels.ts';
import { parsePathPattern } from '../../../domain/discovery/path-pattern.ts';
import { checkRef, parseRepositoryUrl } from '../../../domain/repositories/repository-url.ts';
import { invalidField } from '../../../platform/errors.ts';
import { checkSchedule } from '../../runs/index.ts';
import type { DiscoveryJobValues } from './discovery-job-queries.ts';

/** Validates and normalizes the fields of a job. Throws 400 for a repository or a cluster that can't be read. */
export function checkDiscoveryJob(values: DiscoveryJobValues): DiscoveryJobValues {
  const source = values.kind === 'kubernetes_cluster' ? checkCluster(values) : checkRepository(values);
  for (const field of ['include', 'exclude'] as const) {
    const wrong = values[field].findIndex((pattern) => !isPathPattern(pattern));
    if (wrong >= 0)
      throw invalidField(`${field}.${wrong}`, 'must be a path pattern without "!" or control characters');
  }
  checkLabelRules(values.label_rules);
  const source_credentials = checkSourceCredentials(values.source_credentials);
  checkSchedule(values);
  return { ...values, ...source, source_credentials };
}

function checkRepository(values: DiscoveryJobValues) {
  if (values.cluster_name !== null) throw invalidField('cluster_name', 'must be null for a repository');
  if (values.helm_secrets) throw invalidField('helm_secrets', 'must be false for a repository');
  const repository = parseRepositoryUrl(values.repository_url ?? '');
  if (!repository.ok) throw invalidField('repository_url', repository.message);
  const refProblem = checkRef(values.ref ?? '');
  if (refProblem) throw invalidField('ref', refProblem);
  return { repository_url: repository.url };
}

/** The default of `ref` means the same as null. */
function checkCluster(values: DiscoveryJobValues) {
  if (values.repository_url !== null) throw invalidField('repository_url', 'must be null for a cluster');
  if (values.ref !== null && values.ref !== 'HEAD') throw invalidField('ref', 'must be null for a cluster');
  if (values.cluster_name === null) throw invalidField('cluster_name', 'is required for a cluster');
  if (/\p{Cc}/u.test(values.cluster_name))
    throw invalidField('cluster_name', "can't contain control characters");
  if (values.credential_name === null) throw invalidField('credential_name', 'is required for a cluster');
  return { ref: null };
}

/** Throws 400 for a rule that can't be used. */
export function checkLabelRules(rules: DiscoveryJobValues['label_rules']): void {
  const compiled = compileLabelRules(rules);
  if (!compiled.ok) throw invalidField(`label_rules.${compiled.index}.pattern`, compiled.message);
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

/** Whether a scan would find something else after the change. */
export function readsElse(before: DiscoveryJobValues, after: DiscoveryJobValues): boolean {
  return readFields.some((field) => !isDeepStrictEqual(before[field], after[field]));
}

const readFields = [
  ...(['repository_url', 'ref', 'cluster_name', 'helm_secrets', 'include', 'exclude'] as const),
  ...(['extractors', 'label_rules', 'credential_name'] as const),
];
