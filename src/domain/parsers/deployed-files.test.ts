import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { parseContent } from './parse-content.ts';
import type { ParserType } from './version-parser.ts';

/**
 * Expressions that a user would write, one for each manager and field. Each file is parsed with the
 * expressions of its manager, in this order, until one of them finds a version.
 */
const expressions: [manager: string, parserType: ParserType, expression: string][] = [
  ['argocd', 'yq', '.spec.source.targetRevision'],
  ['argocd', 'yq', '.spec.template.spec.source.targetRevision'],
  ['flux', 'yq', '.spec.chart.spec.version'],
  ['flux', 'yq', '.spec.ref.tag'],
  ['flux', 'yq', '.spec.ref.branch'],
  ['flux', 'yq', '.spec.version'],
  ['helm-values', 'yq', '.spec.values.controller.image.tag'],
  ['helmfile', 'yq', '.releases[0].version'],
  ['helmfile', 'regex', '(?m)^ +version: (\\d\\S*)$'],
  ['kustomize', 'jq', '.newTag'],
  ['kustomize', 'jq', '.version'],
  ['kustomize', 'yq', '.images[0].newTag'],
  ['kustomize', 'regex', '[?&](?:ref|version)=([^&\\s]+)'],
  ['dockerfile', 'regex', '(?m)^FROM\\s[\\s\\\\]*[^\\s:@]+:(\\w[\\w.-]*)'],
  ['dockerfile', 'regex', '(?m)^COPY --from=[^\\s:@]+:(\\w[\\w.-]*)'],
  ['dockerfile', 'regex', '(?m)^ARG\\s+\\w+="?([\\w.-]+)'],
  ['dockerfile', 'regex', '^[^\\s:@]+:(\\w[\\w.-]*)$'],
  ['docker-compose', 'regex', '(?m)^ *image: [^\\s:@]+:(\\w[\\w.-]*)'],
  ['kubernetes', 'regex', '(?m)^[ -]*(?:image|reference): [^\\s:@]+:(\\w[\\w.-]*)'],
  ['terraform', 'regex', '[?&]ref=([^&"\\s]+)'],
  ['terraform', 'regex', '(?m)^ *(?:required_|terraform_)?version *= "([^"]+)"'],
  ['terraform', 'regex', '(?m)^ *name *= "[^":]+:([^"]+)"'],
  ['asdf', 'regex', '(?m)^\\S+ (?:[a-z]+-)?(\\d[^\\s-]*)'],
  ['github-actions', 'regex', '@(v\\d[\\w.]*)'],
  ['github-actions', 'regex', '# .*(v\\d[\\w.]*)'],
  ['gomod', 'regex', '(?m)^require \\S+ (v\\S+)'],
];

interface Row {
  manager: string;
  matcher: string;
  not?: boolean;
  input: unknown[];
  expected: unknown;
}

describe.skipIf(!hasTestData)('real deployment files', () => {
  const rows = hasTestData ? readRows() : [];

  test('one expression per kind of file finds an expected version in at least 80 % of the files', () => {
    // Use each row that expects a version and whose input is text or an object (parsed as JSON). The
    // remaining rows test the number of versions or other properties. If a row expects several versions, any
    // of them is correct.
    const counted = rows.filter(
      (row) => !row.not && expectedVersions(row.expected).length > 0 && contentOf(row) !== null,
    );
    const missed = counted.filter((row) => !expectedVersions(row.expected).includes(firstVersion(row) ?? ''));
    process.stdout.write(
      `${counted.length - missed.length} of ${counted.length} rows right, by ${expressions.length} expressions\n`,
    );
    expect(expressions.length).toBeLessThanOrEqual(30);
    expect(counted.length).toBeGreaterThan(100);
    expect((counted.length - missed.length) / counted.length).toBeGreaterThanOrEqual(0.8);
  });

  test('a file without a version gets an error that states the step and the content found there', () => {
    const empty = rows.filter((row) => !row.not && row.matcher === 'toBeNull' && contentOf(row) !== null);
    const results = empty.flatMap((row) =>
      expressionsOf(row.manager).map(([parserType, expression]) => parse(row, parserType, expression)),
    );
    const errors = results.filter((result) => !result.ok);
    // The remaining files do contain a value. The test data comes from a tool that skips these files for unrelated
    // reasons.
    process.stdout.write(
      `${errors.length} of ${results.length} expressions find nothing in ${empty.length} files\n`,
    );
    expect(empty.length).toBeGreaterThan(20);
    expect(errors.length / results.length).toBeGreaterThanOrEqual(0.9);
    for (const { step, message } of errors) {
      expect(step).toMatch(/^(\.|content$|match$)/);
      expect(message).toMatch(
        /found|isn't valid YAML: line|isn't valid JSON: |is empty|doesn't match|not found|expected a version/,
      );
    }
  });
});

function firstVersion(row: Row): string | undefined {
  for (const [parserType, expression] of expressionsOf(row.manager)) {
    const result = parse(row, parserType, expression);
    if (result.ok) return result.version;
  }
  return undefined;
}

function parse(row: Row, parserType: ParserType, expression: string) {
  return parseContent({ parserType, expression, transform: 'none', content: contentOf(row) ?? '' });
}

function expressionsOf(manager: string): [ParserType, string][] {
  return expressions
    .filter((entry) => entry[0] === manager)
    .map(([, parserType, expression]) => [parserType, expression]);
}

function contentOf({ input: [content] }: Row): string | null {
  if (typeof content === 'string') return content;
  return typeof content === 'object' && content !== null ? JSON.stringify(content) : null;
}

/** Returns every `currentValue` in the expected result of a row, at any depth. */
function expectedVersions(expected: unknown): string[] {
  if (typeof expected !== 'object' || expected === null) return [];
  return Object.entries(expected).flatMap(([key, value]: [string, unknown]) =>
    key === 'currentValue' && typeof value === 'string' ? [value] : expectedVersions(value),
  );
}

function readRows(): Row[] {
  const file: { cases: Row[] } = JSON.parse(
    readFileSync(testDataPath('deployed-files/expectations.json'), 'utf8'),
  );
  return file.cases;
}
