import { normalizeGitName } from '../artifacts/git-names.ts';
import { gitPurl } from '../artifacts/purl.ts';
import type { SourceType } from './source-type.ts';

export const gitTagsSourceType: SourceType = {
  label: 'Git tags',
  about: "Tags of any Git repository. Use this for projects that tag versions but don't publish releases.",
  shape: 'repository URL (https:// or ssh://)',
  example: 'https://github.com/python/cpython.git',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: true,
  options: [],
  normalizeArtifactName: normalizeGitName,
  recognize: ({ text, address, path }) =>
    path.length > 0 && (address.endsWith('.git') || /^(?:ssh|git):|^git@/iu.test(text)) ? 'ending' : null,
  purlOf: gitPurl,
};
