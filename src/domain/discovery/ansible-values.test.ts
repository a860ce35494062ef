import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

function versionsOf(files: Readonly<Record<string, string>>) {
  return discoverFiles(files).items.map(
    ({ artifact, version, place }) => `${place.file}:${place.line} ${artifact.name} ${version}`,
  );
}

const task = '- docker_container:\n    image: "acme/web:v{{ web_version }}"\n';
const playbook =
  '- hosts: all\n  vars_files:\n    - versions.yml\n  tasks:\n    - import_tasks: tasks/web.yml\n';

describe('a variable in an image of a task', () => {
  test.each([
    ['the inventory of all hosts', 'group_vars/all.yml', {}],
    ['a directory of the inventory of all hosts', 'inventory/group_vars/all/versions.yml', {}],
    ['a file with any name that a playbook loads', 'versions.yml', { 'site.yml': playbook }],
  ])(
    'gets its value from %s, where the line of the variable is also a version of the image',
    (_, path, files) => {
      expect(
        versionsOf({ 'tasks/web.yml': task, [path]: 'web_version: 1.2.3\n', ...files }).toSorted(),
      ).toEqual(['tasks/web.yml:2 acme/web v1.2.3', `${path}:1 acme/web v1.2.3`].toSorted());
    },
  );

  test('gets its value in a job of Nomad that Ansible renders', () => {
    const job =
      'job "web" {\n  group "a" {\n    task "a" {\n      driver = "docker"\n      config {\n        image = "acme/web:{{ web_version }}"\n      }\n    }\n  }\n}\n';
    const files = { 'templates/web.hcl': job, 'site.yml': playbook, 'versions.yml': 'web_version: 1.2.3\n' };
    expect(versionsOf(files)).toContain('templates/web.hcl:6 acme/web 1.2.3');
  });

  test.each([
    ['no playbook names the file', { 'versions.yml': 'web_version: 1.2.3\n' }],
    [
      'two files set different values',
      { 'a/group_vars/all.yml': 'web_version: 1.2.3\n', 'b/group_vars/all.yml': 'web_version: 2.0.0\n' },
    ],
  ])('stays as written if %s', (_, files) => {
    expect(versionsOf({ 'tasks/web.yml': task, ...files })).toContain(
      'tasks/web.yml:2 acme/web v{{ web_version }}',
    );
  });
});

test('a name without a namespace next to a tag gives only a likely proposal, because a task can add a registry', () => {
  const proposalOf = (image: string) =>
    discoverFiles({
      'roles/notebooks/defaults/main.yml': `images:\n  - { image: ${image}, tag: "1.2.3" }\n`,
    }).items[0]?.proposal;
  expect(proposalOf('examples')).toMatchObject({ confidence: 'likely' });
  expect(proposalOf('ghcr.io/acme/examples')).toMatchObject({ confidence: 'certain' });
});
