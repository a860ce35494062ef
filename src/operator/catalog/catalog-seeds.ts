import { createHash } from 'node:crypto';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { sourceTypes } from '../../domain/source-types/source-types.ts';
import type { VersionSchemeId } from '../../domain/versions/version-scheme.ts';
import type { GatherJobSeed } from '../../modules/upstream/index.ts';

/**
 * Time between the first runs at the same host. GitHub allows 60 requests per hour without a token, and a first run
 * takes several requests.
 */
const firstRunIntervalMs = 60_000;

/**
 * Returns the jobs of catalog entries. First runs at different hosts start immediately. First runs at the
 * same host start one after another.
 */
export function gatherJobSeeds(
  entries: readonly CatalogEntry[],
  { githubCredential }: { githubCredential: string | null },
): GatherJobSeed[] {
  const startedAt = new Map<string, number>();
  return entries.map((entry) => {
    const host = hostOf(entry);
    const position = startedAt.get(host) ?? 0;
    startedAt.set(host, position + 1);
    return {
      firstRunAfterMs: position * firstRunIntervalMs,
      values: {
        name: entry.name,
        source_type: entry.source_type,
        artifact_name: entry.artifact_name,
        source_options: entry.source_options ?? {},
        version_scheme: schemeOf(entry),
        version_pattern: entry.version_pattern ?? null,
        include_prereleases: entry.include_prereleases ?? true,
        max_releases: null,
        ignored_versions: [],
        counted_versions: [],
        purls: null,
        project_url: entry.project_url ?? null,
        version_of: 'artifact',
        lifecycle_product: null,
        vulnerability_packages: null,
        changelog_path: null,
        credential_name: entry.source_type === 'github_releases' ? githubCredential : null,
        cron_expression: cronOf(entry),
        cron_timezone: 'UTC',
        is_active: true,
      },
    };
  });
}

export function schemeOf({ source_type, version_scheme }: CatalogEntry): VersionSchemeId {
  return version_scheme ?? sourceTypes[source_type].defaultVersionScheme;
}

/**
 * Returns the schedule of an entry, once a day by default. The minute is derived from the name, so adding or
 * removing entries doesn't change other schedules.
 */
export function cronOf({ name, cron_expression }: CatalogEntry): string {
  if (cron_expression !== undefined) return cron_expression;
  const minuteOfDay = createHash('sha256').update(name).digest().readUInt32BE() % 1_440;
  return `${minuteOfDay % 60} ${Math.floor(minuteOfDay / 60)} * * *`;
}

function hostOf({ artifact_name }: CatalogEntry): string {
  return artifact_name.replace(/^[a-z]+:\/\//, '').split('/')[0] ?? '';
}
