import { deployedVersionsSourceType } from './deployed-versions-source-type.ts';
import { gitTagsSourceType } from './git-tags-source-type.ts';
import { giteaSourceType } from './gitea-source-type.ts';
import { githubSourceType } from './github-source-type.ts';
import { gitlabSourceType } from './gitlab-source-type.ts';
import { helmSourceType } from './helm-source-type.ts';
import { jsonSourceType } from './json-source-type.ts';
import { lifecycleSourceType } from './lifecycle-source-type.ts';
import { ociSourceType } from './oci-source-type.ts';
import type { SourceType } from './source-type.ts';
import { textSourceType } from './text-source-type.ts';

/** All source types, the most common ones first. */
export const sourceTypes = {
  github_releases: githubSourceType,
  oci_registry: ociSourceType,
  helm_repository: helmSourceType,
  git_tags: gitTagsSourceType,
  gitlab_releases: gitlabSourceType,
  gitea_releases: giteaSourceType,
  http_json: jsonSourceType,
  http_text: textSourceType,
  deployed_versions: deployedVersionsSourceType,
  lifecycle: lifecycleSourceType,
} satisfies Readonly<Record<string, SourceType>>;

export type SourceTypeId = keyof typeof sourceTypes;
/** Source types whose releases an agent collects. */
export type GatheredSourceTypeId = Exclude<SourceTypeId, 'deployed_versions' | 'lifecycle'>;
export const sourceTypeIds = Object.keys(sourceTypes) as SourceTypeId[];
/** Source types whose releases are image tags. */
export const imageSourceTypeIds = sourceTypeIds.filter((id) => sourceTypes[id].isImage);

/** True if an agent collects the releases of a source type. The jobs of other types have no runs. */
export function isGathered(id: SourceTypeId): id is GatheredSourceTypeId {
  return id !== 'deployed_versions' && id !== 'lifecycle';
}
