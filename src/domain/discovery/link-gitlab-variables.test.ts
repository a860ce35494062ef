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
  [
    'its own file and another file of the pipeline set it differently',
    {
      '.gitlab-ci.yml': 'include: [ci/build.yml, ci/a.yml]\n',
      'ci/build.yml': `variables: { TAG: 1.0.0 }\n${job}`,
      'ci/a.yml': 'variables: { TAG: 1.2.3 }\n',
    },
  ],
  [
    'a pipeline and a file of another pipeline set it differently',
    {
      '.gitlab-ci.yml': 'include: ci/build.yml\nvariables: { TAG: 1.2.3 }\n',
      'other/.gitlab-ci.yml': 'include: [ci/build.yml, ci/a.yml]\n',
      'ci/a.yml': 'variables: { TAG: 2.0.0 }\n',
    },
  ],
])('a variable in the image of a job stays as written if %s', (_, files) => {
  expect(images({ 'ci/build.yml': job, ...files })).toEqual(['acme/builder $TAG']);
});

test.each([
  [
    'the file that includes its file',
    '.gitlab-ci.yml',
    'include: ci/build.yml\nvariables: { TAG: 1.2.3 }\n',
    'acme/builder 1.2.3',
  ],
  ['a file of another pipeline', 'other/.gitlab-ci.yml', 'variables: { TAG: 1.2.3 }\n', 'acme/builder 1.0.0'],
])('a variable of the file of a job and %s has the value that GitLab uses', (_, path, text, expected) => {
  expect(images({ 'ci/build.yml': `variables: { TAG: 1.0.0 }\n${job}`, [path]: text })).toEqual([expected]);
});

test('a variable of the job itself overrides those of other files', () => {
  const own = job.replace('  script', '  variables: { TAG: 1.0.0 }\n  script');
  const root = 'include: ci/build.yml\nvariables: { TAG: 1.2.3 }\n';
  expect(images({ 'ci/build.yml': own, '.gitlab-ci.yml': root })).toEqual(['acme/builder 1.0.0']);
});

test('hundreds of files of one pipeline get its variables without reaching the limit of a scan', () => {
  const count = 950;
  const variables = Array.from({ length: 5 }, (_, at) => `  V${at}: "1"\n`).join('');
  const files = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`ci/${at}.yml`, `variables:\n${variables}${job}`]),
  );
  const root = "include: 'ci/*.yml'\nvariables: { TAG: 1.2.3 }\n";
  expect(images({ ...files, '.gitlab-ci.yml': root })).toEqual(
    Array.from({ length: count }, () => 'acme/builder 1.2.3'),
  );
});
