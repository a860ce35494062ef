import { afterAll, beforeEach, expect, test } from 'vitest';
import type { ParseContentInput } from '../domain/parsers/parse-content.ts';
import { createSandbox, type Sandbox } from '../platform/sandbox/index.ts';
import { createFileParser } from './parse-files.ts';

const real = createSandbox({ workers: 1, deadlineMs: 1_000, maxHeapMb: 256, queueLimit: 1_000 });
afterAll(() => real.close());

/** Batches of files that the sandbox received, each with its fair key (the organization). */
const jobs: { files: ParseContentInput[]; fairKey: string | undefined }[] = [];
beforeEach(() => void jobs.splice(0));
const sandbox: Sandbox = {
  ...real,
  run(moduleUrl, exportName, input, options) {
    jobs.push({ files: input as ParseContentInput[], fairKey: options?.fairKey });
    return real.run(moduleUrl, exportName, input, options);
  },
};
const parseFile = createFileParser(sandbox);

const file = (content: string, expression = '.tag'): ParseContentInput => ({
  parserType: 'yq',
  expression,
  transform: 'none',
  content,
});
const found = (version: string) => ({ ok: true, version, rawVersion: version });

test('files submitted at the same time are parsed in batches, with separate batches per organization', async () => {
  const results = await Promise.all(
    Array.from({ length: 300 }, (_, index) => parseFile(file(`tag: 1.${index}.0`), String(index % 2))),
  );
  expect(results).toEqual(Array.from({ length: 300 }, (_, index) => found(`1.${index}.0`)));
  expect(jobs.length).toBeLessThan(20);
  for (const { files, fairKey } of jobs) {
    const owners = files.map(({ content }) => String(Number(content.split('.')[1]) % 2));
    expect(new Set(owners)).toEqual(new Set([fairKey]));
  }
});

test('a file without a version fails, and the other files of its batch return their versions', async () => {
  const [first, none, last] = await Promise.all([
    parseFile(file('tag: 1.0.0'), 'a'),
    parseFile(file('tag: 1.0.0', '.other'), 'a'),
    parseFile(file('tag: 2.0.0'), 'a'),
  ]);
  expect([first, last]).toEqual([found('1.0.0'), found('2.0.0')]);
  expect(none).toMatchObject({ ok: false });
});

test('a file that exceeds the deadline fails, and the other files of its batch are parsed', async () => {
  const slow: ParseContentInput = {
    ...file('a'.repeat(2e5)),
    parserType: 'regex',
    expression: '(.{1,1000})[cx]',
  };
  const results = await Promise.allSettled([
    ...[1, 2, 3].map((index) => parseFile(file(`tag: 1.${index}.0`), 'a')),
    parseFile(slow, 'a'),
    ...[4, 5, 6].map((index) => parseFile(file(`tag: 1.${index}.0`), 'a')),
  ]);
  expect(jobs[0]!.files).toHaveLength(7);
  const outcomes = results.map((result) =>
    result.status === 'fulfilled' ? result.value.ok && result.value.version : result.reason.code,
  );
  expect(outcomes).toEqual(['1.1.0', '1.2.0', '1.3.0', 'parse_failed', '1.4.0', '1.5.0', '1.6.0']);
});

test('large files are parsed one at a time', async () => {
  const large = file(`tag: 1.0.0\nrest: ${'x'.repeat(200_000)}`);
  await Promise.all([1, 2, 3].map(() => parseFile(large, 'a')));
  expect(jobs.map(({ files }) => files.length)).toEqual([1, 1, 1]);
});
