import {
  type GatheredSourceTypeId,
  isGathered,
  type SourceTypeId,
} from '../domain/source-types/source-types.ts';
import { gitTags } from './git-tags.ts';
import { giteaReleases } from './gitea-releases.ts';
import { githubReleases } from './github-releases.ts';
import { gitlabReleases } from './gitlab-releases.ts';
import { helmRepository } from './helm-repository.ts';
import { httpJson } from './http-json.ts';
import { httpText } from './http-text.ts';
import { ociRegistry } from './oci-registry.ts';
import type { ReleaseSource } from './release-source.ts';

/** Release sources by source type, for all types that agents read. */
export const sources = {
  github_releases: githubReleases,
  helm_repository: helmRepository,
  gitlab_releases: gitlabReleases,
  gitea_releases: giteaReleases,
  http_json: httpJson,
  http_text: httpText,
  oci_registry: ociRegistry,
  git_tags: gitTags,
} satisfies Record<GatheredSourceTypeId, ReleaseSource>;

/** Returns the release source of a source type, or null for types that agents don't read. */
export function sourceOf(sourceType: SourceTypeId): ReleaseSource | null {
  return isGathered(sourceType) ? sources[sourceType] : null;
}
