import { expect, test } from 'vitest';
import { discoverFiles } from '../../../../tests/helpers/discover-files.ts';

const values = 'controller:\n  installPlugins:\n    - git:5.2.1\n    - kubernetes:4029.v5712230ccb_f8\n';

test.each([
  ['jenkins/values.yaml', values],
  ['jenkins/plugins.txt', '# comment\ngit:5.2.1\nkubernetes:4029.v5712230ccb_f8 # cloud\nworkflow-job\n'],
  [
    'jenkins/plugins.yaml',
    'plugins:\n  - artifactId: git\n    source: { version: 5.2.1 }\n  - artifactId: kubernetes\n    source:\n      version: 4029.v5712230ccb_f8\n',
  ],
  [
    'jenkins.yaml',
    'apiVersion: jenkins.io/v1alpha2\nkind: Jenkins\nmetadata: { name: ci }\nspec:\n  master:\n    basePlugins:\n      - { name: git, version: 5.2.1 }\n    plugins:\n      - { name: kubernetes, version: 4029.v5712230ccb_f8 }\n',
  ],
  [
    'release.yaml',
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: jenkins }\nspec:\n  values:\n${values.replaceAll(/^/gm, '    ')}`,
  ],
])('plugins of Jenkins are read from %s', (path, text) => {
  const plugins = discoverFiles({ [path]: text }).items;
  expect(plugins.map(({ artifact, version, reason }) => [artifact.name, version, reason])).toEqual([
    ['jenkins-plugin/git', '5.2.1', 'unsupported_source'],
    ['jenkins-plugin/kubernetes', '4029.v5712230ccb_f8', 'unsupported_source'],
  ]);
});

test.each([
  ['plugins.txt', 'https://example.org\ngit:5.2.1\n'],
  ['values.yaml', 'plugins:\n  - name:1.2.3\n'],
])('files that are not lists of Jenkins plugins are not read: %s', (path, text) => {
  expect(discoverFiles({ [path]: text }).items).toEqual([]);
});
