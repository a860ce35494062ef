import { expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

function versionsOf(path: string, text: string) {
  return discoverFiles({ [path]: text }).items.map(
    ({ artifact, version, place }) => `${place.line} ${artifact.name} ${version}`,
  );
}

const url = 'https://github.com/acme/tool';

test.each([
  ['group_vars/all.yml', `tool_repo: ${url}\ntool_repo_version: v1.2.3\n`],
  ['group_vars/all.yml', `tool_git_url: ${url}.git\ntool_version: v1.2.3\n`],
  [
    'roles/web/defaults/main.yml',
    `owner: acme\ntool_repository: https://github.com/acme/tool\ntool_ref: v1.2.3\n`,
  ],
  [
    'main.tf',
    `data "template_file" "a" {\n  vars = {\n    tool_src     = "${url}"\n    tool_version = "v1.2.3"\n  }\n}\n`,
  ],
])('a repository in a variable gets its version from another variable: %s, %#', (path, text) => {
  expect(versionsOf(path, text)).toEqual([expect.stringMatching(/^\d \S+acme\/tool(?:\.git)? v1\.2\.3$/)]);
});

test.each([
  ['group_vars/all.yml', 'tool_repo: https://packages.example.org/deb\ntool_repo_branch: stable\n'],
  ['group_vars/all.yml', `tool_repo: ${url}\n`],
  ['main.tf', `locals {\n  tool_src = "${url}"\n  tool_version = var.version\n}\n`],
])('other variables are not read as repositories: %s, %#', (path, text) => {
  expect(versionsOf(path, text)).toEqual([]);
});
