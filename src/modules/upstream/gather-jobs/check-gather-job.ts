import { compileCheapPattern } from '../../../domain/patterns/compile-pattern.ts';
import { ApiError, invalidField } from '../../../platform/errors.ts';
import type { ReleaseSource, ReleaseSourceType } from '../../../sources/release-source.ts';
import { sources } from '../../../sources/sources.ts';
import { checkSchedule } from '../../runs/index.ts';
import type { GatherJobValues } from './gather-job-queries.ts';

/** What a job is made of, with the artifact in its one spelling. Throws 400 for what its source could never read. */
export function checkGatherJob(values: GatherJobValues): GatherJobValues {
  const source: ReleaseSource = sourceOf(values.source_type);
  const artifact = source.normalizeArtifactName(values.artifact_name);
  if (!artifact.ok) throw invalidField('artifact_name', artifact.message);
  const problems = source.checkOptions(values.source_options);
  if (problems.length > 0) {
    const errors = problems.map(({ option, message }) => ({ field: `source_options.${option}`, message }));
    throw new ApiError(
      'validation_failed',
      errors.map(({ field, message }) => `${field}: ${message}`).join('; '),
      { errors },
    );
  }
  if (values.version_pattern !== null) {
    const pattern = compileCheapPattern(values.version_pattern);
    if (!pattern.ok) throw invalidField('version_pattern', pattern.message);
  }
  checkSchedule(values);
  return { ...values, artifact_name: artifact.artifactName };
}

export function sourceOf(type: ReleaseSourceType): ReleaseSource {
  return sources[type];
}

/** Another question to the source: what was read so far is no answer to it. */
export function hasDifferentSource(before: GatherJobValues, after: GatherJobValues): boolean {
  return (
    before.source_type !== after.source_type ||
    artifactOf(before) !== artifactOf(after) ||
    before.version_pattern !== after.version_pattern ||
    before.version_scheme !== after.version_scheme ||
    optionsText(before) !== optionsText(after)
  );
}

/** In the spelling of today: one that was stored in another is no other artifact. */
function artifactOf({ source_type, artifact_name }: GatherJobValues): string {
  const artifact = sourceOf(source_type).normalizeArtifactName(artifact_name);
  return artifact.ok ? artifact.artifactName : artifact_name;
}

/** The same question, of which another part is kept, or that is asked as somebody else. */
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
