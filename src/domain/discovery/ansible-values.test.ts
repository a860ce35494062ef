import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { knownSources } from '../catalog/catalog.ts';

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

describe('a variable of an inventory', () => {
  const image = 'web_image: "acme/web:{{ web_version }}"\nweb_version: 1.0.0\n';
  const split = 'web_image: acme/web\nweb_version: 1.0.0\n';
  const download =
    'web_version: 1.0.0\nweb_url: https://github.com/acme/web/releases/download/v{{ web_version }}/web.tar.gz\n';
  const defaults = 'roles/web/defaults/main.yml';
  const yaml =
    'all:\n  children:\n    shop:\n      hosts: { a: {} }\n      vars:\n        web_version: 2.0.0\n';
  const outcomeOf = (files: Readonly<Record<string, string>>) =>
    discoverFiles(files)
      .items.map(
        ({ place, artifact, version, reason, environment, service }) =>
          `${place.file}:${place.line} ${artifact.name} ${version} ${reason ?? '-'} ${environment ?? '-'} ${service ?? '-'}`,
      )
      .toSorted();

  test.each([
    ['groups', 'group_vars/shop.yml', 'web_version: 2.0.0\n', 1, '-'],
    [
      'an inventory with a name',
      'production.inventory/group_vars/shop/vars.yml',
      'web_version: 2.0.0\n',
      1,
      'prod',
    ],
    ['a group in an inventory file', 'production.inventory/core.yml', yaml, 6, 'prod'],
    ['an INI inventory', 'inventory/hosts', '[shop]\na\n[shop:vars]\nweb_version=2.0.0\n', 4, '-'],
  ])('wins against the default of a role: %s', (_, path, text, line, environment) => {
    for (const [written, at] of [
      [image, 1],
      [split, 1],
    ] as const)
      expect(outcomeOf({ [defaults]: written, [path]: text })).toEqual(
        [
          `${path}:${line} acme/web 2.0.0 - ${environment} web`,
          `${defaults}:${at} acme/web 1.0.0 overridden - web`,
        ].toSorted(),
      );
  });

  test('wins against the default in a download, in a task, and in a template of the role', () => {
    const inventory = { 'group_vars/shop.yml': 'web_version: 2.0.0\n' };
    expect(outcomeOf({ [defaults]: download, ...inventory })).toEqual([
      'group_vars/shop.yml:1 acme/web v2.0.0 - - web',
      `${defaults}:1 acme/web v1.0.0 overridden - web`,
    ]);
    const template = 'kind: Pod\nspec:\n  image: acme/web:{{ web_version }}\n';
    for (const [path, text, line] of [
      ['roles/web/tasks/main.yml', task, 2],
      ['roles/web/templates/pod.yml.j2', template, 3],
    ] as const) {
      const prefix = path.endsWith('.j2') ? '' : 'v';
      expect(outcomeOf({ [path]: text, [defaults]: 'web_version: 1.0.0\n', ...inventory })).toEqual([
        `group_vars/shop.yml:1 acme/web ${prefix}2.0.0 - - web`,
        `${path}:${line} acme/web ${prefix}1.0.0 overridden - web`,
      ]);
    }
  });

  test('wins against a default variable whose name identifies the software', () => {
    expect(
      outcomeOf({ [defaults]: 'etcd_version: 3.5.0\n', 'group_vars/shop.yml': 'etcd_version: 3.6.4\n' }),
    ).toEqual([
      'group_vars/shop.yml:1 etcd 3.6.4 no_source - etcd',
      `${defaults}:1 etcd 3.5.0 overridden - etcd`,
    ]);
  });

  test('leaves the note of a version that only the role sets', () => {
    const { items } = discoverFiles({ [defaults]: split, 'group_vars/shop.yml': 'web_channel: stable\n' });
    expect(items).toMatchObject([{ version: '1.0.0', reason: null, note: 'tag from web_version' }]);
  });

  test('without a known value is no version', () => {
    const files = {
      'roles/web/tasks/main.yml': task,
      'group_vars/shop.yml': 'web_version: "{{ vault_web_version }}"\n',
    };
    expect(outcomeOf(files)).toEqual([
      'roles/web/tasks/main.yml:2 acme/web v{{ web_version }} templated - web',
    ]);
  });

  test('that contains the whole image is one item', () => {
    const files = {
      [defaults]: 'web_image: acme/web:1.0.0\n',
      'roles/web/tasks/main.yml': '- docker_container:\n    image: "{{ web_image }}"\n',
      'group_vars/shop.yml': 'web_image: acme/web:2.0.0\n',
    };
    expect(outcomeOf(files).filter((line) => !line.includes('overridden'))).toEqual([
      'group_vars/shop.yml:1 acme/web 2.0.0 - - -',
    ]);
  });

  test('adds a limited number of versions to a scan, and the inventories beyond the limit are reported', () => {
    const uses = Array.from({ length: 50 }, (_, at) => `x${at}_image: "acme/x${at}:{{ web_version }}"\n`);
    const files: Record<string, string> = {};
    for (let at = 0; at < 20; at++) files[`roles/r${at}/defaults/main.yml`] = uses.join('');
    for (let at = 0; at < 20; at++) files[`i${at}.inventory/group_vars/a.yml`] = 'web_version: 1.0.0\n';
    const { items, problems } = discoverFiles(files);
    expect(items.length).toBeLessThanOrEqual(1_000 + 10_000);
    expect(problems).toContainEqual(expect.objectContaining({ reason: 'limit', isFileRead: true }));
  });

  test('that all hosts have wins against the default where the default is used', () => {
    expect(outcomeOf({ [defaults]: image, 'group_vars/all.yml': 'web_version: 2.0.0\n' })).toContain(
      `${defaults}:1 acme/web 2.0.0 - - web`,
    );
  });

  test('gives one version for each inventory, and the default stays where an inventory sets none', () => {
    const files = {
      [defaults]: image,
      'prod.inventory/group_vars/shop.yml': 'web_version: 2.0.0\n',
      'staging.inventory/group_vars/shop.yml': 'web_version: 3.0.0\n',
    };
    const versions = [
      'prod.inventory/group_vars/shop.yml:1 acme/web 2.0.0 - prod web',
      'staging.inventory/group_vars/shop.yml:1 acme/web 3.0.0 - staging web',
    ];
    expect(outcomeOf(files)).toEqual(
      [...versions, `${defaults}:1 acme/web 1.0.0 overridden - web`].toSorted(),
    );
    const dev = { 'dev.inventory/host_vars/a.yml': 'other_version: 1.0.0\n' };
    expect(outcomeOf({ ...files, ...dev })).toEqual(
      expect.arrayContaining([...versions, `${defaults}:1 acme/web 1.0.0 - - web`]),
    );
  });

  test('of all hosts of one inventory gives a version for this inventory, and the others have the default', () => {
    const all = { 'prod.inventory/group_vars/all.yml': 'web_version: 2.0.0\n' };
    const found = [
      'prod.inventory/group_vars/all.yml:1 acme/web 2.0.0 - prod web',
      `${defaults}:1 acme/web 1.0.0 - - web`,
    ];
    for (const path of ['staging.inventory/hosts', 'staging.inventory/group_vars/shop.yml'])
      expect(outcomeOf({ [defaults]: image, ...all, [path]: 'other_version: 1.0.0\n' })).toEqual(
        expect.arrayContaining(found),
      );
    const staging = { 'staging.inventory/group_vars/all/web.yml': 'web_version: 2.0.0\n' };
    expect(outcomeOf({ [defaults]: image, ...all, ...staging })).toContain(
      `${defaults}:1 acme/web 2.0.0 - - web`,
    );
  });

  test('next to a directory of inventories applies to all of them', () => {
    const hosts = { 'inventories/prod/hosts': '[shop]\na\n', 'inventories/staging/hosts': '[shop]\nb\n' };
    for (const path of ['group_vars/all.yml', 'playbooks/group_vars/all.yml'])
      expect(outcomeOf({ [defaults]: image, ...hosts, [path]: 'web_version: 2.0.0\n' })).toContain(
        `${defaults}:1 acme/web 2.0.0 - - web`,
      );
  });

  test('of a group leaves the default deployed if another inventory has only hosts', () => {
    const group = { 'inventories/prod/group_vars/shop.yml': 'web_version: 2.0.0\n' };
    const hosts = { 'inventories/prod/hosts': '[shop]\na\n' };
    expect(outcomeOf({ [defaults]: image, ...group, ...hosts })).toContain(
      `${defaults}:1 acme/web 1.0.0 overridden - web`,
    );
    const other = { 'inventories/staging/hosts': '[shop]\nb\n' };
    expect(outcomeOf({ [defaults]: image, ...group, ...hosts, ...other })).toContain(
      `${defaults}:1 acme/web 1.0.0 - - web`,
    );
  });

  test.each([
    ['only one host has it', 'host_vars/a.yml'],
    ['it is only outside of production', 'staging.inventory/group_vars/shop.yml'],
  ])('leaves the default deployed if %s', (_, path) => {
    const found = outcomeOf({ [defaults]: image, [path]: 'web_version: 2.0.0\n' });
    expect(found).toContain(`${defaults}:1 acme/web 1.0.0 - - web`);
    expect(found.some((line) => line.startsWith(`${path}:1 acme/web 2.0.0 -`))).toBe(true);
  });

  test('loses against the variables of a role', () => {
    const files = {
      'roles/web/vars/main.yml': 'web_version: 1.5.0\n',
      'roles/web/tasks/main.yml': task,
      'group_vars/shop.yml': 'web_version: 2.0.0\n',
      'group_vars/all.yml': 'web_version: 3.0.0\n',
    };
    expect(outcomeOf(files)).toContain('roles/web/tasks/main.yml:2 acme/web v1.5.0 - - web');
    expect(outcomeOf(files).some((line) => line.includes('acme/web v2'))).toBe(false);
  });
});

