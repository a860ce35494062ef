import { expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

function images(files: Readonly<Record<string, string>>) {
  return discoverFiles(files).items.map(({ artifact, version }) => `${artifact.name} ${version}`);
}

const job = 'build:\n  stage: build\n  image: acme/builder:$TAG\n  script: [make]\n';

test.each([
  ['the file that includes it', { '.gitlab-ci.yml': 'include: /ci/build.yml\nvariables: { TAG: 1.2.3 }\n' }],
  [
    'a file that the same pipeline includes, by a wildcard',
    { '.gitlab-ci.yml': "include: 'ci/*.yml'\n", 'ci/common.yml': 'variables:\n  TAG: { value: 1.2.3 }\n' },
  ],
  [
    'a file that includes the file that includes it',
    {
      '.gitlab-ci.yml': 'include: [{ local: /ci/all.yml }]\nvariables: { TAG: 1.2.3 }\n',
      'ci/all.yml': 'include:\n  - local: [ci/build.yml]\nvariables: { TAG: 1.0.0 }\n',
    },
  ],
  [
    'a file with the value of a variable in another variable',
    { '.gitlab-ci.yml': 'include: ci/build.yml\nvariables: { TAG: "1.$MINOR", MINOR: "2.3" }\n' },
  ],
  [
    'a pipeline that triggers it as a child',
    {
      '.gitlab-ci.yml':
        'variables: { TAG: 1.2.3 }\nchild:\n  stage: build\n  trigger: { include: [{ local: ci/build.yml }] }\n',
    },
  ],
])('a variable in the image of a job gets its value from %s', (_, files) => {
  expect(images({ 'ci/build.yml': job, ...files })).toEqual(['acme/builder 1.2.3']);
});

test.each([
  ['no file sets it', {}],
  ['another pipeline sets it', { 'other/.gitlab-ci.yml': 'variables: { TAG: 1.2.3 }\n' }],
  [
    'two files that do not include each other set it differently',
    {
      '.gitlab-ci.yml': 'include: [ci/build.yml, ci/a.yml, ci/b.yml]\n',
      'ci/a.yml': 'variables: { TAG: 1.2.3 }\n',
      'ci/b.yml': 'variables: { TAG: 2.0.0 }\n',
    },
  ],
  [
    'two pipelines that include the file set it differently',
    {
      '.gitlab-ci.yml': 'include: ci/build.yml\nvariables: { TAG: 1.2.3 }\n',
      'other/.gitlab-ci.yml': 'include: ci/build.yml\nvariables: { TAG: 2.0.0 }\n',
    },
  ],
  [
    'only another child pipeline of the same pipeline sets it',
    {
      '.gitlab-ci.yml':
        'a:\n  trigger: { include: ci/build.yml }\nb:\n  trigger: { include: ci/other.yml }\n',
      'ci/other.yml': 'variables: { TAG: 1.2.3 }\n',
    },
  ],
])('a variable in the image of a job stays as written if %s', (_, files) => {
  expect(images({ 'ci/build.yml': job, ...files })).toEqual(['acme/builder $TAG']);
});
