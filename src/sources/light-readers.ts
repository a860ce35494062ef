import { readGitTags } from './read-git-tags.ts';
import { readJsonVersions } from './read-json-versions.ts';
import { readHubTags, readOciManifest, readOciToken } from './read-oci-metadata.ts';
import { readDatedTags, readOciTags } from './read-oci-tags.ts';
import { readPrometheusSeries } from './read-prometheus-series.ts';
import { readLastRelease, readReleasePage } from './read-release-page.ts';
import { readRepositoryList } from './read-repository-list.ts';
import { readRepositoryState } from './read-repository-state.ts';
import { readTagCommitPage } from './read-tag-commit-page.ts';
import { readTextVersions } from './read-text-versions.ts';

/**
 * Readers of JSON and lines, whose cost is proportional to the size of the body. Small bodies can be read
 * without a sandbox.
 */
export const lightReaders = {
  release_page: readReleasePage,
  last_release: readLastRelease,
  json_versions: readJsonVersions,
  text_versions: readTextVersions,
  oci_tags: readOciTags,
  dated_tags: readDatedTags,
  oci_manifest: readOciManifest,
  oci_token: readOciToken,
  hub_tags: readHubTags,
  git_tags: readGitTags,
  repository_list: readRepositoryList,
  repository_state: readRepositoryState,
  tag_commit_page: readTagCommitPage,
  prometheus_series: readPrometheusSeries,
};
