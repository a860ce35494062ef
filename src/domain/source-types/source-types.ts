import { deployedVersionsSourceType } from './deployed-versions-source-type.ts';
import { gitTagsSourceType } from './git-tags-source-type.ts';
import { giteaSourceType } from './gitea-source-type.ts';
import { githubSourceType } from './github-source-type.ts';
import { gitlabSourceType } from './gitlab-source-type.ts';
import { helmSourceType } from './helm-source-type.ts';
import { jsonSourceType } from './json-source-type.ts';
import { ociSourceType } from './oci-source-type.ts';
import type { SourceType } from './source-type.ts';

/** All source types, the most common first. */
export const sourceTypes = {
  github_releases: githubSourceType,
  oci_registry: ociSourceType,
  helm_repository: helmSourceType,
  git_tags: gitTagsSourceType,
  gitlab_releases: gitlabSourceType,
  gitea_releases: giteaSourceType,
  http_json: jsonSourceType,
  deployed_versions: deployedVersionsSourceType,
} satisfies Readonly<Record<string, SourceType>>;

export type SourceTypeId = keyof typeof sourceTypes;
/** Source types whose releases an agent collects. */
export type GatheredSourceTypeId = Exclude<SourceTypeId, 'deployed_versions'>;
export const sourceTypeIds = Object.keys(sourceTypes) as SourceTypeId[];
/** Source types whose releases are image tags. */
export const imageSourceTypeIds = sourceTypeIds.filter((id) => sourceTypes[id].isImage);
