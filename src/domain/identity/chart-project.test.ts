import { describe, expect, test } from 'vitest';
import { projectOfChart } from './chart-project.ts';
import { readRepositoryLink } from './project-url.ts';

describe('the project of a chart', () => {
  test.each<[chart: string, links: string[], project: string | null]>([
    [
      'cert-manager',
      ['https://github.com/cert-manager/cert-manager'],
      'https://github.com/cert-manager/cert-manager',
    ],
    [
      'argo-cd',
      [
        'https://github.com/argoproj/argo-helm/tree/main/charts/argo-cd',
        'https://github.com/argoproj/argo-cd',
      ],
      'https://github.com/argoproj/argo-cd',
    ],
    [
      'thanos',
      ['https://github.com/thanos-community/helm-charts', 'https://github.com/thanos-io/thanos'],
      'https://github.com/thanos-io/thanos',
    ],
    ['redis', ['https://github.com/bitnami/charts/tree/main/bitnami/redis', 'https://redis.io'], null],
    ['app', ['https://example.org/app', 'https://app.example.org'], null],
    ['app', ['https://gitlab.com/acme/app/-/tree/main/chart'], 'https://gitlab.com/acme/app'],
    ['app', ['https://git.example.org/acme/app.git'], 'https://git.example.org/acme/app'],
    // The name contains `helm`, but this repository is the project itself, not a repository of charts.
    [
      'helm-controller',
      ['https://github.com/fluxcd/helm-controller'],
      'https://github.com/fluxcd/helm-controller',
    ],
    ['app', ['https://github.com/acme'], null],
    ['app', ['javascript:alert(1)', 'https://user:pass@github.com/acme/app', 'file:///etc/passwd'], null],
  ])('named %s with the links %j is %j', (chart, links, project) => {
    expect(projectOfChart(chart, links)).toBe(project);
  });
});

test.each<[link: string, repository: string | null]>([
  ['https://github.com/grafana/loki/tree/v3.0.0/cmd/loki', 'https://github.com/grafana/loki'],
  ['git+https://github.com/grafana/loki.git#main', 'https://github.com/grafana/loki'],
  ['git://github.com/grafana/loki.git', 'https://github.com/grafana/loki'],
  ['https://www.github.com/grafana/loki/', 'https://github.com/grafana/loki'],
  ['https://git.example.org/team/tools/app', 'https://git.example.org/team/tools/app'],
  ['https://example.org/', null],
  ['git@github.com:grafana/loki.git', null],
  [`https://github.com/${'a'.repeat(2_000)}/b`, null],
])('the link %s resolves to the repository %s', (link, repository) => {
  expect(readRepositoryLink(link)).toBe(repository);
});
