import { describe, expect, test } from 'vitest';
import { describeItems, discoverFiles } from '../../../../tests/helpers/discover-files.ts';

/** Returns the items of a single file. Repositories on GitHub are listed without their host. */
function itemsOf(path: string, text: string): string[] {
  return describeItems({ [path]: text }).map((item) => item.replace(/^github\.com\//, ''));
}

/** Returns the identity of each item, so that tests can show that a new version keeps it. */
function keysOf(files: Readonly<Record<string, string>>): string[] {
  return discoverFiles(files).items.map(({ key }) => key);
}

describe('the quadlet extractor', () => {
  test.each([
    [
      'web.container',
      '[Unit]\nDescription=x\n[Container]\nImage=ghcr.io/acme/web:1.2.3\n',
      ['ghcr.io/acme/web 1.2.3'],
    ],
    [
      'web@.container',
      '[Container]\nImage = "docker.io/library/redis:7.4.1"\n',
      ['docker.io/library/redis 7.4.1'],
    ],
    ['data.volume', '[Volume]\nImage=quay.io/acme/data:2.0.0\nDriver=image\n', ['quay.io/acme/data 2.0.0']],
    ['base.image', '[Image]\nImage=quay.io/acme/base:3.1\n', ['quay.io/acme/base 3.1']],
    [
      'web.container',
      '[Container]\nExec=run \\\n  Image=no/image:1\nImage=acme/web:1.0\n',
      ['docker.io/acme/web 1.0'],
    ],
    ['web.container', '[Container]\n#Image=acme/old:1.0\n;Image=acme/old:1.1\n', []],
  ])('reads the image of %s', (path, text, expected) => {
    expect(itemsOf(path, text)).toEqual(expected);
  });

  test('skips a reference to another unit and other sections', () => {
    expect(itemsOf('web.container', '[Container]\nImage=base.image\n')).toEqual([]);
    expect(itemsOf('web.container', '[Container]\nImage=web.build\n')).toEqual([]);
    expect(itemsOf('web.container', '[Service]\nImage=acme/web:1.0\n')).toEqual([]);
  });
});

describe('the nomad extractor', () => {
  test('reads images and downloads of tasks, with variables that have a default', () => {
    const job = `variable "tag" { default = "1.2.3" }
job "shop" {
  group "web" {
    task "server" {
      driver = "docker"
      config { image = "ghcr.io/acme/web:\${var.tag}" }
    }
    task "tool" {
      artifact { source = "https://github.com/acme/tool/releases/download/v2.0.0/tool.tar.gz" }
    }
  }
}
`;
    expect(itemsOf('shop.nomad.hcl', job)).toEqual(['ghcr.io/acme/web 1.2.3', 'acme/tool v2.0.0']);
    expect(itemsOf('jobs/shop.nomad', job)).toHaveLength(2);
    expect(discoverFiles({ 'shop.hcl': job }).items[0]).toMatchObject({
      service: 'shop',
      note: 'default value of ghcr.io/acme/web:${var.tag}',
    });
  });

  test('reports an image whose variable has no default as templated', () => {
    const job =
      'variable "tag" {}\njob "a" {\n  task "b" {\n    config { image = "acme/web:${var.tag}" }\n  }\n}\n';
    expect(itemsOf('a.nomad', job)).toEqual(['docker.io/acme/web ${var.tag} (templated)']);
  });

  test('reads nothing from HCL files of other tools', () => {
    expect(itemsOf('.tflint.hcl', 'plugin "aws" { version = "0.1.0" }\n')).toEqual([]);
    expect(itemsOf('policy.hcl', 'path "secret/*" { capabilities = ["read"] }\n')).toEqual([]);
  });
});

test('a Nomad job in a template keeps the names of its images', () => {
  const text =
    'job "web" {\n  group "a" {\n    task "b" {\n      config { image = "ghcr.io/acme/web:${version}" }\n    }\n  }\n}\n';
  expect(itemsOf('apps/web.tpl', text)).toEqual(['ghcr.io/acme/web ${version} (templated)']);
  expect(itemsOf('charts/a/templates/_helpers.tpl', '{{- define "a" }}{{ end }}\n')).toEqual([]);
});

describe('the terragrunt extractor', () => {
  test('reads the versions of providers in a generated file', () => {
    const text =
      'generate "provider" {\n  path = "provider.tf"\n  contents = <<-EOF\nprovider "aws" {\n  version = "2.70.0"\n}\nEOF\n}\n';
    expect(itemsOf('live/terragrunt.hcl', text)).toEqual([expect.stringMatching(/aws.* 2\.70\.0$/)]);
  });

  test.each([
    ['terragrunt.hcl.aws', ['acme/modules v1.2.3']],
    ['terragrunt.hcl.bak', []],
    ['terragrunt.hcl.example', []],
  ])('reads the versions of %s', (base, expected) => {
    const text = 'terraform {\n  source = "git::https://github.com/acme/modules.git//vpc?ref=v1.2.3"\n}\n';
    expect(itemsOf(`live/${base}`, text)).toEqual(expected);
  });

  test.each([
    [
      'chart_version = "65.1.0"\n  helm_repository = "https://charts.example.org"\n  helm_release_chart = "stack"',
      ['charts.example.org/stack 65.1.0'],
    ],
    [
      'web_chart_version = "1.2.3"\n  chart_name = "web"\n  repository = "oci://ghcr.io/acme/charts"',
      ['ghcr.io/acme/charts/web 1.2.3'],
    ],
    ['chart_version = "1.2.3"\n  chart = "web"', []],
    ['chart_version = "1.2.3"\n  chart = "web"\n  repository = "web"', []],
  ])('reads the chart that the inputs of a module specify: %s', (inputs, expected) => {
    expect(itemsOf('live/web/terragrunt.hcl', `inputs = {\n  ${inputs}\n}\n`)).toEqual(expected);
  });

  test.each([
    ['git::https://github.com/acme/modules.git//vpc?ref=v1.2.3', ['acme/modules v1.2.3']],
    [
      'git::git@git.example.org:acme/modules.git//vpc?ref=v1.2.3',
      ['ssh://git@git.example.org/acme/modules.git v1.2.3'],
    ],
    [
      'tfr:///terraform-aws-modules/vpc/aws?version=5.8.1',
      [expect.stringMatching(/terraform-aws-modules\/vpc\/aws.* 5\.8\.1$/)],
    ],
    ['${local.base}//vpc?ref=v2.0.0', ['acme/modules v2.0.0']],
    ['../modules/vpc', []],
  ])('reads the module %s', (source, expected) => {
    const text = `locals {\n  base = "git::https://github.com/acme/modules.git"\n}\nterraform {\n  source = "${source}"\n}\n`;
    expect(itemsOf('prod/vpc/terragrunt.hcl', text).filter((item) => !item.includes('(local)'))).toEqual(
      expected,
    );
  });

  test.each([
    ['git::https://github.com/acme/modules.git//vpc?ref=v1.2.3', 'acme/modules v1.2.3'],
    [
      'git::https://github.com/acme/modules.git//vpc?ref=v${get_env("VERSION")}',
      'acme/modules v${get_env("VERSION")} (templated)',
    ],
  ])('reads the published module in a conditional expression: %s', (address, expected) => {
    const source = `\${get_env("MODE", "") == "local" ? "../modules/vpc" : "${address}"}`;
    const items = itemsOf('prod/vpc/terragrunt.hcl', `terraform {\n  source = "${source}"\n}\n`);
    expect(items).toEqual([expected]);
  });

  test('reads a version in the comment after a commit, and downloads and services in the values of a unit', () => {
    const text = `unit "eks" {
  source = "git::https://github.com/acme/modules.git//eks?ref=0123456789012345678901234567890123456789" # v1.4.0
  values = {
    kubernetes_version = "1.33"
    url                = "https://github.com/acme/crds/releases/download/v1.5.0/install.yaml"
  }
}
`;
    expect(itemsOf('live/terragrunt.stack.hcl', text)).toEqual([
      'acme/modules v1.4.0',
      'amazon-eks 1.33',
      'acme/crds v1.5.0',
    ]);
  });

  test('reads the providers of a generated file', () => {
    const text = `generate "provider" {
  path     = "provider.tf"
  contents = <<-EOF
    terraform {
      required_providers {
        tls = {
          source  = "hashicorp/tls"
          version = "4.1.0"
        }
      }
    }
    provider "aws" { region = "\${local.region}" }
  EOF
}
`;
    const { items } = discoverFiles({ 'prod/terragrunt.hcl': text });
    expect(items).toMatchObject([
      { artifact: { name: 'hashicorp/tls' }, version: '4.1.0', place: { line: 8 } },
    ]);
  });

  test('reads the units of a stack and the required versions of the tools', () => {
    const text = `terragrunt_version_constraint = "0.67.1"
unit "db" {
  source = "git::https://github.com/acme/units.git//db?ref=v0.3.0"
  path   = "db"
}
`;
    expect(itemsOf('terragrunt.stack.hcl', text)).toEqual(
      expect.arrayContaining(['acme/units v0.3.0', expect.stringContaining('0.67.1')]),
    );
  });

  test('reports a module whose address comes from another file as templated', () => {
    const text = 'terraform {\n  source = "${include.root.locals.base}//vpc?ref=v1.0.0"\n}\n';
    expect(itemsOf('terragrunt.hcl', text)).toEqual([expect.stringMatching(/v1\.0\.0 \(templated\)$/)]);
  });
});

test('a Terragrunt file that ends inside a block is malformed, so its items are not removed', () => {
  const text = 'terraform {\n  source = "git::https://github.com/acme/a.git?ref=v1.0.0"\n';
  expect(discoverFiles({ 'prod/terragrunt.hcl': text }).problems).toMatchObject([{ reason: 'malformed' }]);
});

test('60,000 variables of Ansible are read within ten seconds of processor time', () => {
  const text = Array.from({ length: 60_000 }, (_, at) => `a${at}_image: x\n`).join('');
  const start = process.threadCpuUsage();
  expect(itemsOf('group_vars/all.yml', text)).toEqual([]);
  expect(process.threadCpuUsage(start).user).toBeLessThan(10_000_000);
});

describe('values in Terraform files', () => {
  const release = (version: string) =>
    `resource "helm_release" "a" {\n  name = "a"\n  repository = "https://charts.example.org"\n  chart = "web"\n  version = ${version}\n}\n`;

  test('are resolved from the variable defaults and local values in any file of the directory', () => {
    const files = {
      'prod/main.tf': release('var.web_version') + release('local.versions.web').replaceAll('"a"', '"b"'),
      'prod/variables.tf': 'variable "web_version" {\n  type = string\n  default = "1.2.3"\n}\n',
      'prod/locals.tf': 'locals {\n  versions = {\n    web = "4.5.6"\n  }\n}\n',
      'other/variables.tf': 'variable "web_version" { default = "9.9" }\n',
    };
    expect(describeItems(files)).toEqual(['charts.example.org/web 1.2.3', 'charts.example.org/web 4.5.6']);
  });

  test('come from terraform.tfvars rather than the default, and never from files that Terraform does not load automatically', () => {
    const files = {
      'main.tf': `${release('var.v')}variable "v" { default = "1.0.0" }\n`,
      'terraform.tfvars': 'v = "1.1.0"\n',
      'other.tfvars': 'v = "2.0.0"\n',
    };
    expect(describeItems(files)).toEqual(['charts.example.org/web 1.1.0']);
    const notesOf = (given: Readonly<Record<string, string>>) =>
      discoverFiles(given).items.map(({ note }) => note);
    expect(notesOf(files)).toEqual(['value of ${var.v}']);
    // A caller of the module can override the default.
    expect(notesOf({ 'main.tf': files['main.tf'] })).toEqual(['default value of ${var.v}']);
  });

  test('are resolved in the chart and the repository, also by a key in brackets', () => {
    const text =
      'locals {\n  charts = { web = { repo = "https://charts.example.org", name = "web", version = "1.2.3" } }\n}\n' +
      'resource "helm_release" "a" {\n  repository = local.charts["web"].repo\n  chart = local.charts.web.name\n  version = "${local.charts["web"].version}"\n}\n';
    expect(itemsOf('main.tf', text)).toEqual(['charts.example.org/web 1.2.3']);
  });

  test('stay templated if they have no literal value or refer to each other', () => {
    expect(describeItems({ 'main.tf': release('var.v') })).toEqual([expect.stringContaining('(templated)')]);
    const loop = 'locals {\n  a = "${local.b}${local.b}"\n  b = "${local.a}${local.a}"\n}\n';
    const [item] = discoverFiles({ 'main.tf': release('local.a') + loop }).items;
    expect(item!.reason).toBe('templated');
    expect(item!.version!.length).toBeLessThan(1_000);
  });

  test('are resolved in images', () => {
    const text =
      'variable "tag" { default = "1.2.3" }\nresource "docker_image" "a" {\n  name = "ghcr.io/acme/web:${var.tag}"\n}\n';
    expect(itemsOf('main.tf', text)).toEqual(['ghcr.io/acme/web 1.2.3']);
  });
});

describe('the ansible extractor', () => {
  test.each([
    ['roles/web/defaults/main.yml', 'web_image: "traefik:v3.1.4"\n', ['docker.io/library/traefik v3.1.4']],
    ['group_vars/all/main.yml', 'db_image: postgres:17.2\n', ['docker.io/library/postgres 17.2']],
    ['host_vars/a.yml', 'web_container_image: ghcr.io/acme/web:1.0\n', ['ghcr.io/acme/web 1.0']],
    [
      'roles/a/vars/main.yml',
      'web_image: ghcr.io/acme/web\nweb_image_tag: 1.2.3\n',
      ['ghcr.io/acme/web 1.2.3'],
    ],
    [
      'roles/a/defaults/main.yml',
      'web_image: ghcr.io/acme/web\nweb_version: 1.2.3\n',
      ['ghcr.io/acme/web 1.2.3'],
    ],
    [
      'roles/a/defaults/main.yml',
      'web_version: 1.2.3\nweb_image: "ghcr.io/acme/web:{{ web_version }}"\n',
      ['ghcr.io/acme/web 1.2.3'],
    ],
    [
      'roles/a/defaults/main.yml',
      'web_image: "{{ registry }}/web:1.0"\n',
      ['{{ registry }}/web 1.0 (templated)'],
    ],
    ['roles/a/defaults/main.yml', 'profile_image: picture.png\nbuild_image: true\n', []],
    [
      'roles/a/defaults/main.yml',
      'db_image_migration: quay.io/acme/db:10.6.13\ndb_image_pull: always\n',
      ['quay.io/acme/db 10.6.13'],
    ],
  ])('reads the variables of %s: %j', (path, text, expected) => {
    expect(itemsOf(path, text)).toEqual(expected);
  });

  test('resolves the tag of a task with a variable of the role', () => {
    const items = describeItems({
      'roles/beat/defaults/main.yml': 'beat_version: 7.12.1\n',
      'roles/beat/tasks/main.yml':
        '- containers.podman.podman_image:\n    name: docker.elastic.co/beats/filebeat\n    tag: "{{ beat_version }}"\n',
    });
    expect(items).toEqual(['docker.elastic.co/beats/filebeat 7.12.1']);
  });

  test('resolves the version of a Git repository with a variable of the role', () => {
    const items = describeItems({
      'roles/app/defaults/main.yml': 'app_version: v4.0.1\n',
      'roles/app/tasks/main.yml':
        '- ansible.builtin.git:\n    repo: https://github.com/acme/app.git\n    version: "{{ app_version }}"\n',
    });
    expect(items).toEqual(['github.com/acme/app v4.0.1']);
  });

  test.each([
    [
      'a single package',
      'web_package_version: "4.1.4"\nweb_package: "web-{{ web_package_version }}"\n',
      'web 4.1.4',
    ],
    [
      'a list of packages',
      "cuda_release: '13.3.1-1'\ncuda_packages:\n  - cuda-toolkit-{{ cuda_release }}\n  - cmake\n",
      'cuda-toolkit 13.3.1-1',
    ],
    ['a package of APT', 'db_pin: 16.2\ndb_pkg: "postgresql={{ db_pin }}*"\n', 'postgresql 16.2'],
    [
      'a package in a file with other templates',
      'a: {{ b }}\nweb_pin: "4.1.4"\nweb_package: "web-{{ web_pin }}"\n',
      'web 4.1.4',
    ],
  ])('reads the version of %s from its variable', (_, text, expected) => {
    expect(itemsOf('group_vars/all.yml', text)).toEqual([`${expected} (no_source)`]);
  });

  test.each([
    ['fluxcd_version: 2.4.0\n', 'flux 2.4.0'],
    ['web_golang_version: 1.26.3\n', 'go 1.26.3'],
    ['kube_version: v1.36.2\n', 'kubernetes v1.36.2'],
  ])('recognizes software by a common name: %j', (text, expected) => {
    expect(itemsOf('group_vars/all.yml', text)).toEqual([`${expected} (no_source)`]);
  });

  test('reads the version of an archive on any server from its URL or the variable in it, even if the role defines the variable', () => {
    const url = 'url: "http://www.example.org/hpl/hpl-{{ hpl_version }}.tar.gz"\n';
    expect(itemsOf('group_vars/all.yml', `hpl_version: "2.3"\n${url}`)).toEqual(['hpl 2.3 (no_source)']);
    const task = `- ansible.builtin.get_url:\n    ${url}`;
    expect(
      describeItems({ 'roles/a/defaults/main.yml': 'hpl_version: "2.3"\n', 'roles/a/tasks/main.yml': task }),
    ).toEqual(['hpl 2.3 (no_source)']);
    expect(itemsOf('group_vars/all.yml', 'url: "http://www.example.org/hpl/hpl-2.3.tar.gz"\n')).toEqual([
      'hpl 2.3 (no_source)',
    ]);
    expect(
      itemsOf('group_vars/all.yml', 'url: "http://www.example.org/epel-{{ distribution }}.rpm"\n'),
    ).toEqual([]);
  });

  test.each([
    [
      'shell: sudo curl -L "https://github.com/acme/tool/releases/download/1.26.2/tool-$(uname -s)" -o /bin/tool',
      'acme/tool 1.26.2',
    ],
    ['command: "wget https://github.com/acme/tool/archive/v1.2.3.tar.gz -O a"', 'acme/tool v1.2.3'],
  ])('reads the download in %s', (command, expected) => {
    expect(itemsOf('roles/a/tasks/main.yml', `- ${command}\n`)).toEqual([expected]);
  });

  test('an archive and a variable with the name of software in the catalog are one item', () => {
    const text =
      'etcd_version: 3.6.4\nurl: "https://mirror.example.org/etcd-v{{ etcd_version }}-linux.tar.gz"\n';
    expect(itemsOf('group_vars/all.yml', text)).toEqual(['etcd 3.6.4 (no_source)']);
  });

  test('a variable that is used in a value other than a package is not a package version', () => {
    const text =
      'path_version: 1.2\nbackup_path: "backup-{{ path_version }}"\nimage_url: https://example.org/a\n';
    expect(itemsOf('group_vars/all.yml', text)).toEqual([]);
  });

  test.each([
    ['ansible-collection-requirements.yml', 'collections:\n- name: a.b\n  version: 6.1.0\n'],
    ['ansible-role-requirements.yml', '- name: a.b\n  version: 6.1.0\n'],
  ])('reads requirements in %s', (path, text) => {
    expect(itemsOf(path, text)).toEqual(['a.b 6.1.0 (unsupported_source)']);
  });

  test('reads a task file with the name of a requirements file as tasks', () => {
    expect(
      itemsOf('roles/a/tasks/build_requirements.yml', '- name: install\n  package: { name: make }\n'),
    ).toEqual([]);
  });

  test('reads a playbook with the name of a requirements file as a playbook', () => {
    const text =
      '- name: tools\n  hosts: all\n  tasks:\n    - get_url:\n        url: https://github.com/acme/tool/releases/download/v1.2.3/tool\n';
    expect(itemsOf('roles/get-requirements.yaml', text)).toEqual(['acme/tool v1.2.3']);
  });

  test('reads Ansible requirements in a file with the name that Helm 2 charts use for dependencies', () => {
    expect(itemsOf('ansible/requirements.yaml', 'collections:\n  - { name: a.b, version: 6.1.0 }\n')).toEqual(
      ['a.b 6.1.0 (unsupported_source)'],
    );
  });

  test('reads the images of tasks in roles and playbooks', () => {
    const tasks = `- name: run
  community.docker.docker_container:
    name: web
    image: ghcr.io/acme/web:2.0.0
- name: pull
  docker_image:
    name: quay.io/acme/tool
    tag: 1.1.0
- containers.podman.podman_image:
    name: quay.io/acme/image
    tag: 1.2.0
- ansible.builtin.git:
    repo: https://github.com/acme/app.git
    version: v4.0.1
- name: podman
  containers.podman.podman_container:
    name: "{{ item }}"
    image: quay.io/acme/pod:3.0.0
`;
    const expected = [
      'ghcr.io/acme/web 2.0.0',
      'quay.io/acme/tool 1.1.0',
      'quay.io/acme/image 1.2.0',
      'acme/app v4.0.1',
      'quay.io/acme/pod 3.0.0',
    ];
    expect(itemsOf('roles/web/tasks/main.yml', tasks)).toEqual(expected);
    const playbook = `- hosts: all\n  tasks:\n${tasks.replaceAll(/^/gm, '    ')}`.trimEnd();
    expect(itemsOf('site.yml', `${playbook}\n`)).toEqual(expected);
  });

  test.each([
    [
      'a URL with the version',
      'tool_url: https://github.com/acme/tool/releases/download/v1.2.3/tool.tar.gz\n',
      ['acme/tool v1.2.3'],
    ],
    [
      'a URL with a variable, which is one item with the variable',
      'etcd_version: 3.6.4\netcd_url: "https://github.com/etcd-io/etcd/releases/download/v{{ etcd_version }}/etcd.tar.gz"\n',
      ['etcd-io/etcd v3.6.4'],
    ],
    [
      'a URL with a default',
      'tool_url: "https://github.com/acme/tool/releases/download/{{ tool_tag | default(\'v2.0.0\') }}/tool"\n',
      ['acme/tool v2.0.0'],
    ],
    ['a script of a branch', 'a: https://raw.githubusercontent.com/acme/tool/main/install.sh\n', []],
    ['another page', 'homepage: https://github.com/acme/tool\n', []],
  ])('reads a download from %s', (_, text, expected) => {
    expect(itemsOf('roles/tool/defaults/main.yml', text)).toEqual(expected);
  });

  test('completes images and downloads with variables from other files of the role', () => {
    const tasks = `- get_url:
    url: "https://github.com/acme/tool/releases/download/v{{ tool_version }}/tool"
- docker_container:
    name: web
    image: "{{ web_registry }}/acme/web:{{ web_version }}"
`;
    const files = {
      'roles/shop/defaults/main.yml': 'tool_version: 1.0.0\nweb_registry: ghcr.io\nweb_version: 2.0.0\n',
      'roles/shop/vars/main.yml': 'tool_version: 1.1.0\n',
      'roles/other/defaults/main.yml': 'tool_version: 9.9\nweb_version: 9.9\n',
      'roles/shop/tasks/main.yml': tasks,
    };
    expect(describeItems(files)).toEqual(['github.com/acme/tool v1.1.0', 'ghcr.io/acme/web 2.0.0']);
    const { items } = discoverFiles({ 'roles/shop/tasks/main.yml': tasks });
    expect(items.map(({ reason }) => reason)).toEqual(['templated', 'templated']);
  });

  test.each([
    ['etcd_version: "3.6.4"', ['etcd 3.6.4']],
    ['cluster__redis_version: 7.4.1', ['redis 7.4.1']],
    ['min_redis_version: 7.4.1', []],
    ['redis_api_version: 1.2', []],
    ['acme_version: 1.2.3', ['acme 1.2.3']],
    ['acme_version: 1.2', []],
    ['redis_version: latest', []],
    ['redis_version: "{{ other }}"', []],
    ['redis_version: 7', ['redis 7']],
    ['acme_redis_version: 7', []],
  ])('reads the version of software that the name of a variable identifies: %s', (line, expected) => {
    const { items } = discoverFiles({ 'roles/a/defaults/main.yml': `${line}\n` });
    expect(items.map(({ artifact, version }) => `${artifact.name} ${version}`)).toEqual(expected);
    expect(items.filter(({ proposal }) => proposal?.confidence === 'certain')).toEqual([]);
  });

  test('reads roles and collections, and only Git repositories have an upstream', () => {
    const text = `roles:
  - src: https://github.com/geerlingguy/ansible-role-docker
    version: 7.4.1
    name: docker
  - name: geerlingguy.pip
    version: 3.0.3
collections:
  - name: community.general
    version: 9.5.0
  - name: git@github.com:acme/collection.git
    type: git
    version: v1.0.0
`;
    expect(itemsOf('requirements.yml', text)).toEqual([
      'geerlingguy/ansible-role-docker 7.4.1',
      'geerlingguy.pip 3.0.3 (unsupported_source)',
      'community.general 9.5.0 (unsupported_source)',
      'acme/collection v1.0.0',
    ]);
  });

  test.each([
    ['roles/web/defaults/main.yml', 'web'],
    ['group_vars/all/main.yml', null],
    ['inventories/prod/group_vars/web/images.yml', 'web'],
  ])('a variable in %s belongs to the service %s', (path, service) => {
    const [item] = discoverFiles({ [path]: 'web_image: acme/x:1.0\n' }).items;
    expect(item!.service).toBe(service);
  });

  test('a new version keeps the identity of a variable and of a container', () => {
    const at = (version: string) => ({
      'roles/a/defaults/main.yml': `web_image: ghcr.io/acme/web:${version}\n`,
      'roles/a/tasks/main.yml': `- docker_container: { name: db, image: "postgres:${version}" }\n`,
    });
    expect(keysOf(at('1.2'))).toEqual(keysOf(at('1.3')));
  });
});

describe('the gitlab_ci extractor', () => {
  test('reads an image in a variable once', () => {
    const text = `.renovate:
  image: \${TOOL_IMAGE}
  variables:
    TOOL_IMAGE: acme/tool:1.2.3
    RENOVATE_IMAGE: renovate/renovate:37.71.2
    PROFILE_IMAGE: picture.png
    BUILD_IMAGE: acme/build
  script: [run]
`;
    expect(itemsOf('jobs/Renovate.gitlab-ci.yml', text)).toEqual([
      'docker.io/acme/tool 1.2.3',
      'docker.io/renovate/renovate 37.71.2',
    ]);
  });

  test('recognizes a file with only hidden jobs by its content', () => {
    const text = '.build:\n  image:\n    name: acme/tool:1.2.3\n    entrypoint: [""]\n';
    expect(itemsOf('templates/build.yml', text)).toEqual(['docker.io/acme/tool 1.2.3']);
  });

  test('reads images, services, and includes', () => {
    const text = `image: registry.gitlab.com/acme/builder:1.2.3
variables:
  GO_VERSION: "1.23.4"
include:
  - project: acme/ci
    ref: v1.4.0
    file: /t.yml
  - component: gitlab.example.org/acme/tools/sast@2.0.1
  - local: /other.yml
build:
  image: { name: "gcr.io/kaniko-project/executor:v1.23.2-debug", entrypoint: [""] }
test:
  image: golang:$GO_VERSION
  services: ["postgres:17.2", { name: "redis:7.4.1", alias: cache }]
deploy:
  image: $CI_REGISTRY_IMAGE/deploy:1.0
`;
    expect(itemsOf('.gitlab-ci.yml', text)).toEqual([
      'registry.gitlab.com/acme/builder 1.2.3',
      'gcr.io/kaniko-project/executor v1.23.2-debug',
      'docker.io/library/golang 1.23.4',
      'docker.io/library/postgres 17.2',
      'docker.io/library/redis 7.4.1',
      '$CI_REGISTRY_IMAGE/deploy 1.0 (templated)',
      'https://gitlab.com/acme/ci.git v1.4.0',
      'https://gitlab.example.org/acme/tools.git 2.0.1',
    ]);
  });

  test('an included project has only the confidence likely, because the file does not name its server', () => {
    const [item] = discoverFiles({
      '.gitlab-ci.yml': 'include:\n  - { project: acme/ci, ref: v1.4.0, file: /t.yml }\n',
    }).items;
    expect(item).toMatchObject({
      proposal: { confidence: 'likely' },
      note: "assumes gitlab.com, because the file doesn't name the server",
    });
  });

  test('reads included files with any name, and gives their items no environment or service', () => {
    const text = 'unit:\n  stage: test\n  image: golang:1.23.4\n  script: [make]\n';
    const [item] = discoverFiles({ 'ci/prod/jobs.yml': text }).items;
    expect(item).toMatchObject({ version: '1.23.4', environment: null, service: null });
  });

  test('a new version keeps the identity of a service', () => {
    const at = (version: string) => ({ '.gitlab-ci.yml': `test:\n  services: ["postgres:${version}"]\n` });
    expect(keysOf(at('16.1'))).toEqual(keysOf(at('17.2')));
  });
});

describe('the ci_pipelines extractor', () => {
  test.each([
    ['.woodpecker.yml', 'steps:\n  build:\n    image: golang:1.23.4\n', ['docker.io/library/golang 1.23.4']],
    [
      '.woodpecker/a.yaml',
      'steps:\n  - name: b\n    image: golang:1.23.4\nservices:\n  db:\n    image: postgres:17.2\n',
      ['docker.io/library/golang 1.23.4', 'docker.io/library/postgres 17.2'],
    ],
    [
      '.drone.yml',
      'kind: pipeline\nsteps:\n- name: b\n  image: plugins/docker:20.14\n',
      ['docker.io/plugins/docker 20.14'],
    ],
    [
      'azure-pipelines.yml',
      'resources:\n  containers:\n  - container: go\n    image: golang:1.23.4\njobs:\n- job: a\n  container: node:22.1.0\n',
      ['docker.io/library/golang 1.23.4', 'docker.io/library/node 22.1.0'],
    ],
    [
      'bitbucket-pipelines.yml',
      'image: node:22.1.0\npipelines:\n  default:\n  - step:\n      script:\n      - pipe: atlassian/aws-s3-deploy:1.1.0\n',
      ['docker.io/library/node 22.1.0', 'docker.io/bitbucketpipelines/aws-s3-deploy 1.1.0'],
    ],
    [
      '.circleci/config.yml',
      'orbs:\n  node: circleci/node@5.1.0\njobs:\n  a:\n    docker:\n    - image: cimg/node:22.1.0\n    machine:\n      image: ubuntu-2204:2024.01.1\n',
      ['circleci/node 5.1.0 (unsupported_source)', 'docker.io/cimg/node 22.1.0'],
    ],
    [
      'pipelines/p.yml',
      'resources:\n- name: unit\n  type: registry-image\n  source: {repository: concourse/unit, tag: 1.2.3}\n',
      ['docker.io/concourse/unit 1.2.3'],
    ],
    [
      '.prow/t.yaml',
      'presubmits:\n- name: unit\n  spec:\n    containers:\n    - image: quay.io/acme/build:1.26.1\n',
      ['quay.io/acme/build 1.26.1'],
    ],
  ])('reads %s', (path, text, expected) => {
    expect(itemsOf(path, text)).toEqual(expected);
  });
});

describe('the devcontainer extractor', () => {
  test('reads the image, features, and their tools from JSON with comments', () => {
    const text = `// Development
{
\t"image": "mcr.microsoft.com/devcontainers/base:1.2.3", /* "image": "acme/old:1.0" */
\t"features": {
\t\t"ghcr.io/devcontainers/features/node:1": { "version": "22.4.1" }, // "a"
\t\t"ghcr.io/devcontainers/features/docker-in-docker:2.12.0": { "version": "latest" },
\t\t"./local": {},
\t},
}
`;
    expect(itemsOf('.devcontainer/devcontainer.json', text)).toEqual([
      'mcr.microsoft.com/devcontainers/base 1.2.3',
      'ghcr.io/devcontainers/features/node 1 (floating)',
      'node 22.4.1 (no_source)',
      'ghcr.io/devcontainers/features/docker-in-docker 2.12.0',
    ]);
    const { items } = discoverFiles({ '.devcontainer.json': text });
    expect(items.map(({ place }) => place.line)).toEqual([3, 5, 5, 6]);
    expect(items.every(({ environment }) => environment === null)).toBe(true);
  });

  test('reads the images and the versions of software in the arguments of the build', () => {
    const args = {
      BASE_IMAGE: 'ghcr.io/acme/base:1.2.3',
      TERRAFORM_VERSION: '1.5.7',
      NODE_VERSION: 'lts/*',
      VARIANT: '3.12-bookworm',
      APP_VERSION: '1.2.3',
      HELM_VERSION: '${localEnv:HELM_VERSION}',
    };
    const text = JSON.stringify({ build: { dockerfile: 'Dockerfile', args } });
    expect(itemsOf('.devcontainer/devcontainer.json', text)).toEqual([
      'ghcr.io/acme/base 1.2.3',
      'terraform 1.5.7 (no_source)',
    ]);
  });

  test('reports a file that is not JSON', () => {
    expect(discoverFiles({ '.devcontainer.json': '{ "image": ' }).problems).toMatchObject([
      { reason: 'malformed' },
    ]);
  });
});

describe('the pre_commit extractor', () => {
  test('reads tags, and commits followed by a version, and skips local hooks', () => {
    const text = `repos:
  - repo: https://github.com/pre-commit/pre-commit-hooks
    rev: v4.6.0
  - repo: https://github.com/acme/hooks
    rev: 0123456789012345678901234567890123456789 # v1.2.3
  - repo: local
    hooks: []
`;
    const expected = ['pre-commit/pre-commit-hooks v4.6.0', 'acme/hooks v1.2.3'];
    expect(itemsOf('.pre-commit-config.yaml', text)).toEqual(expected);
    expect(itemsOf('.config/hooks.yaml', text)).toEqual(expected);
  });
});

describe('charts', () => {
  const repository = 'https://charts.example.org';
  test.each([
    [
      'HelmChart of k3s',
      `apiVersion: helm.cattle.io/v1\nkind: HelmChart\nmetadata: { name: a }\nspec: { repo: "${repository}", chart: web, version: 1.2.3 }\n`,
    ],
    [
      'Release of Crossplane',
      `apiVersion: helm.crossplane.io/v1beta1\nkind: Release\nmetadata: { name: a }\nspec: { forProvider: { chart: { name: web, repository: "${repository}", version: 1.2.3 } } }\n`,
    ],
    [
      'HelmChartProxy',
      `apiVersion: addons.cluster.x-k8s.io/v1alpha1\nkind: HelmChartProxy\nmetadata: { name: a }\nspec: { chartName: web, repoURL: "${repository}", version: 1.2.3 }\n`,
    ],
    [
      'ClusterProfile of Sveltos',
      `apiVersion: config.projectsveltos.io/v1beta1\nkind: ClusterProfile\nmetadata: { name: a }\nspec: { helmCharts: [{ repositoryURL: "${repository}", chartName: acme/web, chartVersion: 1.2.3, releaseName: a }] }\n`,
    ],
    [
      'ClusterConfig of k0s',
      `apiVersion: k0s.k0sproject.io/v1beta1\nkind: ClusterConfig\nmetadata: { name: a }\nspec: { extensions: { helm: { repositories: [{ name: acme, url: "${repository}" }], charts: [{ name: a, chartname: acme/web, version: 1.2.3 }] } } }\n`,
    ],
  ])('are read from %s', (_, text) => {
    expect(itemsOf('a.yaml', text)).toEqual(['charts.example.org/web 1.2.3']);
  });

  test('are read from the fleet.yaml of Rancher', () => {
    expect(
      itemsOf('apps/web/fleet.yaml', `helm:\n  repo: ${repository}\n  chart: web\n  version: 1.2.3\n`),
    ).toEqual(['charts.example.org/web 1.2.3']);
    expect(itemsOf('fleet.yaml', 'helm:\n  chart: ./charts/web\n')).toEqual([]);
  });
});

describe('objects that specify a version', () => {
  test.each([
    ['kafka.strimzi.io/v1beta2', 'Kafka', 'spec: { kafka: { version: 3.9.0 } }', 'apache/kafka 3.9.0'],
    [
      'elasticsearch.k8s.elastic.co/v1',
      'Elasticsearch',
      'spec: { version: 8.15.3 }',
      'elastic/elasticsearch 8.15.3',
    ],
    ['operator.knative.dev/v1beta1', 'KnativeServing', 'spec: { version: 1.21.1 }', 'knative/serving 1.21.1'],
    ['monitoring.coreos.com/v1', 'Prometheus', 'spec: { version: v2.55.0 }', 'prometheus/prometheus v2.55.0'],
    [
      'controlplane.cluster.x-k8s.io/v1beta1',
      'KubeadmControlPlane',
      'spec: { version: v1.31.2 }',
      'kubernetes/kubernetes v1.31.2',
    ],
    [
      'kubeadm.k8s.io/v1beta4',
      'ClusterConfiguration',
      'kubernetesVersion: v1.31.2',
      'kubernetes/kubernetes v1.31.2',
    ],
    [
      'core.gardener.cloud/v1beta1',
      'Shoot',
      'spec: { kubernetes: { version: 1.31.2 } }',
      'kubernetes/kubernetes 1.31.2',
    ],
    [
      'k0sctl.k0sproject.io/v1beta1',
      'Cluster',
      'spec: { k0s: { version: 1.31.2+k0s.0 } }',
      'k0sproject/k0s 1.31.2+k0s.0',
    ],
    [
      'fluxcd.controlplane.io/v1',
      'FluxInstance',
      'spec: { distribution: { version: 2.4.0 } }',
      'fluxcd/flux2 2.4.0',
    ],
    [
      'tuppr.home-operations.com/v1alpha1',
      'TalosUpgrade',
      'spec: { talos: { version: v1.11.0 } }',
      'siderolabs/talos v1.11.0',
    ],
    [
      'fluxcd.controlplane.io/v1',
      'FluxInstance',
      'spec: { distribution: { version: 2.x } }',
      'fluxcd/flux2 2.x (range)',
    ],
    [
      'config.openshift.io/v1',
      'ClusterVersion',
      'spec: { channel: stable-4.21, desiredUpdate: { version: 4.21.10 } }',
      'red-hat-openshift 4.21.10',
    ],
  ])('with the API version %s and the kind %s are read', (apiVersion, kind, body, expected) => {
    expect(
      itemsOf('a.yaml', `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\n${body}\n`),
    ).toEqual([expected]);
  });

  test('an object of the same kind in another API group is ignored', () => {
    expect(
      itemsOf('a.yaml', 'apiVersion: example.org/v1\nkind: Kafka\nspec: { kafka: { version: 3.9.0 } }\n'),
    ).toEqual([]);
  });

  test('a talhelper configuration contains the versions of Talos and Kubernetes', () => {
    expect(
      itemsOf('talconfig.yaml', 'clusterName: home\ntalosVersion: v1.11.0\nkubernetesVersion: v1.34.1\n'),
    ).toEqual(['siderolabs/talos v1.11.0', 'kubernetes/kubernetes v1.34.1']);
  });
});

describe('subscriptions of the Operator Lifecycle Manager', () => {
  const subscription = (spec: string, apiVersion = 'operators.coreos.com/v1alpha1') =>
    discoverFiles({
      'a.yaml': `apiVersion: ${apiVersion}\nkind: Subscription\nmetadata: { name: a }\nspec: ${spec}\n`,
    }).items.map(({ artifact, version, reason, note }) => [artifact.name, version, reason, note]);

  test('a version whose updates are approved manually needs only a source', () => {
    expect(subscription('{ startingCSV: rhods-operator.v2.8.2, installPlanApproval: Manual }')).toEqual([
      [
        'rhods-operator',
        'v2.8.2',
        'no_source',
        'the version that the subscription starts with; updates are approved in the cluster',
      ],
    ]);
  });

  test('a version that is updated automatically is not considered the deployed version', () => {
    expect(subscription('{ startingCSV: rhods-operator.3.3.1, channel: stable }')).toEqual([
      [
        'rhods-operator',
        '3.3.1',
        'range',
        'the version that the subscription starts with; the operator is updated automatically',
      ],
    ]);
  });

  test('a subscription without a version, or in another API group, yields nothing', () => {
    expect(subscription('{ channel: stable }')).toEqual([]);
    expect(subscription('{ startingCSV: a.v1.0.0 }', 'messaging.knative.dev/v1')).toEqual([]);
  });
});

describe('Renovate comments', () => {
  const comment = 'renovate: datasource=github-releases depName=acme/tool';
  test.each([
    ['a.env', `# ${comment}\nTOOL_VERSION=1.2.3\n`],
    ['a.sh', `# ${comment}\nexport TOOL_VERSION="v1.2.3"\n`],
    ['Makefile', `# ${comment}\nTOOL_VERSION := 1.2.3\n`],
    ['a.tf', `locals {\n  # ${comment}\n  tool = "1.2.3"\n}\n`],
    ['a.yaml', `tool:\n  # ${comment}\n  version: 1.2.3\n`],
    ['a.yaml', `tool:\n  version: v1.2.3 # ${comment}\n`],
    ['Jenkinsfile', `// ${comment}\ndef toolVersion = '1.2.3'\n`],
    ['a.nix', `{\n  # ${comment}\n  version = "1.2.3";\n}\n`],
    ['a.yaml', `# ${comment}\nurl: https://example.org/tool/v1.2.3/tool.yaml\n`],
  ])('identify the software of a value in %s: %j', (path, text) => {
    expect(itemsOf(path, text)).toEqual([expect.stringMatching(/^acme\/tool v?1\.2\.3$/)]);
  });

  test('without a datasource do not determine the upstream', () => {
    expect(itemsOf('a.yaml', '# renovate: depName=acme/tool\nversion: 1.2.3\n')).toEqual([
      'acme/tool 1.2.3 (no_source)',
    ]);
  });

  test('provide the image for a tag without one, and change nothing if the image is known', () => {
    const values = (image: string) =>
      `web:\n  image:\n    ${image}\n    # renovate: datasource=docker depName=ghcr.io/acme/web\n    tag: 1.2.3\n`;
    expect(itemsOf('values.yaml', values('pullPolicy: Always'))).toEqual(['ghcr.io/acme/web 1.2.3']);
    expect(itemsOf('values.yaml', values('repository: ghcr.io/acme/web'))).toEqual([
      'ghcr.io/acme/web 1.2.3',
    ]);
  });

  test('above a value that is not a version are ignored', () => {
    expect(itemsOf('a.yaml', `# ${comment}\nversion: latest\n# ${comment}\n`)).toEqual([]);
  });
});

test('variables with the name of a secret are never resolved', () => {
  const files = {
    'main.tf':
      'variable "api_token" { default = "s3cr3t" }\nresource "docker_image" "a" { name = "acme/web:${var.api_token}" }\n',
    'jobs/a.nomad':
      'variable "password" { default = "s3cr3t" }\njob "a" {\n  task "b" {\n    config { image = "acme/web:${var.password}" }\n  }\n}\n',
    '.gitlab-ci.yml': 'variables: { REGISTRY_TOKEN: s3cr3t }\na:\n  image: acme/web:$REGISTRY_TOKEN\n',
    'roles/a/defaults/main.yml': 'web_secret: s3cr3t\nweb_image: "acme/web:{{ web_secret }}"\n',
    'terragrunt.hcl':
      'locals { key = "s3cr3t" }\nterraform { source = "git::https://github.com/acme/a.git?ref=${local.key}" }\n',
  };
  const found = discoverFiles(files);
  expect(found.items.map(({ reason }) => reason)).toEqual(Array(5).fill('templated'));
  expect(JSON.stringify(found)).not.toContain('s3cr3t');
});

describe('recognition of files by their content', () => {
  test('a helmfile is recognized under any name', () => {
    const text =
      'repositories:\n  - { name: acme, url: "https://charts.example.org" }\nreleases:\n  - name: web\n    chart: acme/web\n    version: 1.2.3\n';
    const [item] = discoverFiles({ 'clusters/prod.yaml': text }).items;
    expect(item).toMatchObject({
      version: '1.2.3',
      environment: 'prod',
      proposal: { confidence: 'certain' },
    });
  });

  test('a release of a helmfile has the repository that another file defines, and images in inline values', () => {
    const files = {
      'env/releases.yaml':
        'releases:\n  - name: web\n    chart: acme/web\n    version: 1.2.3\n    values:\n      - image: { repository: ghcr.io/acme/web, tag: 2.0.0 }\n',
      'env/repositories.yaml': 'repositories:\n  - name: acme\n    url: https://charts.example.org\n',
    };
    expect(describeItems(files)).toEqual(['charts.example.org/web 1.2.3', 'ghcr.io/acme/web 2.0.0']);
  });

  test('a values file is recognized if a release references it, and ignored otherwise', () => {
    const files = {
      'helmfile.yaml':
        'releases:\n  - name: web\n    chart: acme/web\n    version: 1.0.0\n    values: [config/web.yaml]\n',
      'config/web.yaml': 'image:\n  repository: ghcr.io/acme/web\n  tag: 1.2.3\n',
      'prod/helmfile.yaml':
        'releases:\n  - name: api\n    chart: acme/api\n    version: 1.0.0\n    values: [config/other.yaml]\n',
      'config/other.yaml': 'image:\n  repository: ghcr.io/acme/other\n  tag: 1.2.3\n',
    };
    const items = describeItems(files);
    expect(items).toContain('ghcr.io/acme/web 1.2.3');
    expect(items.join()).not.toContain('acme/other');
  });

  const image = (name: string) => `image:\n  repository: ghcr.io/acme/${name}\n  tag: 1.2.3\n`;
  const application = (source: string) =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web }\nspec:\n  sources:\n    - ${source}\n`;
  const chart = 'chart: web, repoURL: "https://charts.example.org", targetRevision: 1.0.0';

  test.each<[string, Record<string, string>]>([
    [
      'an Application, in the repository of another source',
      { 'apps/a.yaml': application(`{ ${chart}, helm: { valueFiles: [$values/config/web.yml] } }`) },
    ],
    [
      'an Application, relative to its chart',
      {
        'apps/a.yaml': application(
          '{ path: charts/web, repoURL: "https://git.example.org/a", targetRevision: v1.0.0, helm: { valueFiles: [../../config/web.yml] } }',
        ),
      },
    ],
    [
      'Terraform',
      {
        'tf/main.tf':
          'resource "helm_release" "a" {\n  chart = "https://charts.example.org/web.tgz"\n  values = [file("${path.module}/../config/web.yml")]\n}\n',
      },
    ],
    [
      'a chart of a kustomization',
      {
        'web/kustomization.yaml':
          'helmCharts:\n  - { name: web, repo: "https://charts.example.org", version: 1.0.0, valuesFile: ../config/web.yml }\n',
      },
    ],
    [
      'a ConfigMap that a kustomization generates',
      {
        'web/kustomization.yaml':
          'configMapGenerator:\n  - { name: web, files: [values.yaml=../config/web.yml] }\n',
      },
    ],
  ])('values with any name are read if %s references them', (_, files) => {
    const items = describeItems({
      ...files,
      'config/web.yml': image('web'),
      'config/other.yml': image('other'),
    });
    expect(items).toContain('ghcr.io/acme/web 1.2.3');
    expect(items.join()).not.toContain('acme/other');
  });

  test('a stack is recognized under any name unless another file extends it', () => {
    const stack = 'services:\n  web:\n    image: ghcr.io/acme/web:1.2.3\n    deploy: { replicas: 2 }\n';
    expect(describeItems({ 'stacks/shop.yml': stack })).toEqual(['ghcr.io/acme/web 1.2.3']);
    const files = {
      'common.yml': stack,
      'compose.yaml': 'services:\n  web:\n    extends: { file: common.yml, service: web }\n',
    };
    expect(describeItems(files)).toEqual(['ghcr.io/acme/web 1.2.3']);
    const plain = 'services:\n  web:\n    image: ghcr.io/acme/web:1.2.3\n';
    expect(describeItems({ 'web/docker-stack.yml': plain })).toEqual(['ghcr.io/acme/web 1.2.3']);
    expect(describeItems({ 'a.yml': 'services:\n  web:\n    image: acme/web:1\nother: 1\n' })).toEqual([]);
  });
});

describe('templates of manifests', () => {
  const pod = (image: string) =>
    `apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      image: ${image}\n`;

  test('a literal image in a template of Jinja, Terraform, or a Helm chart is read', () => {
    expect(itemsOf('k8s/web.yml.j2', pod('ghcr.io/acme/web:1.2.3'))).toEqual(['ghcr.io/acme/web 1.2.3']);
    expect(
      itemsOf('talos/dns.yaml.tftpl', `%{ if dns }\n${pod('coredns/coredns:1.11.1')}%{ endif }\n`),
    ).toEqual(['docker.io/coredns/coredns 1.11.1']);
    expect(
      describeItems({
        'c/Chart.yaml': 'name: c\n',
        'c/templates/a.yaml': `{{- if .Values.a }}\n${pod('"postgres:16.4"')}{{- end }}\n`,
      }),
    ).toEqual(['docker.io/library/postgres 16.4']);
  });

  test('an image of a Compose stack belongs to its service', () => {
    const stack =
      '# {{ managed }}\nservices:\n  web:\n    image: acme/web:1.2.3\n{% if cache %}\n  cache: # for sessions\n    deploy:\n      labels: [a]\n    image: redis:7.2.1\n{% endif %}\n  "{{ name }}":\n    image: acme/api:1.0.0\nx-other:\n  a:\n    image: acme/other:2.0.0\n';
    const { items } = discoverFiles({ 'stacks/shop/docker-compose.yml.j2': stack });
    expect(items.map(({ artifact, service }) => [artifact.name, service])).toEqual([
      ['acme/web', 'web'],
      ['redis', 'cache'],
      ['acme/api', 'shop'],
      ['acme/other', 'shop'],
    ]);
  });

  test('an image whose name contains a template is reported and not read', () => {
    const { items, problems } = discoverFiles({
      'web.yaml.j2': pod('ghcr.io/acme/web:1.2.3') + pod('ghcr.io/{{ owner }}/api:1.2.3'),
    });
    expect(items).toHaveLength(1);
    expect(problems).toMatchObject([{ reason: 'templated', line: 12, isRestRead: true }]);
    const { problems: unread } = discoverFiles({ 'web.yaml.j2': pod('{{ image }}') });
    expect(unread).toMatchObject([{ reason: 'templated', isFileRead: true }]);
    expect(unread[0]).not.toHaveProperty('isRestRead');
  });

  test.each([
    [
      'a helper that names no image',
      '{{- define "web.labels" -}}\nhelm.sh/chart: {{ include "web.chart" . }}\n',
    ],
    ['a pull policy', 'spec:\n  imagePullPolicy: {{ .Values.image.pullPolicy }}\n'],
    ['a label with the name of the chart', 'metadata:\n  labels:\n    chart: {{ .Chart.Name }}\n'],
  ])('%s is not reported as a template', (_name, text) => {
    expect(discoverFiles({ 'c/Chart.yaml': 'name: c\n', 'c/templates/a.yaml': text }).problems).toEqual([]);
  });

  test.each([
    ['an image', 'image: {{ .Values.image }}\n'],
    ['the parts of an image', 'image:\n  repository: {{ .Values.repository }}\n'],
    ['an Argo CD Application', 'source:\n  repoURL: {{ .Values.repository }}\n'],
    ['a Flux HelmRelease', 'kind: HelmRelease\nspec: {{ toYaml .Values.spec }}\n'],
  ])('%s in a template of a chart is reported', (_name, text) => {
    const files = { 'c/Chart.yaml': 'name: c\n', 'c/templates/a.yaml': text };
    expect(discoverFiles(files).problems).toMatchObject([{ reason: 'templated', isFileRead: true }]);
  });

  test('a file that reaches the maximum number of images is reported as too large', () => {
    for (const name of ['web.yaml.j2', 'web.yaml']) {
      const images = Array.from({ length: 5_000 }, (_, at) => pod(`acme/web:1.0.${at}`));
      const { problems } = discoverFiles({ [name]: images.join(name === 'web.yaml' ? '---\n' : '') });
      expect(problems.map(({ reason }) => reason)).toContain('too_large');
    }
  });
});

test('an image that a map inherits through a merge key is an item of this map', () => {
  const text =
    'base: &base\n  image: { repository: ghcr.io/acme/web, tag: 1.0.0 }\nproducers:\n  - { <<: *base, name: one }\n  - name: two\n    <<: [*base]\n    image: { repository: ghcr.io/acme/web, tag: 2.0.0 }\n';
  const items = discoverFiles({ 'values.yaml': text }).items;
  expect(items.map(({ place, version }) => [place.field, version])).toEqual([
    ['base.image', '1.0.0'],
    ['producers[one].image', '1.0.0'],
    ['producers[two].image', '2.0.0'],
  ]);
});

describe('an image in an inline text', () => {
  const application = (values: string) =>
    `kind: Job\napiVersion: batch/v1\nmetadata: { name: a }\n---\napiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: web }\nspec:\n  source:\n    chart: web\n    repoURL: https://charts.example.org\n    targetRevision: 1.0.0\n    helm:\n      values: ${values}`;
  const kustomization = (patches: string) =>
    `kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\n${patches}`;
  const deployment = (indent: string, tag: string) =>
    [
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: { name: web }',
      `spec: { template: { spec: { containers: [{ name: web, image: "acme/web:${tag}" }] } } }`,
    ]
      .map((line) => `${indent}${line}\n`)
      .join('');

  test.each([
    [
      'a literal block',
      'app.yaml',
      application('|\n        image:\n          repository: acme/web\n          tag: 2.0.0\n'),
      17,
    ],
    [
      'a block after empty lines',
      'app.yaml',
      application(
        '|-\n\n\n        # x\n        image:\n          repository: acme/web\n          tag: 2.0.0\n',
      ),
      20,
    ],
    [
      'a block with a comment in its header',
      'app.yaml',
      application('|+ # x\n        image: acme/web:2.0.0\n'),
      15,
    ],
    [
      'a block with templates',
      'app.yaml',
      application('|\n        name: {{ .name }}\n        image: acme/web:2.0.0\n'),
      16,
    ],
    [
      'a text within a text',
      'app.yaml',
      application('|\n        a: |\n          b: x\n          image: acme/web:2.0.0\n'),
      17,
    ],
    [
      'a patch',
      'kustomization.yaml',
      kustomization(`patches:\n  - patch: |\n${deployment('      ', '2.0.0')}`),
      8,
    ],
    [
      'a patch behind another',
      'kustomization.yaml',
      kustomization(
        `patchesStrategicMerge:\n  - |\n    kind: Namespace\n    apiVersion: v1\n    metadata: { name: a }\n    ---\n${deployment('    ', '2.0.0')}`,
      ),
      12,
    ],
  ])('has its own line in %s', (_, path, text, line) => {
    const { items } = discoverFiles({ [path]: text });
    const found = items.filter(({ version }) => version === '2.0.0');
    expect(found.map(({ place }) => place.line)).toEqual([line]);
    expect(text.split('\n')[line - 1]).toContain('2.0.0');
  });

  test.each([
    ['a folded text', '>\n        image: acme/web:2.0.0\n\n        name: a\n'],
    ['a quoted text', '"x: a\\nimage: acme/web:2.0.0"\n'],
    ['JSON', '\'{"image": "acme/web:2.0.0"}\'\n'],
  ])('has the line of %s, whose lines differ from those of the file', (_, values) => {
    const { items } = discoverFiles({ 'app.yaml': application(values) });
    expect(items.flatMap(({ version, place }) => (version === '2.0.0' ? place.line : []))).toEqual([14]);
  });
});

