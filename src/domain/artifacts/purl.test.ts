import { describe, expect, test } from 'vitest';
import {
  chartPurl,
  formatPurl,
  gitPurl,
  imagePurl,
  normalizePurl,
  parsePurl,
  terraformPurl,
} from './purl.ts';

const redis = 'pkg:oci/redis?repository_url=docker.io%2Flibrary%2Fredis';

describe('the normalized package URL of an image', () => {
  test.each([
    'pkg:docker/redis',
    'pkg:docker/library/redis@7.2?arch=amd64',
    'pkg:oci/redis?repository_url=docker.io/library/redis',
    'pkg:oci/redis@sha256:aa?repository_url=index.docker.io/library&tag=7',
    'PKG:OCI/Redis?tag=7&repository_url=https://docker.io/library/redis/',
  ])('is the same for the spelling %s', (text) => {
    expect(normalizePurl(text)).toBe(redis);
    expect(imagePurl('redis:7')).toBe(redis);
  });

  test('keeps a registry other than Docker Hub', () => {
    const expected = 'pkg:oci/argocd?repository_url=quay.io%2Fargoproj%2Fargocd';
    expect(normalizePurl('pkg:docker/argoproj/argocd?repository_url=quay.io')).toBe(expected);
    expect(imagePurl('quay.io/argoproj/argocd:v2.9.0')).toBe(expected);
  });
});

test.each([
  ['pkg:github/Acme/Web@v1#path', 'pkg:github/acme/web'],
  ['pkg:npm/%40Scope/Name@1.0.0', 'pkg:npm/%40Scope/Name'],
  [
    'pkg://helm/redis?repository_url=charts.example.org&b=2',
    'pkg:helm/redis?repository_url=charts.example.org',
  ],
])('%s is normalized to %s', (text, expected) => {
  expect(normalizePurl(text)).toBe(expected);
});

test.each([
  '',
  'github/acme/web',
  'pkg:',
  'pkg:github',
  'pkg:npm/%zz',
  'pkg:npm/a%00b',
  'pkg:npm/a@1%1b',
  'pkg:npm/a?x=%0a',
  `pkg:npm/${'a'.repeat(2_000)}`,
])("%j isn't a valid package URL", (text) => {
  expect(parsePurl(text)).toBeNull();
});

test('a package URL that is too long for a database index once encoded is normalized to null', () => {
  expect(normalizePurl(`pkg:npm/${'版'.repeat(200)}`)).toHaveLength('pkg:npm/'.length + 200 * 9);
  expect(normalizePurl(`pkg:npm/${'版'.repeat(300)}`)).toBeNull();
});

test('qualifiers are sorted, and a formatted package URL parses to the same value', () => {
  const purl = parsePurl('pkg:generic/a%20b@1%2B2?z=1&a=x%26y')!;
  expect(purl).toMatchObject({
    name: 'a b',
    version: '1+2',
    qualifiers: [
      ['a', 'x&y'],
      ['z', '1'],
    ],
  });
  expect(parsePurl(formatPurl(purl))).toEqual(purl);
});

test('charts, Git repositories, and Terraform providers have package URLs', () => {
  expect(chartPurl('https://Charts.Example.org/Stable/', 'Redis')).toBe(
    'pkg:helm/redis?repository_url=charts.example.org%2FStable',
  );
  expect(gitPurl('git@github.com:Acme/Web.git')).toBe('pkg:github/acme/web');
  expect(gitPurl('https://git.example.org/acme/web.git')).toBe(
    'pkg:generic/web?vcs_url=git%2Bhttps:%2F%2Fgit.example.org%2Facme%2Fweb',
  );
  expect(terraformPurl('registry.terraform.io', ['hashicorp', 'aws'])).toBe('pkg:terraform/hashicorp/aws');
});
