import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { extractFile, toFilePath } from './extract-file.ts';
import { type LinkedFact, linkFacts } from './link-facts.ts';

interface Row {
  manager: string;
  fn: string;
  matcher: string;
  not?: boolean;
  path?: string;
  input: unknown[];
  expected: unknown;
  test: string;
}

/** What each manager of the other tool reads is here, as a path that our extractors recognize. */
const paths: Readonly<Record<string, string>> = {
  argocd: 'application.yaml',
  flux: 'flux.yaml',
  'helm-values': 'values.yaml',
  helmv3: 'Chart.yaml',
  'helm-requirements': 'requirements.yaml',
  helmfile: 'helmfile.yaml',
  kustomize: 'kustomization.yaml',
  kubernetes: 'workload.yaml',
  'docker-compose': 'compose.yaml',
  dockerfile: 'Dockerfile',
  terraform: 'main.tf',
  'github-actions': '.github/workflows/ci.yml',
  asdf: '.tool-versions',
};

/** Rows that aren't counted, each with why: by their position in the file. */
const exceptions: ReadonlyMap<number, string> = new Map([
  [12, 'a release without a chart is the patch of an overlay'],
  [14, 'an object without a name: what it deploys is read all the same'],
  [22, 'a commit decides, whatever branch is named next to it'],
  [127, 'Docker applies arguments in front of the first stage only, not those of an earlier stage'],
  [128, 'ARG with a space declares two arguments without defaults'],
  [130, 'Docker joins the lines to the unknown instruction FROMnginx:1.20'],
  [134, 'the syntax directive names no base image'],
  [164, 'one release has no chart, so that it names no artifact'],
  [172, 'versions of the Kubernetes API are no versions of software'],
  [178, 'versions of the Kubernetes API are no versions of software'],
  [193, 'labels of runners name no version'],
  ...[204, 205, 206, 207, 208, 209, 210].map(
    (at) => [at, "tools that an action installs aren't deployed"] as const,
  ),
  ...[75, 132, 141, 142, 143, 151, 161, 174].map(
    (at) => [at, 'the option registryAliases of the other tool puts another registry in its place'] as const,
  ),
]);

/** Extractors that read the files of a manager, where only what one of them finds is compared. */
const extractors: Readonly<Record<string, string>> = { argocd: 'argocd' };

interface Expected {
  name: string | null;
  version: string;
}

describe.skipIf(!hasTestData)('what another tool expects of real deployment files', () => {
  const rows = hasTestData ? readRows() : [];
  const counted = [...rows.entries()].filter(
    ([at, row]) => !exceptions.has(at) && row.manager in paths && contentOf(row) !== null,
  );

  test('19 of 20 rows are found, with their versions', () => {
    const missed = counted.flatMap(([at, row]) => {
      const problem = problemOf(row);
      return problem === null ? [] : [`${at} ${row.manager}: ${problem}`];
    });
    process.stdout.write(
      `${counted.length - missed.length} of ${counted.length} rows\n${missed.join('\n')}\n`,
    );
    expect(counted.length).toBeGreaterThan(150);
    expect(missed.length / counted.length).toBeLessThanOrEqual(0.05);
  });
});

function problemOf(row: Row): string | null {
  const facts = factsOf(row);
  const found = facts.filter(
    ({ version, digest, extractor }) =>
      (version !== null || digest !== null) && extractor === (extractors[row.manager] ?? extractor),
  );
  if (row.matcher === 'toBeNull' && !row.not)
    return found.length === 0 ? null : `found ${describeFacts(found)} where nothing is expected`;
  const expected = expectedOf(row.expected, row.manager === 'asdf');
  const missing = expected.filter(
    ({ name, version }) =>
      !facts.some((fact) => isVersion(fact, version) && (name === null || isNamed(fact, name))),
  );
  if (missing.length > 0)
    return `missing ${missing.map(({ name, version }) => `${name}@${version}`).join(', ')} in ${describeFacts(facts).slice(0, 200)}`;
  return null;
}

function describeFacts(facts: readonly LinkedFact[]): string {
  return (
    facts.map(({ artifact, version, state }) => `${artifact.name}@${version} (${state})`).join(', ') ||
    'nothing'
  );
}

/** The lock file is a note of ours; the version as written is behind it. */
function isVersion({ version, digest }: LinkedFact, expected: string): boolean {
  return version === expected || (version === null && digest === expected);
}

function isNamed({ artifact, origin }: LinkedFact, expected: string): boolean {
  const names = [
    artifact.name,
    'url' in origin ? origin.url : '',
    'reference' in origin ? origin.reference : '',
  ].map((name) => name.toLowerCase().replace(/\.git$/, ''));
  const wanted = expected
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^(git@[^:/]+):/, '$1/')
    .replace(/\.git$/, '');
  return names.some(
    (name) =>
      name === wanted || name.endsWith(`/${wanted}`) || wanted.endsWith(`/${name}`) || name.endsWith(wanted),
  );
}

function factsOf(row: Row): LinkedFact[] {
  const path = pathOf(row);
  return linkFacts([{ path, ...extractFile(toFilePath(path), contentOf(row)!) }]);
}

function pathOf({ manager, input: [, name] }: Row): string {
  if (manager === 'github-actions' && typeof name === 'string' && /^action\.ya?ml$/.test(name)) return name;
  return paths[manager]!;
}

/** Parts of a file are wrapped into the smallest file that has them. */
function contentOf({ manager, fn, input: [content] }: Row): string | null {
  if (fn === 'extractResource') return `resources: [${JSON.stringify(content)}]`;
  if (fn === 'extractImage') return JSON.stringify({ images: [content] });
  if (fn === 'extractHelmChart') return JSON.stringify({ helmCharts: [content] });
  if (fn === 'getDep') return typeof content === 'string' ? `FROM ${content}\n` : null;
  if (typeof content !== 'string') return null;
  return manager === 'flux' ? dedent(content) : content;
}

/** Some rows were recorded from an indented literal into which others, less indented, were put. */
function dedent(text: string): string {
  return /^ {10}\S/.test(text) ? text.replaceAll(/^ {10}/gm, '') : text;
}

/** Every version anywhere in what a row expects, with the name next to it: of tools, as the file has it. */
function expectedOf(expected: unknown, isTool: boolean): Expected[] {
  if (typeof expected !== 'object' || expected === null) return [];
  if ('$snapshot' in expected) return snapshotOf(expected.$snapshot);
  const { currentValue, currentDigest, depName, packageName } = expected as Record<string, unknown>;
  const version =
    typeof currentValue === 'string'
      ? currentValue
      : typeof currentDigest === 'string'
        ? currentDigest
        : null;
  const name = (isTool ? [depName] : [packageName, depName]).find((each) => typeof each === 'string') as
    | string
    | undefined;
  const own = version === null ? [] : [{ name: name ?? null, version }];
  return [...own, ...Object.values(expected).flatMap((each) => expectedOf(each, isTool))];
}

function snapshotOf(text: unknown): Expected[] {
  return typeof text === 'string'
    ? [...text.matchAll(/"currentValue": "([^"]+)",[^}]*?"depName": "([^"]+)"/g)].map(
        ([, version, name]) => ({
          name: name!,
          version: version!,
        }),
      )
    : [];
}

function readRows(): Row[] {
  const file: { cases: Row[] } = JSON.parse(
    readFileSync(testDataPath('deployed-files/expectations.json'), 'utf8'),
  );
  return file.cases;
}