describe('values of charts', () => {
  test.each([
    [
      'operator: { repository: nvcr.io/nvidia, image: gpu-operator, version: v24.9.0 }',
      'nvcr.io/nvidia/gpu-operator v24.9.0',
    ],
    [
      'image: { registry: docker.io, repository: bitnami, image: kubectl, tag: 1.31.4 }',
      'docker.io/bitnami/kubectl 1.31.4',
    ],
    [
      'tigera: { registry: quay.io, image: tigera/operator, version: v1.36.0 }',
      'quay.io/tigera/operator v1.36.0',
    ],
    ['images: { tags: { api: "docker.io/acme/api:2024.1" } }', 'docker.io/acme/api 2024.1'],
    ['imageMap: { redis: "redis:7.4.1" }', 'docker.io/library/redis 7.4.1'],
    ['proxies: { images: ["haproxy:3.0.5"] }', 'docker.io/library/haproxy 3.0.5'],
    ['mirror: { image: { repo: ghcr.io/acme/mirror, tag: 1.4.0 } }', 'ghcr.io/acme/mirror 1.4.0'],
    ['web: { image: ghcr.io/acme/web, imageTag: "3.8" }', 'ghcr.io/acme/web 3.8'],
    ['web: { imageName: ghcr.io/acme/web, imageTag: 1.4.0 }', 'ghcr.io/acme/web 1.4.0'],
    [
      'web: { imageRegistry: ghcr.io, imageRepository: acme/web, imageVersion: 1.4.0 }',
      'ghcr.io/acme/web 1.4.0',
    ],
    ['{ sidecarImage: ghcr.io/acme/sidecar, sidecarImageTag: 1.4.0 }', 'ghcr.io/acme/sidecar 1.4.0'],
    ['{ sidecar_image: ghcr.io/acme/sidecar, sidecar_tag: 1.4.0 }', 'ghcr.io/acme/sidecar 1.4.0'],
    [
      'prometheus: { baseImage: quay.io/acme/prometheus, version: v2.55.1 }',
      'quay.io/acme/prometheus v2.55.1',
    ],
    [
      '{ global: { hub: docker.io/istio, tag: 1.24.1 }, pilot: { image: pilot } }',
      'docker.io/istio/pilot 1.24.1',
    ],
    [
      '{ global: { imageRegistry: registry.acme.io }, web: { image: { registry: quay.io, repository: acme/web, tag: 1.4.0 } } }',
      'registry.acme.io/acme/web 1.4.0',
    ],
    ['extraImages: [{ name: ghcr.io/acme/web, tag: 1.4.0 }]', 'ghcr.io/acme/web 1.4.0'],
    ['image: { repository: quay.io/acme, name: web, tag: 1.4.0 }', 'quay.io/acme/web 1.4.0'],
    ['image: { repository: quay.io/acme/web, name: web, tag: 1.4.0 }', 'quay.io/acme/web 1.4.0'],
    ['image: { registry: quay.io/, repository: /acme/web, tag: 1.4.0 }', 'quay.io/acme/web 1.4.0'],
    ['image: { url: quay.io/acme/web, tag: 1.4.0 }', 'quay.io/acme/web 1.4.0'],
    ['image: { registry: quay.io, path: acme/web, tag: 1.4.0 }', 'quay.io/acme/web 1.4.0'],
    ['image: { repository: quay.io/acme/web, imageTag: 1.4.0 }', 'quay.io/acme/web 1.4.0'],
    ['web: { image: quay.io/acme/web, version: 1.4.0 }', 'quay.io/acme/web 1.4.0'],
    ['web: { imageRef: "quay.io/acme/web:1.4.0" }', 'quay.io/acme/web 1.4.0'],
    ['config: |\n  image:\n    repository: ghcr.io/acme/web\n    tag: 1.4.0', 'ghcr.io/acme/web 1.4.0'],
  ])('contain an image in %s', (text, expected) => {
    expect(itemsOf('values.yaml', `${text}\n`)).toEqual([expected]);
  });

  test('an image in a nested text is reported at its own line, and a script is not read as values', () => {
    const { items } = discoverFiles({
      'values.yaml':
        'web:\n  config: |\n    image: ghcr.io/acme/web:1.4.0\nscript: |\n  docker run --image=acme/web:1.0.0\n  exit 1\n',
    });
    expect(items.map(({ version, place }) => [version, place.line])).toEqual([['1.4.0', 3]]);
    const nested = 'a: |\n  b: |\n    c: |\n      image: ghcr.io/acme/web:1.4.0\n';
    expect(itemsOf('values.yaml', nested)).toEqual(['ghcr.io/acme/web 1.4.0']);
  });

  test('a name and a version without a tag key are not read as an image', () => {
    expect(
      itemsOf('values.yaml', 'web: { image: web, version: 1.2.3 }\nlogo: { image: a.png, logoTag: x }\n'),
    ).toEqual([]);
  });

  test('a chart with a repository, a name, and a version is read as a chart, not as an image', () => {
    expect(
      itemsOf(
        'values.yaml',
        'chart: { repository: "https://charts.example.org", name: web, version: 1.2.3 }\n',
      ),
    ).toEqual(['charts.example.org/web 1.2.3']);
  });
});

