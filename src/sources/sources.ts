import { gitTags } from './git-tags.ts';
import { giteaReleases } from './gitea-releases.ts';
import { githubReleases } from './github-releases.ts';
import { gitlabReleases } from './gitlab-releases.ts';
import { helmRepository } from './helm-repository.ts';
import { httpJson } from './http-json.ts';
import { ociRegistry } from './oci-registry.ts';
import type { ReleaseSource, ReleaseSourceType } from './release-source.ts';

/** Every release source there is. A new one is a file and a line here. */
export const sources = {
  github_releases: githubReleases,
  helm_repository: helmRepository,
  gitlab_releases: gitlabReleases,
  gitea_releases: giteaReleases,
  http_json: httpJson,
  oci_registry: ociRegistry,
  git_tags: gitTags,
} satisfies Record<ReleaseSourceType, ReleaseSource>;