describe('the default of a role that plays use', () => {
  const defaults = { 'roles/etcd/defaults/main.yml': 'etcd_version: 3.5.0\n' };
  const site = (hosts: string, more = '') => `- hosts: ${hosts}\n${more}  roles: [etcd]\n`;
  const group = { 'group_vars/shop.yml': 'etcd_version: 3.6.4\n' };
  const all = { 'group_vars/all.yml': 'etcd_version: 3.6.4\n' };
  const defaultOf = (files: Readonly<Record<string, string>>) => {
    const item = discoverFiles({ ...defaults, ...files }, { known: knownSources }).items.find(({ place }) =>
      place.file.endsWith('defaults/main.yml'),
    );
    return `${item?.version} ${item?.reason ?? 'deployed'}`;
  };

  test.each([
    ['the variables of all hosts set it', { ...all, 'site.yml': site('shop') }],
    ['the variables of all hosts set it, without a play', all],
    ['all groups of the plays set it', { ...group, 'site.yml': site('shop'), 'more.yml': site('shop:!a') }],
    [
      'an inventory sets it for all hosts',
      { 'inventory/hosts': '[all:vars]\netcd_version=3.6.4\n', 'site.yml': site('all') },
    ],
    [
      'an inventory sets it for the group',
      {
        'inventory/prod.yml': 'all:\n  children:\n    shop:\n      vars: { etcd_version: 3.6.4 }\n',
        'site.yml': site('shop'),
      },
    ],
    ['the play sets it', { 'site.yml': site('all', '  vars: { etcd_version: 3.6.4 }\n') }],
    [
      'each use of the role sets it',
      { 'site.yml': '- hosts: all\n  roles:\n    - { role: etcd, etcd_version: 3.6.4 }\n' },
    ],
    [
      'a task sets it for the role',
      {
        'site.yml':
          '- hosts: all\n  tasks:\n    - include_role: { name: etcd }\n      vars: { etcd_version: 3.6.4 }\n',
      },
    ],
    [
      'a file that the play loads sets it',
      { 'site.yml': site('all', '  vars_files: [versions.yml]\n'), 'versions.yml': 'etcd_version: 3.6.4\n' },
    ],
    [
      'the play of a role that includes it sets it',
      {
        'site.yml': '- hosts: all\n  vars: { etcd_version: 3.6.4 }\n  roles: [cluster]\n',
        'roles/cluster/tasks/main.yml': '- include_role:\n    name: etcd\n',
      },
    ],
  ])('is overridden if %s', (_, files) => {
    expect(defaultOf(files)).toBe('3.5.0 overridden');
  });

  test.each([
    ['a play for all hosts uses it, and only a group sets it', { ...group, 'site.yml': site('all') }],
    ['a play for another group uses it', { ...group, 'site.yml': site('shop'), 'db.yml': site('db') }],
    ['a play for several groups uses it', { ...group, 'site.yml': site('shop:db') }],
    [
      'only one of the inventories sets it',
      {
        'inventories/prod/group_vars/shop.yml': 'etcd_version: 3.6.4\n',
        'inventories/test/hosts': '[shop]\na\n',
        'site.yml': site('shop'),
      },
    ],
    [
      'only one of the plays sets it',
      { 'site.yml': site('all', '  vars: { etcd_version: 3.6.4 }\n'), 'db.yml': site('db') },
    ],
    [
      'only another role gets the value',
      { 'site.yml': '- hosts: all\n  roles:\n    - { role: web, etcd_version: 3.6.4 }\n    - etcd\n' },
    ],
    [
      'only one of the plays loads the file that sets it',
      {
        'site.yml': site('all', '  vars_files: [versions.yml]\n'),
        'db.yml': site('db'),
        'versions.yml': 'etcd_version: 3.6.4\n',
      },
    ],
    ['only one host sets it', { 'host_vars/a.yml': 'etcd_version: 3.6.4\n', 'site.yml': site('a') }],
    ['the pattern of the play is a variable', { ...group, 'site.yml': site('"{{ target }}"') }],
    [
      'only an inventory outside of production sets it',
      { 'staging.inventory/group_vars/all.yml': 'etcd_version: 3.6.4\n', 'site.yml': site('shop') },
    ],
  ])('stays deployed if %s', (_, files) => {
    expect(defaultOf(files)).toBe('3.5.0 deployed');
  });

  test.each([
    ['by the name of a variable', '  vars_files: ["vars/{{ env }}.yml"]\n'],
    ['as the first one that exists', '  vars_files: [[a.yml, b.yml]]\n'],
    ['in a task', '  pre_tasks:\n    - include_vars: { dir: vars }\n'],
    ['from a directory whose variables are not known', '  vars_files: [vars/prod.yml]\n'],
  ])('stays deployed with a note if a play loads variables %s', (_, more) => {
    const files = { ...defaults, ...group, 'site.yml': site('shop', more), 'vars/prod.yml': 'color: red\n' };
    expect(discoverFiles(files, { known: knownSources }).items).toContainEqual(
      expect.objectContaining({
        version: '3.5.0',
        reason: null,
        note: expect.stringMatching(/a file of variables that is known only when/),
      }),
    );
  });

  test('has another version where a play sets its variable', () => {
    const files = {
      'roles/web/defaults/main.yml': 'web_image: "acme/web:{{ web_version }}"\nweb_version: 1.0.0\n',
      'site.yml': '- hosts: all\n  vars:\n    web_version: 2.0.0\n  roles: [web]\n',
      'api.yml': '- hosts: api\n  vars:\n    web_version: 3.0.0\n  roles: [api]\n',
    };
    const found = discoverFiles(files).items.map(
      ({ place, artifact, version, reason }) =>
        `${place.file}:${place.line} ${artifact.name} ${version} ${reason ?? '-'}`,
    );
    expect(found.toSorted()).toEqual([
      'api.yml:3 web 3.0.0 no_source',
      'roles/web/defaults/main.yml:1 acme/web 1.0.0 overridden',
      'site.yml:3 acme/web 2.0.0 -',
    ]);
  });

  test('is linked within ten seconds of processor time, whatever the number of plays, roles, and inventories', () => {
    const names = Array.from({ length: 300 }, (_, at) => `r${at}`);
    const files: Record<string, string> = {};
    for (const name of names) {
      files[`roles/${name}/defaults/main.yml`] = `${name}_etcd_version: 3.5.0\n`;
      files[`roles/${name}/tasks/main.yml`] = names
        .map((each) => `- include_role: { name: ${each} }\n`)
        .join('');
      files[`inventories/${name}/group_vars/all.yml`] = `${name}_etcd_version: 3.6.4\n`;
    }
    for (let at = 0; at < 100; at++)
      files[`p${at}.yml`] = `- hosts: [${names.join(', ')}]\n  roles: [r${at}]\n`;
    const start = process.threadCpuUsage();
    expect(discoverFiles(files).items.length).toBeGreaterThan(300);
    expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
  });
});

