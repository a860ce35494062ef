import { normalizeGithubName } from '../artifacts/forge-names.ts';
import { forgeOfHost } from '../artifacts/forges.ts';
import { gitPurl } from '../artifacts/purl.ts';
import type { SourceType } from './source-type.ts';

export const githubSourceType: SourceType = {
  label: 'GitHub releases',
  about: 'Releases from a repository on github.com or GitHub Enterprise Server.',
  shape: 'owner/repository or host/owner/repository',
  example: 'github.com/grafana/grafana',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: false,
  options: [],
  normalizeArtifactName: normalizeGithubName,
  recognize: ({ host, path }) => (forgeOfHost(host) === 'github' && path.length >= 2 ? 'host' : null),
  purlOf: gitPurl,
};
