import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

/** Returns the images of files that aren't deployed, each with the note that says why. */
function unusedImages(files: Readonly<Record<string, string>>, options?: { isWholeRepository: boolean }) {
  return discoverFiles(files, options).items.flatMap(({ artifact, reason, note }) =>
    reason === 'not_installed' ? [`${artifact.name}: ${note}`] : [],
  );
}

/** Returns the files of a role. Each of its task files runs a container with a different image. */
function role(name: string, main: string, tasks: readonly string[] = []): Record<string, string> {
  const last = name.slice(name.lastIndexOf('/') + 1);
  const variables = ['main', ...tasks].map((task) => `${last}_${task}_image: acme/${last}-${task}:1.0.0\n`);
  const start = (task: string) =>
    `- name: ${task}\n  community.docker.docker_container:\n    name: ${task}\n    image: "{{ ${last}_${task}_image }}"\n`;
  return {
    [`roles/${name}/defaults/main.yml`]: variables.join(''),
    [`roles/${name}/tasks/main.yml`]: `${start('main')}${main}`,
    ...Object.fromEntries(tasks.map((task) => [`roles/${name}/tasks/${task}.yml`, start(task)])),
  };
}

const playbook = (roles: string) => `- hosts: all\n  roles:\n${roles}`;

describe('a role that no playbook uses', () => {
  test.each([
    ['its entry is a comment', playbook('    - web\n    # - old\n')],
    ['no entry names it', playbook('    - role: web\n      tags: old\n')],
  ])('is not deployed: %s', (_, site) => {
    expect(unusedImages({ ...role('web', ''), ...role('past', ''), 'site.yml': site })).toEqual([
      'acme/past-main: no playbook uses the role past',
    ]);
  });

  test.each([
    ['a role of a play', { 'site.yml': playbook('    - web\n    - { role: past, tags: [a] }\n') }],
    ['a list in one line', { 'site.yml': '- hosts: all\n  roles: [web, past]\n' }],
    ['a list in brackets', { 'site.yml': '- hosts: all\n  roles: [\n    web,\n    past,\n  ]\n' }],
    [
      'a name far below the key',
      {
        'site.yml':
          '- hosts: all\n  tasks:\n    - include_role:\n        apply: { tags: a }\n        public: true\n        allow_duplicates: true\n        tasks_from: main\n        name: past\n    - include_role: { name: web }\n',
      },
    ],
    [
      'a name after many other names',
      {
        'site.yml': `${playbook('    - web\n')}  tasks:\n${Array.from({ length: 2_100 }, (_each, at) => `    - name: task ${at}\n`).join('')}    - import_role: { name: past }\n`,
      },
    ],
    [
      'a variable after a long line',
      { 'site.yml': `${playbook('    - web\n')}  vars: { a: "${'x'.repeat(600)}", b: { role: past } }\n` },
    ],
    [
      'a task file outside of the directories of roles',
      { 'site.yml': `${playbook('    - web\n')}`, 'shared/start.yml': '- include_role:\n    name: past\n' },
    ],
    [
      'a task',
      {
        'site.yml': `${playbook('    - web\n')}  tasks:\n    - ansible.builtin.include_role:\n        name: past\n`,
      },
    ],
    ['the dependencies of a used role', { 'roles/web/meta/main.yml': 'dependencies:\n  - role: past\n' }],
    ['a task of a used role', { 'roles/web/handlers/main.yml': '- import_role: name=past\n' }],
    [
      'a path',
      { 'site.yml': `${playbook('    - web\n')}  tasks:\n    - import_tasks: roles/past/tasks/main.yml\n` },
    ],
    [
      'a variable that can contain any role',
      { 'site.yml': `${playbook('    - web\n    - "{{ more }}"\n')}` },
    ],
    ['a playbook with a conflict', { 'b.yml': `<<<<<<< a\n=======\n>>>>>>> b\n${playbook('    - past\n')}` }],
  ])('counts as used by %s', (_, files) => {
    const site = { 'site.yml': playbook('    - web\n') };
    expect(unusedImages({ ...role('web', ''), ...role('past', ''), ...site, ...files })).toEqual([]);
  });

  test.each([
    ['its inventory', 'group_vars/web.yml', ['acme/past-main: no playbook uses the role past']],
    [
      'the inventory of an environment',
      'inventories/prod/host_vars/a.yml',
      ['acme/past-main: no playbook uses the role past'],
    ],
    ['an example of an inventory', 'inventory/sample/group_vars/web.yml', []],
    ['variables in a role', 'roles/web/files/group_vars/web.yml', []],
  ])(
    'of a collection is not deployed only if the collection contains an inventory: %s',
    (_, path, expected) => {
      const files = {
        ...role('web', ''),
        ...role('past', ''),
        'galaxy.yml': 'namespace: acme\n',
        'site.yml': playbook('    - web\n'),
        [path]: 'color: red\n',
      };
      expect(unusedImages(files)).toEqual(expected);
    },
  );

  test('counts as used in a collection, because other repositories can use it', () => {
    const files = { ...role('web', ''), ...role('past', ''), 'galaxy.yml': 'namespace: acme\n' };
    expect(unusedImages({ ...files, 'playbooks/site.yml': playbook('    - web\n') })).toEqual([]);
  });

  test('counts as used if playbooks use only a few roles of the repository', () => {
    const files = { ...role('web', ''), ...role('a', ''), ...role('b', ''), ...role('c', '') };
    expect(unusedImages({ ...files, 'site.yml': playbook('    - web\n') })).toEqual([]);
  });

  test('counts as used if playbooks use only a few roles of its directory', () => {
    const web = { ...role('web', ''), ...role('db', ''), ...role('cache', '') };
    const shared = Object.fromEntries(
      Object.entries({ ...role('past', ''), ...role('more', '') }).map(([path, text]) => [
        `shared/${path}`,
        text,
      ]),
    );
    const roles = playbook('    - web\n    - db\n    - cache\n');
    expect(unusedImages({ ...web, ...shared, 'site.yml': roles })).toEqual([]);
  });

  test('counts as used if an inventory is the only file with hosts', () => {
    const inventory = 'all:\n  hosts:\n    web1: { ansible_host: 10.0.0.1 }\n';
    expect(unusedImages({ ...role('web', ''), ...role('past', ''), 'hosts.yml': inventory })).toEqual([]);
  });

  test.each([
    ['only a part of the repository is scanned', {}, false],
    ["a playbook can't be read", { 'more.yml': '- hosts: all\n  roles: [past\n' }, true],
  ])('counts as used if %s', (_, more, isWholeRepository) => {
    const files = { ...role('web', ''), ...role('past', ''), 'site.yml': playbook('    - web\n'), ...more };
    expect(unusedImages(files, { isWholeRepository })).toEqual([]);
  });

  test('counts as used in a repository without playbooks', () => {
    expect(unusedImages({ ...role('web', ''), ...role('past', '') })).toEqual([]);
  });
});