describe('a file in the templates of a role', () => {
  const defaults = { 'roles/web/defaults/main.yml': 'web_version: 1.2.3\n' };
  const path = 'roles/web/templates/docker-compose.yml';
  const compose =
    'services:\n  app:\n    image: acme/web:{{ web_version }}\n    ports:\n      - {{ web_port }}:80\n';

  test.each([
    ['an expression', compose],
    ['a condition', `${compose}{% if web_cache %}\n  cache:\n    restart: always\n{% endif %}\n`],
  ])('is read as a template, whatever its name: %s', (_, text) => {
    const { items } = discoverFiles({ ...defaults, [path]: text });
    expect(items.map(({ artifact, version, reason }) => [artifact.name, version, reason])).toEqual([
      ['acme/web', '1.2.3', null],
    ]);
  });

  test('or a Dockerfile there gets the variables of the role', () => {
    const { items } = discoverFiles({
      ...defaults,
      'roles/web/templates/Dockerfile': 'FROM acme/web:{{ web_version }} AS web\n',
      'roles/web/files/Dockerfile': 'FROM acme/api:2.0.0\n',
    });
    expect(items.map(({ artifact, version, reason }) => [artifact.name, version, reason])).toEqual([
      ['acme/web', '1.2.3', null],
      ['acme/api', '2.0.0', null],
    ]);
  });
});

