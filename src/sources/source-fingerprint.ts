import { createHash } from 'node:crypto';
import type { ReleaseSourceType, SourceOptions } from './release-source.ts';

/**
 * A hash of what a job asks for. Validators are stored with it: once it differs, what was read with the old
 * question says nothing about the new one, and the validators are void.
 */
export function sourceFingerprint(job: {
  sourceType: ReleaseSourceType;
  artifactName: string;
  sourceOptions: SourceOptions;
  versionPattern: string | null;
  includePrereleases: boolean;
}): string {
  const { version_field, version_path, date_path, version_regex } = job.sourceOptions;
  const question = [
    job.sourceType,
    job.artifactName,
    [version_field ?? null, version_path ?? null, date_path ?? null, version_regex ?? null],
    job.versionPattern,
    job.includePrereleases,
  ];
  return createHash('sha256').update(JSON.stringify(question)).digest('hex').slice(0, 32);
}
