import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { temporaryFolder } from '../tests/helpers/temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const script = path.join(root, 'scripts/cut-version.ts');
const copied = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'README.md',
  'Dockerfile',
  'compose.yaml',
  'deploy',
  'docs',
];
const identity = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

/** Creates a repository on `main` with the files of a release. */
function repository() {
  const cwd = temporaryFolder();
  const env = { PATH: process.env['PATH'], HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', ...identity };
  for (const file of copied) {
    mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(cwd, file), { recursive: true });
  }
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return stdout.trim();
  };
  const release = (args: string[], more: NodeJS.ProcessEnv = {}) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
      cwd,
      encoding: 'utf8',
      env: {
        ...env,
        ...more,
      },
    });
    return { status, stdout, stderr };
  };
  // Right after a release, the changelog has no unreleased changes, so add one.
  const changelog = path.join(cwd, 'CHANGELOG.md');
  const changes = readFileSync(changelog, 'utf8');
  writeFileSync(changelog, changes.replace(/^## Unreleased$/m, '## Unreleased\n\n- A change for this test.'));
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Start');
  const read = (file: string) => readFileSync(path.join(cwd, file), 'utf8');
  return { cwd, git, release, read };
}

test('one command writes the version everywhere, dates the changes, commits, and tags', () => {
  const { cwd, git, release, read } = repository();
  const unreleased = /^## Unreleased\n([^]*?)(?=^## |(?![^]))/m.exec(read('CHANGELOG.md'))![1]!.trim();
  const { status, stdout, stderr } = release(['99.0.0']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('git push --atomic origin main v99.0.0');

  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('Release 99.0.0');
  expect(git('cat-file', '-t', 'v99.0.0')).toBe('tag');
  expect(git('rev-parse', 'v99.0.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  const today = new Date().toISOString().slice(0, 10);
  expect(read('CHANGELOG.md')).toContain(
    `## Unreleased\n\n## 99.0.0 (${today})\n\n${unreleased.slice(0, 200)}`,
  );
  expect(release(['--check', 'v99.0.0'])).toMatchObject({
    status: 0,
    stdout: 'Every file has 99.0.0.\n',
  });
  expect(release(['--notes', 'v99.0.0']).stdout).toBe(`${unreleased}\n`);

  // Exclude docs/reliability.md, which contains the tested version, and the lock file, which contains versions of other
  // packages.
  const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      /\.(md|json|ya?ml)$|Dockerfile$/.test(file) &&
      !/^(\.git\/|docs\/reliability\.md$|package-lock\.json$)/.test(file),
  );
  expect(files.length).toBeGreaterThan(30);
  const current = packageJson.version.replaceAll('.', '\\.');
  const old = new RegExp(`(pacekeeper[:@-]v?|version"?: "?)${current}(?![\\d.])`, 'i');
  expect(files.filter((file) => old.test(read(file)))).toEqual([]);
  const lock = JSON.parse(read('package-lock.json'));
  expect([lock.version, lock.packages[''].version]).toEqual(['99.0.0', '99.0.0']);
  // The other packages in the lock file must not change.
  expect(git('show', '--numstat', '--format=', 'HEAD', '--', 'package-lock.json')).toBe(
    '2\t2\tpackage-lock.json',
  );

  // A second release fails, because the changelog has no changes since the first one.
  expect(release(['99.1.0'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('nothing to release'),
  });
});

test('an invalid version is rejected with instructions, and nothing changes', () => {
  const { cwd, git, release } = repository();
  const head = git('rev-parse', 'HEAD');
  const refused = (version: string, reason: string, env?: NodeJS.ProcessEnv) => {
    const { status, stderr } = release([version], env);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(reason) });
    expect(git('rev-parse', 'HEAD')).toBe(head);
  };
  refused('1.0', "1.0 isn't a version. Use three numbers");
  refused('v1.0.0', "v1.0.0 isn't a version.");
  refused('0.0.1', `0.0.1 is less than ${packageJson.version} in package.json.`);
  git('tag', 'v1.5.0');
  refused('1.5.0', 'The tag v1.5.0 already exists.');
  refused('1.4.0', "1.4.0 isn't greater than 1.5.0, the latest version.");
  git('switch', '--quiet', '--create', 'other');
  refused('2.0.0', 'Cut versions on main. The current branch is other.');
  git('switch', '--quiet', 'main');
  refused('2.0.0', "git didn't commit, so nothing has changed.", {
    GIT_COMMITTER_EMAIL: '',
    GIT_COMMITTER_NAME: '',
  });
  expect(git('status', '--porcelain')).toBe('');
  // Git can't create the tag v3.0.0 while v3.0.0/draft exists.
  git('tag', 'v3.0.0/draft');
  refused('3.0.0', "git didn't create the tag, so the commit was undone and nothing has changed.");
  expect(git('tag', '--list', 'v3.0.0')).toBe('');
  expect(git('status', '--porcelain')).toBe('');
  appendFileSync(path.join(cwd, 'README.md'), '\n');
  refused('2.0.0', 'There are uncommitted changes. Commit or remove them first.');
  git('checkout', '--quiet', '.');
  expect(release([]).stderr).toContain('Usage: npm run release -- VERSION');
});

test('the check compares a tag with every file that contains the version', () => {
  const { cwd, release, read } = repository();
  expect(release(['--check', '0.1.0']).stderr).toContain("isn't a tag of a version, such as v0.2.0");
  release(['99.0.0']);
  const chart = path.join(cwd, 'deploy/helm/pacekeeper/Chart.yaml');
  writeFileSync(
    chart,
    read('deploy/helm/pacekeeper/Chart.yaml').replace('appVersion: "99.0.0"', 'appVersion: "98.0.0"'),
  );
  expect(release(['--check', 'v99.0.0'])).toMatchObject({
    status: 1,
    stderr: "v99.0.0 doesn't match: deploy/helm/pacekeeper/Chart.yaml contains 98.0.0.\n",
  });
  expect(release(['--check', 'v99.0.1']).stderr).toContain('CHANGELOG.md has no changes under 99.0.1');
});