test.each([
  ['https://dl.acme.example/web/v1.2.3/web-linux-amd64.tar.gz', ['web', 'v1.2.3']],
  ['https://dl.acme.example/web-1.2.3.tar.gz', ['web', '1.2.3']],
  ['https://dl.acme.example/1.2.3/web_linux.zip', ['web', '1.2.3']],
  ['https://dl.acme.example/ubuntu/22.04/agent.deb', undefined],
  ['https://dl.acme.example/latest/web.tar.gz', undefined],
])('the archive %s in the defaults of a role is %j', (url, expected) => {
  const { items } = discoverFiles({ 'roles/web/defaults/main.yml': `web_url: ${url}\n` });
  const [first] = items;
  expect(first && [first.artifact.name, first.version]).toEqual(expected);
});

test('a download is read next to an expression in a text with several lines', () => {
  const text =
    'web_version: 1.2.3\nweb_is_old: >-\n  {{ web_found and\n     web_found is version(web_version, "<") }}\nweb_url: "https://github.com/acme/web/archive/v{{ web_version }}.tar.gz"\n';
  expect(versionsOf({ 'roles/web/defaults/main.yml': text })).toEqual([
    'roles/web/defaults/main.yml:1 acme/web v1.2.3',
  ]);
});

test('a name without a namespace next to a tag gives only a likely proposal, because a task can add a registry', () => {
  const proposalOf = (image: string) =>
    discoverFiles({
      'roles/notebooks/defaults/main.yml': `images:\n  - { image: ${image}, tag: "1.2.3" }\n`,
    }).items[0]?.proposal;
  expect(proposalOf('examples')).toMatchObject({ confidence: 'likely' });
  expect(proposalOf('ghcr.io/acme/examples')).toMatchObject({ confidence: 'certain' });
});

