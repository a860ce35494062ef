import { describe, expect, test } from 'vitest';
import { catalog } from '../../domain/catalog/catalog.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { readRepositoryLink } from '../../domain/identity/project-url.ts';
import { compileCheapPattern } from '../../domain/patterns/compile-pattern.ts';
import { parseCron } from '../../domain/scheduling/cron-expression.ts';
import { sourceTypes } from '../../domain/source-types/source-types.ts';
import { checkSourceOptions } from '../../sources/check-source-options.ts';
import type { GatheredRelease } from '../../sources/release-source.ts';
import { cronOf, gatherJobSeeds } from './catalog-seeds.ts';
import { selectKeptReleases } from './check-entry.ts';

describe('every catalog entry', () => {
  test.each(catalog.map((entry) => [entry.name, entry] as const))(
    '(%s) can be created as a job',
    (_name, entry) => {
      // Jobs are stored with the normalized name. If an entry had another spelling, seeding wouldn't find its existing
      // job and would create it twice.
      expect(sourceTypes[entry.source_type].normalizeArtifactName(entry.artifact_name)).toEqual({
        ok: true,
        artifactName: entry.artifact_name,
      });
      expect(checkSourceOptions(entry.source_type, entry.source_options ?? {})).toEqual([]);
      if (entry.version_pattern !== undefined)
        expect(compileCheapPattern(entry.version_pattern)).toMatchObject({ ok: true });
      expect(parseCron(cronOf(entry))).toMatchObject({ ok: true });
      const { project_url: project } = entry;
      if (project !== undefined) expect(readRepositoryLink(project)).toBe(project);
      expect(entry.name).toBe(entry.name.trim());
      expect(entry.description).toMatch(/\.$/);
    },
  );

  test('has a unique name and a unique source', () => {
    const names = catalog.map(({ name }) => name.toLowerCase());
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const keys = catalog.map((entry) =>
      [entry.source_type, entry.artifact_name, entry.version_pattern].join(' ').toLowerCase(),
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });
});

describe('the load on upstream hosts', () => {
  const atGithub = catalog.filter((entry) => entry.source_type === 'github_releases');

  test('checking all entries takes fewer requests than GitHub allows per hour without a token', () => {
    expect(atGithub.length).toBeLessThan(60);
  });

  test('at most eight jobs at GitHub run in the same hour, because their lists have several pages', () => {
    const hours = atGithub.map((entry) => cronOf(entry).split(' ')[1]);
    const counts = hours.map((hour) => hours.filter((other) => other === hour).length);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  });

  test('first runs at one host are a minute apart, while those at different hosts start immediately', () => {
    const seeds = gatherJobSeeds(catalog, { githubCredential: null });
    const at = (prefix: string) =>
      seeds
        .filter(({ values }) => values.artifact_name.startsWith(prefix))
        .map((seed) => seed.firstRunAfterMs);
    const images = at('docker.io/');
    expect(images).toEqual(images.map((_, index) => index * 60_000));
    expect(at('codeberg.org/')).toEqual([0]);
    expect(at('https://nodejs.org/')).toEqual([0]);
  });

  test('a credential is set only for jobs at GitHub', () => {
    const seeds = gatherJobSeeds(catalog, { githubCredential: 'token' });
    const withCredential = seeds.filter(({ values }) => values.credential_name === 'token');
    expect(new Set(withCredential.map(({ values }) => values.source_type))).toEqual(
      new Set(['github_releases']),
    );
    expect(withCredential).toHaveLength(atGithub.length);
  });
});

describe('version patterns', () => {
  test.each<[name: string, kept: Record<string, string>, left: string[]]>([
    ['etcd', { 'v3.6.0': 'v3.6.0' }, ['api/v3.6.0']],
    ['CoreDNS', { 'v1.12.1': 'v1.12.1' }, ['v011', 'v001']],
    ['metrics-server', { 'v0.7.2': 'v0.7.2' }, ['metrics-server-helm-chart-3.12.2']],
    [
      'Cluster Autoscaler',
      { 'cluster-autoscaler-1.33.0': '1.33.0', 'cluster-autoscaler-1.34.0-beta.0': '1.34.0-beta.0' },
      ['cluster-autoscaler-chart-9.46.6', 'vertical-pod-autoscaler-1.4.0', 'cluster-autoscaler/v1.33.0'],
    ],
    ['ExternalDNS', { 'v0.17.0': 'v0.17.0' }, ['external-dns-helm-chart-1.16.1']],
    ['containerd', { 'v2.1.1': 'v2.1.1', 'v2.2.0-rc.0': 'v2.2.0-rc.0' }, ['api/v1.9.0']],
    [
      'Docker Engine',
      { 'v28.5.2': 'v28.5.2', 'docker-v29.0.0': 'v29.0.0', 'docker-v29.2.0-rc.1': 'v29.2.0-rc.1' },
      ['api/v1.52.0', 'client/v0.1.0'],
    ],
    ['Docker Compose', { '1.29.2': '1.29.2', 'v2.36.2': 'v2.36.2' }, ['docs-v2.0']],
    [
      'ingress-nginx',
      { 'controller-v1.12.2': 'v1.12.2' },
      ['helm-chart-4.12.2', 'nginx-0.30.0', 'controller-0.31.0'],
    ],
    ['Istio', { '1.26.0': '1.26.0', '1.26.0-rc.0': '1.26.0-rc.0' }, ['experimental']],
    ['Linkerd (edge)', { 'edge-25.5.1': '25.5.1' }, ['stable-2.14.10', 'v18.7.1']],
    ['nginx (stable)', { 'release-1.28.0': '1.28.0', 'release-1.8.1': '1.8.1' }, ['release-1.27.5']],
    ['nginx (mainline)', { 'release-1.29.1': '1.29.1' }, ['release-1.28.0']],
    ['HAProxy', { '3.2.0': '3.2.0' }, ['3.2', '3.2.0-alpine', '3.3-dev1', 'latest', 'lts']],
    ['Ceph', { 'v19.2.2': '19.2.2' }, ['v19.1.0', 'v19.3.0', 'v20.0.0']],
    [
      'PostgreSQL',
      { '17.5': '17.5', '9.6.24': '9.6.24' },
      ['17', '17.5-alpine', '18rc1', '18beta1-bookworm'],
    ],
    ['MySQL', { 'mysql-8.4.5': '8.4.5' }, ['mysql-cluster-8.4.5', 'mysql-8.0.4-rc', 'mysql-5.5.1-m2']],
    ['MariaDB', { '11.8.2': '11.8.2' }, ['11.8', '12.0.1-rc', '11.8.2-noble']],
    ['MongoDB', { '8.0.9': '8.0.9' }, ['8.0', '8.0.9-noble', '8.1.0-rc0']],
    ['Apache Cassandra', { 'cassandra-5.0.4': '5.0.4' }, ['cassandra-5.0-beta1', 'drivers-1.0.3']],
    [
      'ClickHouse',
      { 'v25.4.5.24-stable': '25.4.5.24', 'v25.3.3.42-lts': '25.3.3.42' },
      ['v25.5.1.1-testing', 'v25.5.1.2782-new'],
    ],
    ['Apache Kafka', { '4.0.0': '4.0.0' }, ['4.0.0-rc4', 'kafka-0.7.0-incubating-candidate-9']],
    ['Memcached', { '1.6.38': '1.6.38' }, ['1.6.0-beta1', '1.4.0-rc1']],
    ['RabbitMQ', { 'v4.1.0': 'v4.1.0', 'v4.1.0-rc.1': 'v4.1.0-rc.1' }, ['rabbitmq_v3_6_6']],
    ['Go', { 'go1.24.3': '1.24.3', go1: '1', 'go1.25rc1': '1.25rc1' }, ['release.r60', 'weekly.2012-03-27']],
    ['Python', { 'v3.13.3': '3.13.3', 'v3.14.0b1': '3.14.0b1' }, ['3.13', 'v3.3.0a1-fork']],
    ['PHP', { 'php-8.4.7': '8.4.7' }, ['php-8.4.0RC4', 'php-7.0.0alpha1', 'POST_64BIT_BRANCH_MERGE']],
    ['Ruby', { v3_4_4: '3_4_4', 'v4.0.0': '4.0.0' }, ['v3_5_0_preview1', 'v2_0_0_648', 'v4.0.0-preview2']],
    [
      'OpenJDK (Eclipse Temurin)',
      { '21.0.7_6-jdk': '21.0.7', '24.0.1_9-jdk': '24.0.1', '21-jdk': '21' },
      ['21.0.7_6-jdk-alpine', '21.0.7_6-jre', '8u452-b09-jdk'],
    ],
    ['Bun', { 'bun-v1.2.14': '1.2.14' }, ['canary', 'bun-v1.2']],
    ['Debian', { '12.11': '12.11' }, ['12', '12.11-slim', 'bookworm']],
    ['Ubuntu LTS', { '24.04': '24.04', '26.04': '26.04' }, ['25.04', '24.10', '24.04.2', 'noble']],
    ['Grafana Mimir', { 'mimir-2.16.0': '2.16.0' }, ['mimir-distributed-5.7.0', 'mimir-2.16']],
    ['VictoriaMetrics', { 'v1.118.0': 'v1.118.0' }, ['v1.118.0-cluster', 'v0.10.0-victorialogs']],
    ['OpenTelemetry Collector', { 'v0.127.0': 'v0.127.0' }, ['cmd/builder/v0.127.0']],
    ['Grafana Loki', { 'v3.5.1': 'v3.5.1' }, ['helm-loki-6.30.0', 'operator/v0.8.0']],
    [
      'Jenkins LTS',
      { 'jenkins-2.504.2': '2.504.2' },
      ['jenkins-2.511', 'jenkins-2.516.1-rc', 'stapler-1.0.1'],
    ],
    ['Jenkins weekly', { 'jenkins-2.511': '2.511' }, ['jenkins-2.504.2']],
    ['GitLab', { 'v18.0.1-ee': '18.0.1' }, ['v18.0.0-rc42-ee', 'v18.0.1']],
    ['External Secrets Operator', { 'v0.17.0': 'v0.17.0' }, ['helm-chart-0.17.0']],
    ['Keycloak', { '26.2.4': '26.2.4' }, ['nightly', '26.0.0.Alpha1']],
    ['authentik', { 'version/2025.4.1': '2025.4.1' }, ['helm-2025.4.1']],
    ['OpenSSL', { 'openssl-3.5.0': '3.5.0', 'openssl-3.5.0-beta1': '3.5.0-beta1' }, ['OpenSSL_1_1_1w']],
    ['WordPress', { '6.8.1': '6.8.1', '6.8': '6.8' }, ['6.8-RC1', 'latest']],
    ['Mattermost', { 'v10.8.1': 'v10.8.1' }, ['server/public/v0.1.12', '@mattermost/types@10.8.0']],
    ['Rocket.Chat', { '7.6.1': '7.6.1', '7.7.0-rc.1': '7.7.0-rc.1' }, ['@rocket.chat/apps@1.0.0', '7.6']],
    ['Home Assistant', { '2025.5.3': '2025.5.3', '2025.6.0b1': '2025.6.0b1' }, ['0.118.5']],
    ['n8n', { 'n8n@1.94.1': '1.94.1' }, ['n8n-core@1.90.0', 'beta', 'stable']],
  ])('(%s) keeps only the tags of its product', (name, kept, left) => {
    const entry = entryOf(name);
    const read = (tag: string) => selectKeptReleases(entry, [release(tag)]).map(({ version }) => version);
    for (const [tag, version] of Object.entries(kept)) expect([tag, read(tag)]).toEqual([tag, [version]]);
    for (const tag of left) expect([tag, read(tag)]).toEqual([tag, []]);
  });

  test('entries of Git tags and OCI registries always have a pattern', () => {
    const plain = catalog.filter(({ version_pattern }) => version_pattern === undefined);
    const kinds = new Set(plain.map(({ source_type }) => source_type));
    expect([...kinds].filter((kind) => kind === 'git_tags' || kind === 'oci_registry')).toEqual([]);
  });
});

function entryOf(name: string): CatalogEntry {
  const found = catalog.find((entry) => entry.name === name);
  if (!found) throw new Error(`the catalog has no ${name}`);
  return found;
}

function release(tag: string): GatheredRelease {
  return {
    tag,
    app_version: null,
    released_at: null,
    is_prerelease: false,
    is_yanked: false,
    url: null,
    notes: null,
  };
}
