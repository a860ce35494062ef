import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { knownSources } from '../catalog/catalog.ts';

/** Returns the packages of a file, each with its line. */
function packagesOf(path: string, text: string): string[] {
  return discoverFiles({ [path]: text }, { known: knownSources }).items.flatMap(
    ({ place, artifact, version, reason }) =>
      place.field.startsWith('package ')
        ? `${place.line} ${artifact.name} ${version ?? '-'}${reason === null ? '' : ` (${reason})`}`
        : [],
  );
}

const play = (task: string) => `- hosts: all\n  tasks:\n    - name: Install\n${task}`;

describe('a Python package that a deployment installs', () => {
  test.each([
    [
      'Dockerfile',
      'FROM python:3.13\nARG V=9.1.0\nRUN apt-get update && \\\n  pip install --no-cache "ansible[aws]==$V" \\\n  boto3~=1.34\n',
      ['3 ansible 9.1.0', '3 boto3 ~=1.34 (range)'],
    ],
    [
      'deployment.yaml.j2',
      'a: |\n  python3 -m pip install \\\n    ansible==9.1.0 \\\n    boto3; echo other==1.0.0\n',
      ['3 ansible 9.1.0'],
    ],
    [
      '.gitlab-ci.yml',
      "docs:\n  image: python:3.13\n  script:\n    - pip3 install 'mkdocs==1.5.3' | tee log==2.0.0\n",
      ['4 mkdocs 1.5.3'],
    ],
    [
      'user_data.sh',
      '#!/bin/sh\nconda install -y python=3.11 conda-forge::git=2.45.1=h0_1\n',
      ['2 python 3.11 (range)', '2 git 2.45.1'],
    ],
    [
      'main.tf',
      'resource "aws_instance" "web" {\n  user_data = <<-EOF\n    pip install ansible==9.1.0\n  EOF\n}\n',
      ['3 ansible 9.1.0'],
    ],
    [
      'site.yml',
      play('      ansible.builtin.pip:\n        name: docker\n        version: 7.1.0\n'),
      ['6 docker 7.1.0'],
    ],
    [
      'site.yml',
      play('      pip:\n        name: [docker==7.1.0, "cryptography>=1.2.3", requests]\n'),
      ['5 docker 7.1.0', '5 cryptography >=1.2.3 (range)'],
    ],
    [
      'group_vars/all.yml',
      'tools_conda_env_packages:\n  - python=3.11.4\n  - pip\npip_install_packages:\n  - name: docker\n    version: "7.1.0"\n  - requests==2.32.0\n',
      ['2 python 3.11.4', '6 docker 7.1.0', '7 requests 2.32.0'],
    ],
  ])('is read from %s: %#', (path, text, expected) => {
    expect(packagesOf(path, text)).toEqual(expected);
  });

  test.each([
    ['site.yml', play('      pip:\n        name: [docker, requests]\n        version: 7.1.0\n')],
    ['site.yml', play('      pip:\n        name: "{{ item }}"\n        version: "{{ version }}"\n')],
    ['user_data.sh', '#!/bin/sh\npip install $PACKAGE==1.0.0 ansible==$V\ntest a==1.0.0\n'],
  ])('is not guessed: %#', (path, text) => {
    expect(packagesOf(path, text)).toEqual([]);
  });

  test.each([
    ['user_data.sh', 'pip install --index-url https://pypi.acme.dev/simple tool==1.2.3\n', null],
    ['user_data.sh', 'pip install tool==1.2.3 --extra-index-url=https://pypi.acme.dev/simple\n', null],
    ['user_data.sh', 'pip install tool==1.2.3 \\\n  -i https://pypi.acme.dev/simple\n', null],
    ['user_data.sh', 'PIP_INDEX_URL=https://pypi.acme.dev/simple pip install tool==1.2.3\n', null],
    ['Dockerfile', 'FROM python:3.13.1\nRUN pip install tool==1.2.3 \\\n  --find-links /wheels\n', null],
    [
      'main.tf',
      'a = <<-EOF\n  pip install tool==1.2.3 \\\n    --index-url https://pypi.acme.dev\nEOF\n',
      null,
    ],
    [
      'site.yml',
      play('      pip: { name: tool, version: 1.2.3, extra_args: "-i https://pypi.acme.dev/simple" }\n'),
      null,
    ],
    [
      'group_vars/all.yml',
      'pip_packages: ["--extra-index-url https://pypi.acme.dev/simple", tool==1.2.3]\n',
      null,
    ],
    [
      'execution-environment.yml',
      'version: 3\ndependencies:\n  python: ["--index-url https://pypi.acme.dev/simple", tool==1.2.3]\n',
      null,
    ],
    ['user_data.sh', 'export PIP_INDEX_URL="https://pypi.acme.dev/simple"\npip install tool==1.2.3\n', null],
    [
      'user_data.sh',
      'export PIP_INDEX_URL=https://pypi.org/simple\npip install tool==1.2.3\n',
      'pypi.org/pypi/tool',
    ],
    [
      'user_data.sh',
      'pip config set global.index-url https://pypi.acme.dev\npip install tool==1.2.3\n',
      null,
    ],
    [
      '.gitlab-ci.yml',
      'variables:\n  PIP_INDEX_URL: https://pypi.acme.dev/simple\nlint:\n  image: python:3.13.1\n  script:\n    - pip install tool==1.2.3\n',
      null,
    ],
    [
      'Dockerfile',
      'FROM python:3.13.1\nENV PIP_INDEX_URL=https://pypi.acme.dev/simple\nRUN pip install tool==1.2.3\n',
      null,
    ],
    ['Dockerfile', 'FROM python:3.13.1\nARG PIP_EXTRA_INDEX_URL\nRUN pip install tool==1.2.3\n', null],
    [
      'Dockerfile',
      'FROM python:3.13.1 AS base\nENV UV_INDEX_URL https://pypi.acme.dev/simple\nFROM base\nRUN uv pip install tool==1.2.3\n',
      null,
    ],
    [
      'Dockerfile',
      'FROM python:3.13.1\nRUN pip config set global.index-url https://pypi.acme.dev && pip install tool==1.2.3\n',
      null,
    ],
    [
      'Dockerfile',
      'FROM python:3.13.1 AS a\nENV PIP_INDEX_URL=https://pypi.acme.dev\nFROM python:3.13.1\nARG PIP_INDEX_URL=https://pypi.org/simple\nRUN pip install tool==1.2.3\n',
      'pypi.org/pypi/tool',
    ],
    ['user_data.sh', 'pip install -i https://pypi.org/simple tool==1.2.3\n', 'pypi.org/pypi/tool'],
    [
      'user_data.sh',
      'pip install --index-url https://pypi.acme.dev/simple a && pip install tool==1.2.3\n',
      'pypi.org/pypi/tool',
    ],
    ['user_data.sh', 'conda install bioconda::tool=1.2.3\n', 'anaconda.org/package/bioconda/tool'],
    ['user_data.sh', 'conda install -c bioconda tool=1.2.3\n', 'anaconda.org/package/bioconda/tool'],
    [
      'user_data.sh',
      'conda install -c bioconda conda-forge::tool=1.2.3\n',
      'anaconda.org/package/conda-forge/tool',
    ],
    ['user_data.sh', 'conda install tool=1.2.3 \\\n  -c bioconda --channel=conda-forge\n', null],
    ['user_data.sh', 'conda install -c https://conda.acme.dev/main tool=1.2.3\n', null],
    ['user_data.sh', 'conda install defaults::tool=1.2.3\n', null],
  ])('has the source that its command or its list names: %s, %#', (path, text, source) => {
    const { items } = discoverFiles({ [path]: text }, { known: knownSources });
    const found = items.filter(({ artifact }) => artifact.name === 'tool');
    expect(found.map(({ version, reason }) => [version, reason])).toEqual([
      ['1.2.3', source === null ? 'unsupported_source' : null],
    ]);
    expect(found[0]?.proposal?.artifact_name ?? null).toEqual(
      source === null ? null : expect.stringContaining(source),
    );
  });

  test('has the versions of its index, and is not the software of the catalog with the same name', () => {
    const { items } = discoverFiles(
      { 'user_data.sh': '#!/bin/sh\npip install Docker==7.1.0 ansible==9.1.0\nconda install git==2.45.1\n' },
      { known: knownSources },
    );
    expect(
      items.map(({ artifact, proposal }) => [
        artifact.purl,
        proposal?.artifact_name,
        proposal?.source_options,
        proposal?.confidence,
      ]),
    ).toEqual([
      ['pkg:pypi/docker', 'https://pypi.org/pypi/Docker/json', { version_path: '.releases' }, 'likely'],
      [
        'pkg:pypi/ansible',
        'https://pypi.org/pypi/ansible/json',
        expect.objectContaining({ version_path: '.releases' }),
        'likely',
      ],
      [null, 'https://api.anaconda.org/package/conda-forge/git', { version_path: '.versions[*]' }, 'likely'],
    ]);
  });
});
