import type { Schemas } from '../../../src/generated/client-api.ts';

export type SourceType = Schemas['ReleaseSourceType'];

interface SourceTypeText {
  label: string;
  about: string;
  /** How an artifact is written. */
  shape: string;
  example: string;
}

/** The sources of releases, the most usual first. */
export const sourceTypes: Record<SourceType, SourceTypeText> = {
  github_releases: {
    label: 'GitHub releases',
    about: 'Releases from a repository on github.com or GitHub Enterprise Server.',
    shape: 'owner/repository or host/owner/repository',
    example: 'github.com/grafana/grafana',
  },
  oci_registry: {
    label: 'Container registry',
    about: 'Tags of a container image, or of a Helm chart stored in an OCI registry.',
    shape: 'registry/path/name (no tag)',
    example: 'docker.io/library/postgres',
  },
  helm_repository: {
    label: 'Helm chart',
    about: 'Versions of one chart in a Helm repository.',
    shape: 'repository URL / chart name',
    example: 'charts.jetstack.io/cert-manager',
  },
  git_tags: {
    label: 'Git tags',
    about: "Tags of any Git repository. Use this for projects that tag versions but don't publish releases.",
    shape: 'repository URL (https:// or ssh://)',
    example: 'https://github.com/python/cpython.git',
  },
  gitlab_releases: {
    label: 'GitLab releases',
    about: 'Releases from a project on gitlab.com or a self-managed GitLab.',
    shape: 'host/group/project',
    example: 'gitlab.com/gitlab-org/gitlab-runner',
  },
  gitea_releases: {
    label: 'Gitea or Forgejo releases',
    about: 'Releases from a repository on codeberg.org or a self-hosted Gitea or Forgejo.',
    shape: 'host/owner/repository',
    example: 'codeberg.org/forgejo/forgejo',
  },
  http_json: {
    label: 'JSON over HTTP',
    about: 'Any URL that returns JSON containing versions.',
    shape: 'document URL',
    example: 'https://nodejs.org/dist/index.json',
  },
};

export const sourceTypeOptions = (Object.keys(sourceTypes) as SourceType[]).map((value) => ({
  value,
  label: sourceTypes[value].label,
}));
