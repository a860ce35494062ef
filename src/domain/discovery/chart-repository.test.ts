import { expect, test } from 'vitest';
import { sourceTypes } from '../source-types/source-types.ts';
import { readChartSource } from './chart-repository.ts';

test.each([
  ['https://charts.jetstack.io', 'helm_repository', 'charts.jetstack.io/cert-manager'],
  [' https://charts.jetstack.io/ ', 'helm_repository', 'charts.jetstack.io/cert-manager'],
  ['charts.example.org/stable', 'helm_repository', 'charts.example.org/stable/cert-manager'],
  ['s3://charts/stable', 'helm_repository', 'charts.s3.amazonaws.com/stable/cert-manager'],
  ['gs://charts', 'helm_repository', 'storage.googleapis.com/charts/cert-manager'],
  ['oci://quay.io/jetstack/charts', 'oci_registry', 'quay.io/jetstack/charts/cert-manager'],
])('a chart in the repository %s has a source of type %s', (repository, source_type, artifactName) => {
  const source = readChartSource(repository, 'cert-manager')!;
  expect(source.source_type).toBe(source_type);
  expect(sourceTypes[source.source_type].normalizeArtifactName(source.artifact_name)).toMatchObject({
    ok: true,
    artifactName,
  });
});

test.each(['', './charts', 'azblob://charts/stable', '@jetstack'])(
  '"%s" is not a supported chart repository',
  (repository) => {
    expect(readChartSource(repository, 'cert-manager')).toBeNull();
  },
);