describe('a package that a task installs', () => {
  const tasks = (argument: string, more = '') => ({
    'roles/web/tasks/main.yml': `- name: install\n  ${argument}\n${more}`,
  });
  const packagesOf = (files: Readonly<Record<string, string>>) =>
    discoverFiles(files).items.map(
      ({ artifact, version, reason, place }) =>
        `${place.file}:${place.line} ${artifact.name} ${version} ${reason ?? '-'}`,
    );

  test.each([
    ['an epoch and a tilde', 'apt: { name: "redis-server=6:7.2.4-1rl1~jammy1" }', '6:7.2.4-1rl1~jammy1'],
    ['an architecture', 'ansible.builtin.apt: { pkg: ["redis-server:amd64=6:7.2.4-1"] }', '6:7.2.4-1'],
    [
      'several packages',
      'ansible.builtin.package: { name: "curl,redis-server=7.2.4-1ubuntu3" }',
      '7.2.4-1ubuntu3',
    ],
    ['a loop', 'apt: { name: "{{ item }}" }\n  loop: ["redis-server=7.2.4-1"]', '7.2.4-1'],
  ])('has the exact version after its name, as with %s', (_, argument, version) => {
    expect(packagesOf(tasks(argument))).toEqual([
      expect.stringMatching(/^roles\/web\/tasks\/main\.yml:[23] redis-server /),
    ]);
    expect(packagesOf(tasks(argument))[0]).toContain(` redis-server ${version} no_source`);
  });

  test.each([
    ['a wildcard', 'apt: { name: "redis-server=7.2.*" }', ['range']],
    ['a package that is removed', 'apt: { name: "redis-server=7.2.4-1", state: absent }', []],
    ['a package without a version', 'apt: { name: redis-server }', []],
  ])('has no exact version with %s', (_, argument, reasons) => {
    expect(discoverFiles(tasks(argument)).items.map(({ reason }) => reason)).toEqual(reasons);
  });

  const pinned = tasks('apt: { name: ["datadog-agent={{ agent_pin_version }}"] }');
  test('gets its version from the variable, whose value in an inventory is the version of the package', () => {
    expect(
      packagesOf({ ...pinned, 'group_vars/shop/production.yml': 'agent_pin_version: "1:6.46.0-1"\n' }),
    ).toContain('group_vars/shop/production.yml:1 datadog-agent 1:6.46.0-1 no_source');
    expect(
      packagesOf({ ...pinned, 'roles/web/defaults/main.yml': 'agent_pin_version: "5:24.0.7-1~jammy"\n' }),
    ).toEqual(['roles/web/tasks/main.yml:2 datadog-agent 5:24.0.7-1~jammy no_source']);
  });

  test.each([
    ['a gem', 'community.general.gem: { name: capistrano, version: "{{ cap_version }}" }', 'capistrano'],
    ['a package of npm', 'npm: { name: yarn, version: "{{ cap_version }}" }', 'yarn'],
    [
      'the first of several packages',
      'apt: { name: ["docker-ce={{ cap_version }}", "docker-ce-cli={{ cap_version }}"] }',
      'docker-ce',
    ],
  ])('is the software of a variable with another name: %s', (_, argument, name) => {
    const files = { ...tasks(argument), 'group_vars/shop.yml': 'cap_version: "3.19.2"\n' };
    expect(packagesOf(files).filter((line) => line.startsWith('group_vars'))).toEqual([
      `group_vars/shop.yml:1 ${name} 3.19.2 no_source`,
    ]);
  });

  test('is not the software of a variable that names software of the catalog', () => {
    const files = tasks('apt: { name: "redis-server={{ redis_version }}" }');
    expect(packagesOf({ ...files, 'roles/web/defaults/main.yml': 'redis_version: 7.2.4\n' })).toEqual([
      'roles/web/defaults/main.yml:1 redis 7.2.4 no_source',
    ]);
  });

  test('is the software of a variable next to the list of packages, also where an inventory sets it', () => {
    const defaults = 'berry_version: "4.15.0"\nberry_package_manager: "yarn@{{ berry_version }}"\n';
    expect(
      packagesOf({
        'roles/web/defaults/main.yml': defaults,
        'group_vars/shop.yml': 'berry_version: "4.18.0"\n',
      }),
    ).toEqual(
      expect.arrayContaining([
        'group_vars/shop.yml:1 yarn 4.18.0 no_source',
        'roles/web/defaults/main.yml:1 yarn 4.15.0 overridden',
      ]),
    );
  });
});

