import { isDeepStrictEqual } from 'node:util';
import { checkTargetFile } from '../../../domain/artifacts/repository-url.ts';
import { changelogRepository } from '../../../domain/notes/changelog-repository.ts';
import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import { isGathered, sourceTypes } from '../../../domain/source-types/source-types.ts';
import { canonicalEcosystem, isOsvEcosystem } from '../../../domain/vulnerabilities/osv-ecosystems.ts';
import { normalizePackages, parsePackage } from '../../../domain/vulnerabilities/osv-package.ts';
import { ApiError, invalidField, runChecks } from '../../../platform/errors.ts';
import { checkSourceOptions } from '../../../sources/check-source-options.ts';
import { checkSchedule } from '../../runs/index.ts';
import type { GatherJobValues } from './gather-job-queries.ts';
import { checkProjectUrl, checkPurls, checkVersionOf } from './resolve-identity.ts';

/**
 * Validates the values of a job and returns them with the normalized artifact name.
 * @throws ApiError 400 for values that are invalid for the source.
 */
export function checkGatherJob(values: GatherJobValues): GatherJobValues {
  const artifact = sourceTypes[values.source_type].normalizeArtifactName(values.artifact_name);
  const checked = { ...values };
  runChecks([
    () => {
      if (!artifact.ok) throw invalidField('artifact_name', artifact.message);
    },
    () => checkNotGathered(values),
    () => {
      if (artifact.ok) checkLifecycle({ ...values, artifact_name: artifact.artifactName });
    },
    () => checkOptions(values),
    () => {
      if (values.version_pattern === null) return;
      const pattern = compileCheapPattern(values.version_pattern);
      if (!pattern.ok) throw invalidField('version_pattern', pattern.message);
    },
    () => {
      checked.purls = checkPurls(values);
    },
    () => {
      checked.project_url = checkProjectUrl(values);
    },
    () => checkVersionOf(values),
    () => {
      checked.vulnerability_packages = checkPackages(values);
    },
    () => checkChangelogPath(values),
    () => checkSchedule(values),
  ]);
  return artifact.ok ? { ...checked, artifact_name: artifact.artifactName } : checked;
}

/**
 * Rejects fields that don't apply to jobs without runs. `max_releases` is one of them, because the retention of the
 * scrape job applies to `deployed_versions` jobs.
 */
function checkNotGathered(values: GatherJobValues): void {
  const { source_type } = values;
  if (isGathered(source_type)) return;
  const fields = ['cron_expression', 'credential_name', 'version_pattern', 'max_releases'] as const;
  for (const field of fields)
    if (values[field] !== null) throw invalidField(field, `isn't allowed for ${source_type} jobs`);
}

/**
 * Requires a product for lifecycle jobs. They have no address, so the name of the product is also their artifact name.
 */
function checkLifecycle({ source_type, artifact_name, lifecycle_product: product }: GatherJobValues): void {
  if (source_type !== 'lifecycle' || product === artifact_name) return;
  if (product === null || product === 'none')
    throw invalidField(
      'lifecycle_product',
      'is required for lifecycle jobs; set it to the name of the product. GET /lifecycle-products lists the products',
    );
  throw invalidField(
    'artifact_name',
    `must be the same as lifecycle_product for lifecycle jobs; set both to ${product} or both to ${artifact_name}`,
  );
}

/** Validates packages and returns them in the stored spelling, without duplicates. */
function checkPackages({ vulnerability_packages: given }: GatherJobValues): string[] | null {
  if (given === null) return null;
  const normalized = normalizePackages(given);
  if (!normalized.ok)
    throw invalidField(
      `vulnerability_packages.${normalized.index}`,
      "isn't a package; use ECOSYSTEM/NAME, such as Go/k8s.io/kubernetes",
    );
  const ecosystems = given.map((text) => parsePackage(text)!.ecosystem);
  const unknown = ecosystems.findIndex((ecosystem) => !isOsvEcosystem(ecosystem));
  if (unknown >= 0)
    throw invalidField(`vulnerability_packages.${unknown}`, describeUnknown(ecosystems[unknown]!));
  return normalized.packages;
}

function describeUnknown(ecosystem: string): string {
  const spelled = canonicalEcosystem(ecosystem);
  const help =
    spelled === null ? 'use one of https://ossf.github.io/osv-schema/#defined-ecosystems' : `use ${spelled}`;
  return `has an ecosystem that OSV doesn't know: ${ecosystem}; ${help}`;
}

function checkChangelogPath({ changelog_path, source_type, artifact_name }: GatherJobValues): void {
  if (changelog_path === null) return;
  if (changelogRepository(source_type, artifact_name) === null)
    throw invalidField('changelog_path', `isn't allowed for ${source_type} jobs, which have no repository`);
  const problem = checkTargetFile(changelog_path);
  if (problem !== null) throw invalidField('changelog_path', problem);
}

function checkOptions({ source_type, source_options }: GatherJobValues): void {
  const errors = checkSourceOptions(source_type, source_options).map(({ option, message }) => ({
    field: `source_options.${option}`,
    message,
  }));
  if (errors.length === 0) return;
  const sentence = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new ApiError('validation_failed', sentence, { errors });
}

/** True if the job reads something different from its source, so the stored releases are no longer valid. */
export function hasDifferentSource(before: GatherJobValues, after: GatherJobValues): boolean {
  return (
    before.source_type !== after.source_type ||
    before.artifact_name !== after.artifact_name ||
    before.version_pattern !== after.version_pattern ||
    before.version_scheme !== after.version_scheme ||
    optionsText(before) !== optionsText(after)
  );
}

/** True if a different release can be the latest although the stored releases are the same. */
export function affectsLatestRelease(before: GatherJobValues, after: GatherJobValues): boolean {
  return (
    !isDeepStrictEqual(before.ignored_versions, after.ignored_versions) ||
    !isDeepStrictEqual(before.counted_versions, after.counted_versions)
  );
}

/** True if the change can affect which end-of-support dates apply to the job. */
export function affectsSupportDates(before: GatherJobValues, after: GatherJobValues): boolean {
  return (
    before.lifecycle_product !== after.lifecycle_product || !isDeepStrictEqual(before.purls, after.purls)
  );
}

/** True if different vulnerabilities can apply. */
export function affectsVulnerabilities(before: GatherJobValues, after: GatherJobValues): boolean {
  return !isDeepStrictEqual(before.vulnerability_packages, after.vulnerability_packages);
}

/** True if the same releases get different release notes. */
export function hasDifferentChangelog(before: GatherJobValues, after: GatherJobValues): boolean {
  return before.changelog_path !== after.changelog_path;
}

/** True if the source is the same, but the job keeps a different part of its releases or uses different credentials. */
export function hasDifferentRetention(before: GatherJobValues, after: GatherJobValues): boolean {
  return (
    before.include_prereleases !== after.include_prereleases ||
    before.max_releases !== after.max_releases ||
    before.credential_name !== after.credential_name
  );
}

function optionsText({ source_options }: GatherJobValues): string {
  return JSON.stringify(Object.entries(source_options).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
