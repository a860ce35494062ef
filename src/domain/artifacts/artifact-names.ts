import type { ArtifactNameResult } from './artifact-result.ts';
import { normalizeChartName } from './chart-names.ts';
import { normalizeGiteaName, normalizeGithubName, normalizeGitlabName } from './forge-names.ts';
import { normalizeGitName } from './git-names.ts';
import { normalizeJsonAddress } from './json-address.ts';
import { normalizeOciReference } from './oci-reference.ts';

/**
 * How an artifact is named, by source type: whatever a person pastes becomes the one spelling that is stored. The API, the
 * forms, the command line, and the guided set-up all use these.
 */
export const artifactNames = {
  github_releases: normalizeGithubName,
  helm_repository: normalizeChartName,
  gitlab_releases: normalizeGitlabName,
  gitea_releases: normalizeGiteaName,
  http_json: normalizeJsonAddress,
  oci_registry: normalizeOciReference,
  git_tags: normalizeGitName,
} satisfies Record<string, (text: string) => ArtifactNameResult>;

export type ArtifactSourceType = keyof typeof artifactNames;
