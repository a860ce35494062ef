import type { SourceOptions } from '../source-types/source-type.ts';
import type { GatheredSourceTypeId } from '../source-types/source-types.ts';

/** Something that many installations want to follow: what becomes a global gather job. */
export interface CatalogueEntry {
  /** Of the job; no two entries have the same. */
  name: string;
  group: CatalogueGroup;
  /** One sentence for whoever chooses. */
  description: string;
  source_type: GatheredSourceTypeId;
  /** In the one spelling of its source. */
  artifact_name: string;
  source_options?: SourceOptions;
  /** Where the list holds more than one thing, or the tags more than the version. When left out: every tag as it is. */
  version_pattern?: string;
  /** When left out: what the source usually wants. */
  version_scheme?: 'auto' | 'semver';
  /** Default true: the rules leave them out. */
  include_prereleases?: boolean;
  /** At endoflife.date, if its package URLs there don't say so. */
  lifecycle_product?: string;
  /** As `parsePackage` reads them, if vulnerabilities aren't published for what its package URLs lead to. */
  vulnerability_packages?: readonly string[];
  /** The repository of the software, where no source says so. */
  project_url?: string;
  /** When left out: once a day, at a minute that the name decides. */
  cron_expression?: string;
}

export type CatalogueGroup =
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

type EntrySource = Pick<
  CatalogueEntry,
  'source_type' | 'artifact_name' | 'version_pattern' | 'source_options'
>;
type EntryOfGroup = Omit<CatalogueEntry, 'group'>;

export function inGroup(group: CatalogueGroup, entries: readonly EntryOfGroup[]): CatalogueEntry[] {
  return entries.map((entry) => ({ ...entry, group }));
}

/** @param repository `owner/repo` */
export function github(repository: string, pattern?: string): EntrySource {
  return source('github_releases', `github.com/${repository}`, pattern);
}

/** @param repository `owner/repo` on github.com, of which the tags are read by git. */
export function gitTagsOf(repository: string, pattern: string): EntrySource {
  return source('git_tags', `https://github.com/${repository}.git`, pattern);
}

/** @param image `name` of an official image on Docker Hub. */
export function officialImage(image: string, pattern: string): EntrySource {
  return source('oci_registry', `docker.io/library/${image}`, pattern);
}

/** @param chart `host/path/chart` */
export function helmChart(chart: string): EntrySource {
  return source('helm_repository', chart);
}

export function gitlab(project: string, pattern?: string): EntrySource {
  return source('gitlab_releases', `gitlab.com/${project}`, pattern);
}

/** @param repository `host/owner/repo` */
export function gitea(repository: string, pattern?: string): EntrySource {
  return source('gitea_releases', repository, pattern);
}

export function jsonOf(address: string, source_options: SourceOptions): EntrySource {
  return { ...source('http_json', address), source_options };
}

/** Tags such as `v1.2.3` and `v1.3.0-rc.1`, beside which the list has charts, modules or tools. */
export const vTags = String.raw`^v\d+\.\d+.*$`;

/** The same without the letter. */
export const numberTags = String.raw`^\d+\.\d+.*$`;

/** `1.2.3` and nothing else: of the many tags of an image those that name one version. */
export const threeNumbers = String.raw`^\d+\.\d+\.\d+$`;

function source(source_type: GatheredSourceTypeId, artifact_name: string, pattern?: string): EntrySource {
  return { source_type, artifact_name, ...(pattern !== undefined && { version_pattern: pattern }) };
}