describe('an archive whose address begins with a variable', () => {
  const path = '"{{ mirror_url }}/{{ v }}/web-{{ v }}-linux-x64.tar.gz"';
  const tasks = `- set_fact: { v: "{{ wanted_release_version }}" }\n- unarchive: { src: ${path} }\n`;
  const group = { 'group_vars/shop.yml': 'wanted_release_version: v24.16.0\n' };

  test('is the software of the variable with its version if the role has the URL', () => {
    const defaults = 'mirror_url: https://mirror.acme.example/web\nwanted_release_version: v18.0.0\n';
    const files = { 'roles/web/tasks/main.yml': tasks, 'roles/web/defaults/main.yml': defaults };
    expect(versionsOf(files)).toEqual(['roles/web/tasks/main.yml:2 web 18.0.0']);
    expect(versionsOf({ ...files, ...group })).toContain('group_vars/shop.yml:1 web 24.16.0');
  });

  test.each([
    ['no file has its value', {}],
    ['its value is a directory', { 'roles/web/defaults/main.yml': 'mirror_url: /srv/files\n' }],
  ])('is no download if %s', (_, more) => {
    const names = versionsOf({ 'roles/web/tasks/main.yml': tasks, ...group, ...more });
    expect(names.filter((line) => / web /.test(line))).toEqual([]);
    expect(versionsOf({ 'roles/web/tasks/main.yml': tasks, ...more })).toEqual([]);
  });
});