describe('a task file that its role does not include', () => {
  const site = { 'site.yml': playbook('    - apps/web\n') };
  const include = '- ansible.builtin.include_tasks: now.yml\n';

  test('is not deployed, and neither are the variables that only this file uses', () => {
    const commented = '# - ansible.builtin.include_tasks: past.yml\n';
    expect(unusedImages({ ...role('apps/web', include + commented, ['now', 'past']), ...site })).toEqual([
      'acme/web-past: no task in use refers to web_past_image',
    ]);
    const shared: Record<string, string> = {
      ...role('apps/web', include + commented, ['now', 'past']),
      ...site,
    };
    shared['roles/apps/web/tasks/now.yml'] += '    env: "{{ web_past_image }}"\n';
    expect(unusedImages(shared)).toEqual([]);
  });

  test('has variables that count as used if a file in use refers to more variables than are kept', () => {
    const files: Record<string, string> = { ...role('apps/web', include, ['now', 'past']), ...site };
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => `    e${at}: "{{ version_${at} }}"\n`).join('');
    files['roles/apps/web/tasks/now.yml'] += many(1_900);
    expect(unusedImages(files)).toHaveLength(1);
    files['roles/apps/web/tasks/now.yml'] += many(2_100);
    expect(unusedImages(files)).toEqual([]);
  });

  test.each([
    ['a name from an expression', '    env: "{{ lookup(\'vars\', name) }}"\n'],
    ['the variables of a host', '    env: "{{ hostvars[item][name] }}"\n'],
    ['a template with another ending', '- template:\n    src: app.conf\n    dest: /etc/app.conf\n'],
  ])('has variables that count as used if a file in use contains %s', (_, more) => {
    const files: Record<string, string> = { ...role('apps/web', include, ['now', 'past']), ...site };
    files['roles/apps/web/tasks/now.yml'] += more;
    expect(unusedImages(files)).toEqual([]);
  });

  test.each([
    ['another file of the role', include, { 'roles/apps/web/tasks/now.yml': '- import_tasks: past.yml\n' }],
    ['a variable that can contain any file', '- include_tasks: "{{ item }}.yml"\n', {}],
    [
      'a role that starts with it',
      include,
      {
        'site.yml': `${site['site.yml']}  tasks:\n    - include_role:\n        name: apps/web\n        tasks_from: past\n`,
      },
    ],
    [
      'a path in another role',
      include,
      { 'more.yml': '- hosts: all\n  tasks:\n    - include_tasks: roles/apps/web/tasks/past.yml\n' },
    ],
  ])('counts as used by %s', (_, main, files) => {
    expect(unusedImages({ ...role('apps/web', main, ['now', 'past']), ...site, ...files })).toEqual([]);
  });
});
