import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import semver from 'semver';

/**
 * `npm run release -- VERSION` cuts a version of the repository in the current directory: it updates the version in
 * every file that contains it, dates the changes in CHANGELOG.md, commits, and tags. Nothing is pushed. `--check TAG`
 * fails unless every file has the version of the tag. `--notes TAG` prints the changes of the version.
 */

/** All files that contain the version, with patterns to find it. Everything else reads package.json. */
const carriers: readonly { file: string; pattern: RegExp }[] = [
  { file: 'package.json', pattern: /(?<=^ {2}"version": ")[^"]+/gm },
  // Matches only the entries of Pacekeeper, which have one of these indentations.
  {
    file: 'package-lock.json',
    pattern: /(?<=^( {2}| {6})"name": "pacekeeper",\n( {2}| {6})"version": ")[^"]+/gm,
  },
  { file: 'deploy/helm/pacekeeper/Chart.yaml', pattern: /(?<=^(version: |appVersion: "))[^"\n]+/gm },
  { file: 'deploy/kubernetes/cluster-agent.yaml', pattern: /(?<=image: pacekeeper:)\S+/g },
  { file: 'docs/guides/ci.md', pattern: /(?<=registry\.example\.org\/pacekeeper:)\S+/g },
];
const changelog = 'CHANGELOG.md';

class Refusal extends Error {}

const git = (...args: string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

function versionsIn({ file, pattern }: (typeof carriers)[number]): string[] {
  const found = readFileSync(file, 'utf8').match(pattern);
  if (!found) throw new Refusal(`${file} doesn't contain a version where one is expected.`);
  return found;
}

/** Returns the changes of a version or the unreleased changes, or `null` if the section is missing. */
function changesOf(title: string): string | null {
  const sections = readFileSync(changelog, 'utf8').split(/^## /m);
  const section = sections.find((each) => /^\S+/.exec(each)?.[0] === title);
  return section === undefined ? null : section.slice(section.indexOf('\n')).trim();
}

function versionOf(tag: string): string {
  const version = tag.replace(/^v/, '');
  if (!tag.startsWith('v') || semver.valid(version) !== version)
    throw new Refusal(`${tag} isn't a tag of a version, such as v0.2.0.`);
  return version;
}

function check(tag: string): string {
  const version = versionOf(tag);
  const wrong = carriers.flatMap((carrier) =>
    versionsIn(carrier)
      .filter((found) => found !== version)
      .map((found) => `${carrier.file} contains ${found}`),
  );
  if (!changesOf(version)) wrong.push(`${changelog} has no changes under ${version}`);
  if (wrong.length > 0) throw new Refusal(`${tag} doesn't match: ${wrong.join(', ')}.`);
  return `Every file has ${version}.\n`;
}

function notes(tag: string): string {
  const version = versionOf(tag);
  const changes = changesOf(version);
  if (!changes) throw new Refusal(`${changelog} has no changes under ${version}.`);
  return `${changes}\n`;
}

function cut(version: string): string {
  const tag = `v${version}`;
  if (semver.valid(version) !== version)
    throw new Refusal(`${version} isn't a version. Use three numbers, such as 0.2.0 or 1.0.0-rc.1.`);
  const branch = git('branch', '--show-current');
  if (branch !== 'main')
    throw new Refusal(`Cut versions on main. The current branch is ${branch || 'none'}.`);
  if (git('status', '--porcelain') !== '')
    throw new Refusal('There are uncommitted changes. Commit or remove them first.');
  if (git('tag', '--list', tag) !== '') throw new Refusal(`The tag ${tag} already exists.`);
  // Compare with the tags, because the version in package.json may never have been released.
  const released = git('tag', '--list', 'v*')
    .split('\n')
    .map((each) => each.slice(1));
  const least = semver.rsort(released.filter((each) => semver.valid(each) !== null))[0];
  if (least !== undefined && !semver.gt(version, least))
    throw new Refusal(`${version} isn't greater than ${least}, the latest version.`);
  const [current] = versionsIn(carriers[0]!);
  if (semver.lt(version, current!)) throw new Refusal(`${version} is less than ${current} in package.json.`);
  if (!changesOf('Unreleased'))
    throw new Refusal(`${changelog} has no changes under Unreleased, so there is nothing to release.`);

  const before = git('rev-parse', 'HEAD');
  const files = [...carriers.map(({ file }) => file), changelog];
  for (const { file, pattern } of carriers)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(pattern, version));
  const date = new Date().toISOString().slice(0, 10);
  const changes = readFileSync(changelog, 'utf8');
  writeFileSync(changelog, changes.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${date})`));
  try {
    git('commit', '--message', `Release ${version}`, '--', ...files);
  } catch {
    git('checkout', 'HEAD', '--', ...files);
    throw new Refusal("git didn't commit, so nothing has changed.");
  }
  try {
    git('tag', '--annotate', tag, '--message', `Pacekeeper ${version}`);
  } catch {
    // A hard reset is safe, because the working tree had no other changes.
    git('reset', '--quiet', '--hard', before);
    throw new Refusal("git didn't create the tag, so the commit was undone and nothing has changed.");
  }
  return `Cut ${version}. Check it with "git show ${tag}", then publish it:\n\n  git push --atomic origin main ${tag}\n`;
}

const usage = 'Usage: npm run release -- VERSION | --check TAG | --notes TAG\n';

try {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'string' }, notes: { type: 'string' } },
    allowPositionals: true,
  });
  const [version] = positionals;
  if (values.check !== undefined) process.stdout.write(check(values.check));
  else if (values.notes !== undefined) process.stdout.write(notes(values.notes));
  else if (version !== undefined && positionals.length === 1) process.stdout.write(cut(version));
  else throw new Refusal(usage.trim());
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
