import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import type { KnownSource } from './propose-source.ts';

const known: KnownSource[] = [
  {
    name: 'nginx (stable)',
    source_type: 'oci_registry',
    artifact_name: 'docker.io/library/nginx',
    version_pattern: '^1\\.\\d*[02468]\\.',
  },
  {
    name: 'nginx (mainline)',
    source_type: 'oci_registry',
    artifact_name: 'docker.io/library/nginx',
    version_pattern: '^1\\.\\d*[13579]\\.',
  },
  {
    name: 'Terraform',
    source_type: 'github_releases',
    artifact_name: 'github.com/hashicorp/terraform',
    version_pattern: '^v\\d',
  },
];

describe('the proposed upstream of an artifact', () => {
  test.each([
    ['nginx:1.26.1', 'catalog entry nginx (stable)', '^1\\.\\d*[02468]\\.'],
    ['docker.io/library/nginx:1.27.0', 'catalog entry nginx (mainline)', '^1\\.\\d*[13579]\\.'],
    ['nginx:mainline-1', 'the registry of the image', null],
    ['acme/nginx:1.26.1', 'the registry of the image', null],
  ])('for %s is %s', (image, why, version_pattern) => {
    const files = { Dockerfile: `FROM ${image}\n` };
    expect(discoverFiles(files, { known }).items[0]?.proposal).toMatchObject({ why, version_pattern });
  });

  test('for a tool is its catalog entry, never one with a similar name', () => {
    const files = { '.tool-versions': 'terraform 1.5.0\nterraform-docs 1.0.0\n' };
    expect(
      discoverFiles(files, { known }).items.map(({ proposal }) => proposal?.artifact_name ?? null),
    ).toEqual(['github.com/hashicorp/terraform', null]);
  });

  test("for a package from an unsupported data source isn't the tool with the same name", () => {
    const files = {
      Dockerfile: '# renovate: datasource=npm depName=terraform\nARG CLI_VERSION=1.5.0\n',
      '.tool-versions': 'terraform 1.5.0\n',
    };
    expect(
      discoverFiles(files, { known })
        .items.map(({ place, proposal, reason }) => [place.file, proposal?.artifact_name ?? null, reason])
        .toSorted(),
    ).toEqual([
      ['.tool-versions', 'github.com/hashicorp/terraform', null],
      ['Dockerfile', null, 'unsupported_source'],
    ]);
  });

  const chartFiles: Record<string, (repository: string) => Record<string, string>> = {
    'Chart.yaml': (repository) => ({
      'Chart.yaml': `apiVersion: v2\nname: shop\nversion: 0.1.0\ndependencies:\n  - { name: redis, version: 1.2.3, repository: "${repository}" }\n`,
    }),
    'a helmfile': (repository) => ({
      'helmfile.yaml': `repositories:\n  - { name: acme, url: "${repository}" }\nreleases:\n  - { name: redis, chart: acme/redis, version: 1.2.3 }\n`,
    }),
    Terraform: (repository) => ({
      'main.tf': `resource "helm_release" "redis" {\n  name = "redis"\n  repository = "${repository}"\n  chart = "redis"\n  version = "1.2.3"\n}\n`,
    }),
    'a Renovate comment': (repository) => ({
      Dockerfile: `# renovate: datasource=helm depName=redis registryUrl=${repository}\nARG REDIS_VERSION=1.2.3\n`,
    }),
  };

  test.each(Object.entries(chartFiles))('for a chart in a bucket is its HTTPS URL, in %s', (_, filesFor) => {
    const proposalFor = (repository: string) => {
      const [item] = discoverFiles(filesFor(repository)).items.filter(({ proposal }) => proposal);
      return [item?.proposal?.artifact_name, item?.proposal?.confidence, item?.artifact.purl];
    };
    expect(proposalFor('gs://acme-charts/stable')).toEqual([
      'storage.googleapis.com/acme-charts/stable/redis',
      'certain',
      'pkg:helm/redis?repository_url=storage.googleapis.com%2Facme-charts%2Fstable',
    ]);
    // No file states which service hosts the bucket, so Amazon S3 is only likely.
    expect(proposalFor('s3://acme-charts/stable')).toEqual([
      'acme-charts.s3.amazonaws.com/stable/redis',
      'likely',
      'pkg:helm/redis?repository_url=acme-charts.s3.amazonaws.com%2Fstable',
    ]);
  });

  test('for a chart uses plain HTTP if its repository URL does', () => {
    const chart = (repository: string) =>
      discoverFiles({
        'Chart.yaml': `name: a\ndependencies:\n  - { name: redis, version: 1.0.0, repository: "${repository}" }\n`,
      }).items[0]?.proposal;
    expect(chart('http://charts.example.org/stable')).toMatchObject({
      artifact_name: 'charts.example.org/stable/redis',
      scheme: 'http',
    });
    expect(chart('https://charts.example.org/stable')).not.toHaveProperty('scheme');
  });

  test('is the same artifact for all spellings of an image', () => {
    const files = {
      Dockerfile: 'FROM redis:7\n',
      'a/Dockerfile': 'FROM docker.io/library/redis:7\n',
      'b/Dockerfile': 'FROM index.docker.io/library/redis:7.1\n',
    };
    expect(new Set(discoverFiles(files).items.map(({ artifact }) => artifact.purl)).size).toBe(1);
  });
});
