import { expect, test } from 'vitest';
import { chartArtifactName, normalizeRepositoryUrl } from './chart-names.ts';

test('equivalent repository URLs have one normalized spelling', () => {
  const check = (url: string, expected: string | null): void => {
    const result = normalizeRepositoryUrl(url);
    expect([url, result.ok ? result.repositoryUrl : null]).toEqual([url, expected]);
  };
  check('https://argoproj.github.io/argo-helm/', 'https://argoproj.github.io/argo-helm');
  check('https://example.com/charts/index.yaml', 'https://example.com/charts');
  check('example.com', 'https://example.com');
  check('http://127.0.0.1:8080/charts', 'http://127.0.0.1:8080/charts');
  check('https://user:pw@example.com/charts', null);
  check('oci://example.com/charts', null);
  check('https://example.com/charts?x=1', null);
  check('not an address', null);
  check('nope', null);
  check('s3://acme-charts', 'https://acme-charts.s3.amazonaws.com');
  check(' S3://acme-charts/stable/index.yaml', 'https://acme-charts.s3.amazonaws.com/stable');
  check('s3://charts.example.org/stable/', 'https://s3.amazonaws.com/charts.example.org/stable');
  check('s3://Old_Charts/stable', 'https://s3.amazonaws.com/Old_Charts/stable');
  check('gs://acme.charts/stable//', 'https://storage.googleapis.com/acme.charts/stable');
  check('s3://user@acme/stable', null);
  check('s3://acme:9000/stable', null);
  check('s3://acme-charts/stable?region=eu-central-1', null);
  check('s3:///stable', null);
  check('azblob://acme/stable', null);
  check('https://nope', 'https://nope');
  check('localhost:8080/charts', 'https://localhost:8080/charts');
  for (const host of ['...', '-', 'a..b', 'example.org:0', 'x'.repeat(64)])
    check(`https://${host}/charts`, null);
  const longest = `https://example.com/${'x'.repeat(2_028)}`;
  check(longest, longest);
  check(`${longest}x`, null);
  // The length limit applies after the scheme is added and the path is percent-encoded.
  check(longest.replace('https://', ''), longest);
  check(`${longest.replace('https://', '')}x`, null);
  check(`https://example.com/${'é'.repeat(1_000)}`, null);
  expect(chartArtifactName('https://example.com/charts', 'app')).toEqual({
    ok: true,
    artifactName: 'example.com/charts/app',
  });
});
