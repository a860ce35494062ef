import type { SourceOptions } from '../source-types/source-type.ts';
import type { GatheredSourceTypeId } from '../source-types/source-types.ts';
import type { VersionSchemeId } from '../versions/version-scheme.ts';

/** Software that many installations track. An entry becomes a global gather job. */
export interface CatalogEntry {
  /** Unique name of the job. */
  name: string;
  group: CatalogGroup;
  /** One sentence that helps users to choose an entry. */
  description: string;
  source_type: GatheredSourceTypeId;
  /** Artifact name as the source normalizes it. */
  artifact_name: string;
  source_options?: SourceOptions;
  /**
   * Pattern that selects the tags of the product from a list that contains several products, or extracts the
   * version from longer tags. Without a pattern, every tag is used unchanged.
   */
  version_pattern?: string;
  /** Defaults to the usual scheme of the source. */
  version_scheme?: VersionSchemeId;
  /** Defaults to `true`, because rules exclude pre-releases. */
  include_prereleases?: boolean;
  /** Product at endoflife.date. Required if the package URLs that endoflife.date lists don't identify the product. */
  lifecycle_product?: string;
  /**
   * Packages in the format of `parsePackage`. Required if no vulnerabilities are published for the packages
   * that are derived from the package URLs.
   */
  vulnerability_packages?: readonly string[];
  /** Repository of the software. Required if no source provides it. */
  project_url?: string;
  /** Defaults to once a day, at a minute derived from the name. */
  cron_expression?: string;
}

export type CatalogGroup =
  | 'Kubernetes'
  | 'Containers'
  | 'Proxies and mesh'
  | 'Storage'
  | 'Helm charts'
  | 'Databases'
  | 'Caches'
  | 'Queues'
  | 'Languages'
  | 'Base images'
  | 'Monitoring'
  | 'Logging'
  | 'CI and CD'
  | 'GitOps and provisioning'
  | 'Certificates, secrets and identity'
  | 'Applications';

type EntrySource = Pick<CatalogEntry, 'source_type' | 'artifact_name' | 'version_pattern' | 'source_options'>;
type EntryOfGroup = Omit<CatalogEntry, 'group'>;

export function assignGroup(group: CatalogGroup, entries: readonly EntryOfGroup[]): CatalogEntry[] {
  return entries.map((entry) => ({ ...entry, group }));
}

/** @param repository Path in the form `owner/repo`. */
export function github(repository: string, pattern?: string): EntrySource {
  return source('github_releases', `github.com/${repository}`, pattern);
}

/** @param repository Path in the form `owner/repo` on github.com. Its tags are read with git. */
export function gitTagsOf(repository: string, pattern: string): EntrySource {
  return source('git_tags', `https://github.com/${repository}.git`, pattern);
}

/** @param image Name of an official image on Docker Hub. */
export function officialImage(image: string, pattern: string): EntrySource {
  return source('oci_registry', `docker.io/library/${image}`, pattern);
}

/** @param chart Path in the form `host/path/chart`. */
export function helmChart(chart: string): EntrySource {
  return source('helm_repository', chart);
}

export function gitlab(project: string, pattern?: string): EntrySource {
  return source('gitlab_releases', `gitlab.com/${project}`, pattern);
}

/** @param repository Path in the form `host/owner/repo`. */
export function gitea(repository: string, pattern?: string): EntrySource {
  return source('gitea_releases', repository, pattern);
}

export function jsonOf(address: string, source_options: SourceOptions): EntrySource {
  return { ...source('http_json', address), source_options };
}

/**
 * Pattern for tags such as `v1.2.3` and `v1.3.0-rc.1` in lists that also contain charts, modules, or tools.
 */
export const vPrefixedVersionPattern = String.raw`^v\d+\.\d+.*$`;

/** Pattern for tags such as `1.2.3` and `1.3.0-rc.1`, without the leading `v`. */
export const unprefixedVersionPattern = String.raw`^\d+\.\d+.*$`;

/**
 * Pattern that matches only tags such as `1.2.3`. It excludes the other tags of an image, such as `1.2` and
 * `latest`.
 */
export const threePartVersionPattern = String.raw`^\d+\.\d+\.\d+$`;

function source(source_type: GatheredSourceTypeId, artifact_name: string, pattern?: string): EntrySource {
  return { source_type, artifact_name, ...(pattern !== undefined && { version_pattern: pattern }) };
}
