import { normalizeGiteaName } from '../artifacts/forge-names.ts';
import { forgeOfHost } from '../artifacts/forges.ts';
import { gitPurl } from '../artifacts/purl.ts';
import type { SourceType } from './source-type.ts';

export const giteaSourceType: SourceType = {
  label: 'Gitea or Forgejo releases',
  about: 'Releases from a repository on codeberg.org or a self-hosted Gitea or Forgejo.',
  shape: 'host/owner/repository',
  example: 'codeberg.org/forgejo/forgejo',
  defaultVersionScheme: 'auto',
  isImage: false,
  needsGit: false,
  options: [],
  normalizeArtifactName: normalizeGiteaName,
  recognize: ({ host, path }) => (forgeOfHost(host) === 'gitea' && path.length >= 2 ? 'host' : null),
  purlOf: gitPurl,
};