describe('a task that removes something', () => {
  const image = 'ghcr.io/acme/web:1.2.3';

  test.each([
    ['a list of images', `podman_image:\n    name: "{{ item }}"\n    state: absent\n  loop:\n    - ${image}`],
    [
      'a list before the module',
      `loop:\n    - ${image}\n  docker_image:\n    name: "{{ item }}"\n    state: absent`,
    ],
    ['a container', `docker_container:\n    name: web\n    image: ${image}\n    state: absent`],
    ['a container in one line', `docker_container: { name: web, image: "${image}", state: "absent" }`],
  ])('has no item, as with %s, and other tasks of the file keep theirs', (_, task) => {
    const file = (text: string) => ({ 'roles/web/tasks/main.yml': text });
    const others =
      '- name: Pull\n  podman_image:\n    name: "{{ item }}"\n  loop:\n    - ghcr.io/acme/api:2.0.0\n';
    expect(versionsOf(file(`- name: Remove\n  ${task}\n`))).toEqual([]);
    expect(versionsOf(file(`- name: Remove\n  ${task}\n${others}`))).toEqual([
      expect.stringContaining(' ghcr.io/acme/api 2.0.0'),
    ]);
    expect(versionsOf(file(`- name: Add\n  ${task.replaceAll('absent', 'present')}\n`))).toEqual([
      expect.stringContaining(' ghcr.io/acme/web 1.2.3'),
    ]);
  });
});

describe('a release whose address begins with a variable', () => {
  const defaults = (variable: string) =>
    `web_version: 1.2.3\nweb_url: "{{ ${variable} }}/acme/web/releases/download/{{ web_version }}/web.zip"\n`;
  const itemsWith = (variable: string, more: Readonly<Record<string, string>> = {}) =>
    discoverFiles({ 'group_vars/all/versions.yml': defaults(variable), ...more }).items;
  const mirror = `mirror_github: 'https://{{ nexus ~ "/github" if nexus else "github.com" }}'\n`;

  test('is likely that of a repository on GitHub if the variable is named after it', () => {
    expect(itemsWith('mirror_github', { 'group_vars/all/main.yml': mirror })).toMatchObject([
      {
        artifact: { name: 'acme/web' },
        version: '1.2.3',
        reason: null,
        proposal: { artifact_name: 'github.com/acme/web', confidence: 'likely' },
      },
    ]);
  });

  test('is certain with the value of the variable, and has no source without one', () => {
    const address = { 'group_vars/all/main.yml': 'mirror_url: https://github.com\n' };
    expect(itemsWith('mirror_url', address)).toMatchObject([
      { artifact: { name: 'acme/web' }, version: '1.2.3', proposal: { confidence: 'certain' } },
    ]);
    expect(itemsWith('mirror_url')).toMatchObject([
      { artifact: { name: 'acme/web' }, version: '1.2.3', reason: 'no_source', proposal: null },
    ]);
  });
});
