import { describe, expect, test } from 'vitest';
import type { SourceTypeId } from '../source-types/source-types.ts';
import { suggestAliases } from './suggest-aliases.ts';

const of = (source_type: SourceTypeId) => (artifact_name: string) => ({ source_type, artifact_name });
const image = of('oci_registry');
const chart = of('helm_repository');
const git = of('git_tags');

const known = [
  ...['library/redis', 'library/postgres', 'library/nginx', 'grafana/grafana', 'acme/app'].map((path) =>
    image(`docker.io/${path}`),
  ),
  ...['acme/app', 'acme/web', 'acme/worker'].map((path) => image(`ghcr.io/${path}`)),
  ...['cert-manager', 'trust-manager', 'approver-policy'].map((name) => chart(`charts.jetstack.io/${name}`)),
  ...['redis', 'postgresql', 'nginx'].map((name) => chart(`charts.bitnami.com/bitnami/${name}`)),
  ...['grafana/grafana', 'prometheus/prometheus', 'redis/redis'].map((path) =>
    of('github_releases')(`github.com/${path}`),
  ),
];

const suggest = (sources: Parameters<typeof suggestAliases>[0]) =>
  suggestAliases(sources, known).map(({ prefix, upstream_prefix }) => `${prefix} → ${upstream_prefix}`);

describe('a suggested alias', () => {
  test.each([
    [
      'a cache of Docker Hub',
      ['library/redis', 'library/nginx', 'grafana/grafana'].map((path) =>
        image(`harbor.acme.dev/hub/${path}`),
      ),
      ['harbor.acme.dev/hub/ → docker.io/'],
    ],
    [
      'a cache at the root of its host',
      ['library/redis', 'library/nginx', 'grafana/grafana'].map((path) => image(`hub.acme.dev/${path}`)),
      ['hub.acme.dev/ → docker.io/'],
    ],
    [
      'a virtual repository without the namespace of official images',
      ['redis', 'nginx', 'postgres'].map((path) => image(`acme.jfrog.io/docker/${path}`)),
      ['acme.jfrog.io/docker/ → docker.io/library/'],
    ],
    [
      'a proxy with the host of the upstream in its path, whatever the images',
      ['a/b', 'c/d', 'e/f'].map((path) => image(`nexus.acme.dev:8443/quay.io/${path}`)),
      ['nexus.acme.dev:8443/quay.io/ → quay.io/'],
    ],
    [
      'two caches at one host',
      [
        ...['library/redis', 'library/nginx', 'library/postgres'].map((path) =>
          image(`a.acme.dev/hub/${path}`),
        ),
        ...['acme/web', 'acme/worker', 'acme/app'].map((path) => image(`a.acme.dev/github/${path}`)),
      ],
      ['a.acme.dev/hub/ → docker.io/', 'a.acme.dev/github/ → ghcr.io/'],
    ],
    [
      'a proxy of a Helm repository',
      ['cert-manager', 'trust-manager', 'approver-policy'].map((name) =>
        chart(`nexus.acme.dev/helm/${name}`),
      ),
      ['nexus.acme.dev/helm/ → charts.jetstack.io/'],
    ],
    [
      'mirrors of Git repositories',
      ['grafana/grafana', 'prometheus/prometheus', 'redis/redis'].map((path) =>
        git(`https://git.acme.dev/mirrors/${path}.git`),
      ),
      ['git.acme.dev/mirrors/ → github.com/'],
    ],
  ])('is found for %s', (_, sources, suggestions) => {
    expect(suggest(sources)).toEqual(suggestions);
  });

  test.each([
    ['two artifacts', ['library/redis', 'library/nginx'].map((path) => image(`harbor.acme.dev/hub/${path}`))],
    [
      'artifacts that are unknown',
      ['team/a', 'team/b', 'team/c'].map((path) => image(`harbor.acme.dev/hub/${path}`)),
    ],
    ['the upstream itself', known],
    [
      'images of a publisher at a public host, which builds its own',
      ['redis', 'nginx', 'postgres'].map((path) => image(`ghcr.io/acme/${path}`)),
    ],
    [
      'repositories that only have the names of known ones',
      ['grafana', 'prometheus', 'redis'].map((name) => git(`https://git.acme.dev/team/${name}.git`)),
    ],
    [
      'images with the names of charts',
      ['cert-manager', 'trust-manager', 'approver-policy'].map((name) => image(`harbor.acme.dev/x/${name}`)),
    ],
  ])("isn't found for %s", (_, sources) => {
    expect(suggest(sources)).toEqual([]);
  });

  test('states how many of the artifacts below its prefix are known, with examples', () => {
    const paths = ['library/redis', 'library/nginx', 'library/postgres', 'grafana/grafana', 'team/own'];
    expect(
      suggestAliases(
        paths.map((path) => image(`harbor.acme.dev/hub/${path}`)),
        known,
      ),
    ).toEqual([
      {
        prefix: 'harbor.acme.dev/hub/',
        upstream_prefix: 'docker.io/',
        known_count: 4,
        artifact_count: 5,
        examples: ['library/redis', 'library/nginx', 'library/postgres'].map((path) => ({
          artifact_name: `harbor.acme.dev/hub/${path}`,
          upstream: `docker.io/${path}`,
        })),
      },
    ]);
  });

  test('is found quickly even among ten thousand artifacts', () => {
    const sources = Array.from({ length: 10_000 }, (_, index) =>
      image(`harbor.acme.dev/a/b/c/${index % 50}/app-${index}`),
    );
    const start = process.threadCpuUsage();
    expect(suggest(sources)).toEqual([]);
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
  });
});
