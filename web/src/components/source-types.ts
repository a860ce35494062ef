import type { Schemas } from '../../../src/generated/client-api.ts';

export type SourceType = Schemas['ReleaseSourceType'];

interface SourceTypeInWords {
  label: string;
  about: string;
  /** How an artifact is written. */
  shape: string;
  example: string;
}

/** The sources of releases, the most usual first. */
export const sourceTypes: Record<SourceType, SourceTypeInWords> = {
  github_releases: {
    label: 'GitHub releases',
    about: 'Releases of a repository on github.com or a GitHub Enterprise server.',
    shape: 'host/owner/repository',
    example: 'github.com/grafana/grafana',
  },
  oci_registry: {
    label: 'Container registry',
    about: 'Tags of an image, or of a Helm chart kept in a registry.',
    shape: 'registry/path/name, without a tag',
    example: 'docker.io/library/postgres',
  },
  helm_repository: {
    label: 'Helm chart',
    about: 'Versions of one chart in a Helm repository.',
    shape: 'address of the repository, a slash, name of the chart',
    example: 'charts.jetstack.io/cert-manager',
  },
  git_tags: {
    label: 'Git tags',
    about: 'Tags of any git repository: for projects that tag but make no releases.',
    shape: 'https:// or ssh:// address of the repository',
    example: 'https://github.com/python/cpython.git',
  },
  gitlab_releases: {
    label: 'GitLab releases',
    about: 'Releases of a project on gitlab.com or a GitLab of your own.',
    shape: 'host/group/project',
    example: 'gitlab.com/gitlab-org/gitlab-runner',
  },
  gitea_releases: {
    label: 'Gitea or Forgejo releases',
    about: 'Releases of a repository on codeberg.org or a server of your own.',
    shape: 'host/owner/repository',
    example: 'codeberg.org/forgejo/forgejo',
  },
  http_json: {
    label: 'JSON over HTTP',
    about: 'Any address that answers JSON with versions in it.',
    shape: 'address of the document',
    example: 'https://nodejs.org/dist/index.json',
  },
};

export const sourceTypeOptions = (Object.keys(sourceTypes) as SourceType[]).map((value) => ({
  value,
  label: sourceTypes[value].label,
}));
