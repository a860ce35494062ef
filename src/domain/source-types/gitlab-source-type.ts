import { normalizeGitlabName } from '../artifacts/forge-names.ts';
import { forgeOfHost } from '../artifacts/forges.ts';
import { gitPurl } from '../artifacts/purl.ts';
import type { SourceType } from './source-type.ts';

export const gitlabSourceType: SourceType = {
  label: 'GitLab releases',
  about: 'Releases from a project on gitlab.com or a self-managed GitLab.',
  shape: 'host/group/project',
  example: 'gitlab.com/gitlab-org/gitlab-runner',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: false,
  options: [],
  normalizeArtifactName: normalizeGitlabName,
  recognize: ({ host, path }) => (forgeOfHost(host) === 'gitlab' && path.length >= 2 ? 'host' : null),
  purlOf: gitPurl,
};
