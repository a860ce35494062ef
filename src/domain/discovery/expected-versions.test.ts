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

/**
 * File path for each manager of the tool whose expectations are compared. The extractors recognize these
 * paths.
 */
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

/** Rows with intentionally different results, keyed by their position in the file, with the reason. */
const exceptions: ReadonlyMap<number, string> = new Map([
  [12, 'a release without a chart is the patch of an overlay, and its version is deployed'],
  [14, 'an object without a name is read anyway'],
  [22, 'Flux deploys the commit, regardless of the branch next to it'],
  [127, 'Docker applies only the arguments above the first stage, not the arguments of an earlier stage'],
  [128, 'ARG with a space declares two arguments without defaults'],
  [130, 'Docker joins the lines to the unknown instruction FROMnginx:1.20'],
]);

/**
 * True for a version that no extractor reads, because it isn't a version of deployed software. The other
 * versions of the row are compared.
 */
function isOutOfScope({ datasource, depType, depName, skipReason }: Record<string, unknown>): boolean {
  const isApiVersion = datasource === 'kubernetes-api';
  const isRunner = datasource === 'github-runners';
  // The syntax directive of a Dockerfile isn't part of an image.
  const isSyntax = depType === 'syntax';
  const isNameless = skipReason === 'invalid-name' && typeof depName !== 'string';
  return isApiVersion || isRunner || isSyntax || isNameless;
}

/**
 * Rows that were recorded with Renovate's option `registryAliases`. The option replaces the registry in the
 * file. Pacekeeper has no such option, so the name in the file is compared.
 */
const withAliases: ReadonlySet<number> = new Set([75, 132, 141, 142, 143, 151, 161, 164, 174]);

/** Common names of tools that have a different name in asdf. */
const commonNames: Readonly<Record<string, string>> = {
  'github-cli': 'gh',
  gohugo: 'hugo',
  golang: 'go',
  nodejs: 'node',
};

/**
 * Extractors whose facts alone are compared, by manager. Other extractors read the same files, but their
 * facts are ignored.
 */
const extractors: Readonly<Record<string, string>> = { argocd: 'argocd' };

interface Expected {
  name: string | null;
  version: string;
}

describe.skipIf(!hasTestData)('expectations of another tool for real deployment files', () => {
  const rows = hasTestData ? readRows() : [];
  const inScope = [...rows.entries()].filter(([, row]) => row.manager in paths && contentOf(row) !== null);

  test('at least 19 of 20 rows match, and each other row is a known exception', () => {
    const missed = inScope.flatMap(([at, row]) => {
      const problem = problemOf(row, at);
      return problem === null ? [] : [{ at, text: `${at} ${row.manager}: ${exceptions.get(at) ?? problem}` }];
    });
    process.stdout.write(
      `${inScope.length - missed.length} of ${inScope.length} rows\n${missed.map(({ text }) => text).join('\n')}\n`,
    );
    expect(inScope.length).toBeGreaterThan(200);
    expect(missed.length / inScope.length).toBeLessThanOrEqual(0.05);
    expect(missed.map(({ at }) => at)).toEqual([...exceptions.keys()]);
  });
});

function problemOf(row: Row, at: number): string | null {
  const facts = factsOf(row);
  const found = facts.filter(
    ({ version, digest, extractor }) =>
      (version !== null || digest !== null) && extractor === (extractors[row.manager] ?? extractor),
  );
  if (row.matcher === 'toBeNull' && !row.not)
    return found.length === 0 ? null : `found ${describeFacts(found)} where nothing is expected`;
  const expected = expectedOf(row.expected, row.manager === 'asdf' || withAliases.has(at));
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

/** True if a fact has the expected version, or the expected digest if the fact has no version. */
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

/**
 * Returns the content of a row. Wraps a part of a file in the smallest valid file. Returns `null` if the row
 * has no text.
 */
function contentOf({ manager, fn, input: [content] }: Row): string | null {
  if (fn === 'extractResource') return `resources: [${JSON.stringify(content)}]`;
  if (fn === 'extractImage') return JSON.stringify({ images: [content] });
  if (fn === 'extractHelmChart') return JSON.stringify({ helmCharts: [content] });
  if (fn === 'getDep') return typeof content === 'string' ? `FROM ${content}\n` : null;
  if (typeof content !== 'string') return null;
  return manager === 'flux' ? dedent(content) : content;
}

/**
 * Removes an indentation of 10 spaces. Some rows were recorded from an indented template literal that
 * contains less indented text.
 */
function dedent(text: string): string {
  return /^ {10}\S/.test(text) ? text.replaceAll(/^ {10}/gm, '') : text;
}

/** Returns all versions nested in the expectation of a row, each with its name. */
function expectedOf(expected: unknown, isAsWritten: boolean): Expected[] {
  if (typeof expected !== 'object' || expected === null) return [];
  if ('$snapshot' in expected) return snapshotOf(expected.$snapshot);
  const dependency = expected as Record<string, unknown>;
  const { currentValue, currentDigest, depName, packageName, depType } = dependency;
  if (isOutOfScope(dependency)) return [];
  const version =
    typeof currentValue === 'string'
      ? currentValue
      : typeof currentDigest === 'string'
        ? currentDigest
        : null;
  const names = isAsWritten || depType === 'uses-with' ? [depName] : [packageName, depName];
  const name = names.find((each) => typeof each === 'string');
  const own =
    version === null ? [] : [{ name: name === undefined ? null : (commonNames[name] ?? name), version }];
  return [...own, ...Object.values(expected).flatMap((each) => expectedOf(each, isAsWritten))];
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