describe('directories that are skipped by default', () => {
  const pod = 'apiVersion: v1\nkind: Pod\nspec: { containers: [{ name: a, image: "acme/web:1.0" }] }\n';
  const values = 'image: { repository: acme/web, tag: "1.0" }\n';

  test.each([
    'apps/docs/a.yaml',
    'clusters/prod/tests/a.yaml',
    'envs/examples/a.yaml',
    'apps/archive/a.yaml',
  ])('%s is read', (path) => {
    expect(itemsOf(path, pod)).toEqual(['docker.io/acme/web 1.0']);
  });

  test.each([
    'docs/a.yaml',
    'web/tests/a.yaml',
    'apps/web/node_modules/a/a.yaml',
    'docs/apps/a.yaml',
    'apps/.archive/a.yaml',
    'archived/web/a.yaml',
    'archive/a.yaml',
    'samples/a.yaml',
    'workloads/tenants/gitlab/examples/a.yaml',
  ])('%s is skipped', (path) => {
    expect(itemsOf(path, pod)).toEqual([]);
  });

  test('test values of a chart are skipped, and a test directory outside a chart is read', () => {
    const files = {
      'charts/web/Chart.yaml': 'name: web\n',
      'charts/web/ci/a-values.yaml': values,
      'charts/web/test/values.yaml': values,
      'test/values.yaml': values,
    };
    expect(discoverFiles(files).items.map(({ place }) => place.file)).toEqual(['test/values.yaml']);
  });
});

describe('objects that Helm rendered without the name of a release', () => {
  test('are skipped with a reason, because Kubernetes does not accept their names', () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata:\n  name: RELEASE-NAME-web\nspec: { containers: [{ name: a, image: "acme/web:1.0" }] }\n';
    const { items, problems } = discoverFiles({ 'charts/web.yaml': text });
    expect(items).toEqual([]);
    expect(problems).toMatchObject([{ line: 4, reason: 'templated' }]);
  });
});

describe('the internal placeholders for templates', () => {
  test('never appear in a name or version', () => {
    const text =
      'apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  containers:\n    - image: {{ Image "ghcr.io/acme/a:1.2.3" }}\n';
    const { items, problems } = discoverFiles({ 'a.yaml': text });
    expect(JSON.stringify([items, problems])).not.toContain('\uE000');
  });

  test('a key that occurs in several branches of a condition is reported as a template', () => {
    const text =
      'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      {{if eq .Values.x "y"}}\n      image: a:2.0\n      {{else}}\n      image: a:1.0\n      {{end}}\n';
    expect(discoverFiles({ 'a.yaml': text }).problems).toMatchObject([{ reason: 'templated' }]);
  });
});
