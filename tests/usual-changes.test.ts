import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parsers } from '../src/domain/parsers/parsers.ts';
import { ruleTypeIds } from '../src/domain/rules/rule-types.ts';
import { sourceTypeIds } from '../src/domain/source-types/source-types.ts';
import { presetIds } from '../src/domain/templates/presets.ts';
import { jobKinds } from '../src/modules/agents/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Changes described in CONTRIBUTING.md, with the files to edit. `*` matches any part of a name. */
const changes = [
  ...read('CONTRIBUTING.md').matchAll(
    /^\*\*Add an? (?<name>[^*]+) \((?<count>\d+)\)\.\*\*(?<rest>[\s\S]*?)(?=^\*\*|^## )/gm,
  ),
].map(({ groups }) => ({
  name: groups!['name']!,
  count: Number(groups!['count']),
  files: [...groups!['rest']!.matchAll(/^\d\. `([^`]+)`/gm)].map(([, file]) => file!),
}));

/** Maximum number of files to edit for a change, without tests and generated files. */
const limits: Readonly<Record<string, number>> = {
  'release source': 5,
  'rule type': 4,
  'message preset': 3,
  parser: 8,
  'field to a scrape job': 8,
  'job kind': 4,
  page: 3,
  'environment variable': 1,
  setting: 1,
};

test('each common change lists its files and stays within its limit', () => {
  expect(changes.map(({ name }) => name)).toEqual(Object.keys(limits));
  for (const { name, count, files } of changes) {
    expect(files, name).toHaveLength(count);
    expect(count, name).toBeLessThanOrEqual(limits[name]!);
  }
});

const files = ['src', 'web/src', 'scripts', 'spec', 'migrations'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`)
    .filter(
      (file) => /\.(tsx?|yaml|sql)$/.test(file) && !/\.test\.|^src\/generated\/|schema\.sql$/.test(file),
    ),
);

function matches(pattern: string, file: string): boolean {
  const regex = pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return new RegExp(`^${regex}$`).test(file);
}

describe('files that mention every member of a list', () => {
  test.each([
    // The catalog has helpers only for the source types that it uses, so a new one doesn't require an edit.
    ['release source', sourceTypeIds, ['src/domain/catalog/catalog-entry.ts']],
    // Guided setup suggests only three rules, so a new rule type doesn't require an edit.
    ['rule type', ruleTypeIds, ['web/src/pages/set-up/ready-made-rules.ts']],
    ['message preset', presetIds, []],
    ['parser', Object.keys(parsers), []],
    ['job kind', Object.keys(jobKinds), []],
  ] as const)('are listed as files to edit for a new %s', (name, ids, others) => {
    const listed = changes.find((change) => change.name === name)!.files;
    const naming = files.filter((file) => {
      const text = read(file);
      return ids.every((id) => new RegExp(`\\b${id}\\b`).test(text));
    });
    expect(naming.length).toBeGreaterThan(1);
    expect(
      naming.filter((file) => ![...listed, ...others].some((pattern) => matches(pattern, file))),
    ).toEqual([]);
  });
});
