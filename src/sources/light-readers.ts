import { readGitTags } from './read-git-tags.ts';
import { readJsonVersions } from './read-json-versions.ts';
import { readHubTags, readOciManifest, readOciToken } from './read-oci-metadata.ts';
import { readDatedTags, readOciTags } from './read-oci-tags.ts';
import { readReleasePage } from './read-release-page.ts';

/** Readers of JSON and of lines, whose cost is that of their bytes: what is small may be read in place. */
export const lightReaders = {
  release_page: readReleasePage,
  json_versions: readJsonVersions,
  oci_tags: readOciTags,
  dated_tags: readDatedTags,
  oci_manifest: readOciManifest,
  oci_token: readOciToken,
  hub_tags: readHubTags,
  git_tags: readGitTags,
};
