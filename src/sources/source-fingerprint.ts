import { hash } from 'node:crypto';
import type { SourceOptions } from '../domain/source-types/source-type.ts';
import type { SourceTypeId } from '../domain/source-types/source-types.ts';

/**
 * Returns a hash of what a job requests. The hash is stored with the validators: if it changes, the
 * validators belong to another request and are invalid.
 */
export function sourceFingerprint(job: {
  sourceType: SourceTypeId;
  artifactName: string;
  sourceOptions: SourceOptions;
  versionPattern: string | null;
  includePrereleases: boolean;
}): string {
  const { version_field, version_path, date_path, version_regex, artifact_type } = job.sourceOptions;
  const question = [
    job.sourceType,
    job.artifactName,
    [version_field, version_path, date_path, version_regex, artifact_type].map((option) => option ?? null),
    job.versionPattern,
    job.includePrereleases,
  ];
  return hash('sha256', JSON.stringify(question), 'hex').slice(0, 32);
}
