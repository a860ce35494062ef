import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../../tests/helpers/discover-files.ts';
import { roleOfExtractor } from '../extractor-roles.ts';
import { extractorOfKey } from '../item-key.ts';

/** Returns the items of a single file, each with its line. */
function linesOf(path: string, text: string): string[] {
  return discoverFiles({ [path]: text }).items.map(
    ({ place, artifact, version, reason }) =>
      `${place.line} ${artifact.name} ${version ?? '-'}${reason === null ? '' : ` (${reason})`}`,
  );
}

const definition = `---
version: 3
images:
  base_image:
    name: quay.io/acme/ee-minimal:1.0.0-543
dependencies:
  ansible_core:
    package_pip: ansible-core==2.16.3
  ansible_runner:
    package_pip: ansible-runner
  galaxy:
    collections:
      - name: community.general
        version: 7.5.2
      - name: https://github.com/acme/collection
        type: git
        version: v1.2.0
      - community.dns
    roles:
      - name: acme.web
        version: 3.0.3
  python:
    - ansible==12.2.0
    - proxmoxer>=2.3
    - six
  system:
    - git
additional_build_steps:
  prepend_base:
    - RUN python3 -m pip install pywinrm==0.5.0
  append_final: |
    # The receptor comes from another image.
    COPY --from=quay.io/acme/receptor:v1.4.8 /usr/bin/receptor /usr/bin/receptor
    COPY --from=galaxy /a /b
  append_builder:
    - COPY --from=quay.io/acme/tools:2.0.1 /a /a
`;

describe('a definition of an execution environment', () => {
  test('yields its images, collections, roles, and Python packages', () => {
    expect(linesOf('tower/core_215.yml', definition)).toEqual([
      '5 quay.io/acme/ee-minimal 1.0.0-543',
      '21 acme.web 3.0.3 (unsupported_source)',
      '14 community.general 7.5.2 (unsupported_source)',
      '17 https://github.com/acme/collection v1.2.0',
      '23 ansible 12.2.0',
      '24 proxmoxer >=2.3 (range)',
      '8 ansible-core 2.16.3',
      '33 quay.io/acme/receptor v1.4.8',
      '36 quay.io/acme/tools 2.0.1',
      '30 pywinrm 0.5.0',
    ]);
  });

  test('describes how an image is built', () => {
    const { items } = discoverFiles({ 'images/tower/ee.yml': definition });
    const ownServices = items.flatMap(({ extractor, service }) =>
      extractor === 'execution_environment' ? [service] : [],
    );
    expect(new Set(ownServices)).toEqual(new Set(['tower']));
    const roles = items.map(({ key }) => roleOfExtractor(extractorOfKey(key)!));
    expect(new Set(roles)).toEqual(new Set(['build']));
  });

  test('has the same collections and packages as the files that it can name instead', () => {
    const collections = 'collections: [{ name: a.b, version: 6.1.0 }, { name: c.d }]';
    const inline = `version: 3\ndependencies:\n  galaxy: { ${collections} }\n  python: [ansible==9.1.0]\n`;
    const summarize = (files: Readonly<Record<string, string>>) =>
      discoverFiles(files).items.map(({ artifact, version, version_state, reason, proposal }) => ({
        artifact,
        version,
        version_state,
        reason,
        proposal,
      }));
    expect(summarize({ 'ee.yml': inline })).toEqual(
      summarize({
        'requirements.yml': `${collections}\n`,
        'tasks/main.yml': '- pip: { name: ["ansible==9.1.0"] }\n',
      }),
    );
  });

  test.each([
    [
      'execution-environment.yml',
      'build_arg_defaults:\n  EE_BASE_IMAGE: quay.io/acme/runner:2.10.1\n',
      ['2 quay.io/acme/runner 2.10.1'],
    ],
    [
      'ee.yaml',
      "version: 1\nbuild_arg_defaults:\n  EE_BASE_IMAGE: 'quay.io/acme/runner:2.10.1'\n  EE_BUILDER_IMAGE: quay.io/acme/builder:3.0.0\n",
      ['3 quay.io/acme/runner 2.10.1', '4 quay.io/acme/builder 3.0.0'],
    ],
    [
      'playbooks/ee.yml',
      'version: 2\nimages:\n  base_image:\n    name: quay.io/acme/runner:latest\n  builder_image:\n    name: quay.io/acme/builder:3.0.0\n',
      ['4 quay.io/acme/runner latest (floating)', '6 quay.io/acme/builder 3.0.0'],
    ],
    [
      'ee.yml',
      `version: 3\nimages:\n  base_image:\n    name: quay.io/acme/ee@sha256:${'a'.repeat(64)} # 1.2.3\n`,
      ['4 quay.io/acme/ee 1.2.3'],
    ],
    [
      'execution_environment.yml',
      'dependencies:\n  galaxy: requirements.yml\n  python: requirements.txt\n',
      [],
    ],
  ])('is read in each version of the format: %s', (path, text, expected) => {
    expect(linesOf(path, text)).toEqual(expected);
  });

  test.each([
    'version: 1.2.0\ndependencies:\n  python: [ansible==9.1.0]\n',
    'version: 2\nmodels:\n  python: [ansible==9.1.0]\n',
  ])('is not any file with a version: %j', (text) => {
    expect(linesOf('a.yml', text)).toEqual([]);
  });
});
