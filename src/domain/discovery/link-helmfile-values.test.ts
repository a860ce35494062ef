import { expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';

test('a version in too many environments to search is reported, and does not get its default value', () => {
  const names = Array.from({ length: 100 }, (_, at) => `env${at}`);
  const environments = names
    .map((name) => `  ${name}: { values: [${Array(100).fill('a.yaml').join(', ')}] }\n`)
    .join('');
  const releases = Array.from(
    { length: 300 },
    (_, at) => `  - { name: r${at}, chart: acme/r${at}, version: '{{ .Values | get "v" "1.2.3" }}' }\n`,
  ).join('');
  const helmfile = (text: string) =>
    `environments:\n${text}---\nrepositories: [{ name: acme, url: "https://charts.example.org" }]\nreleases:\n${releases}`;
  const versionsOf = (text: string) => {
    const { items, problems } = discoverFiles({
      'helmfile.yaml.gotmpl': helmfile(text),
      'a.yaml': 'other_version: 1.0.0\n',
    });
    return { versions: items.map(({ version }) => version), problems };
  };
  const few = versionsOf('  production: { values: [a.yaml] }\n');
  expect(new Set(few.versions)).toEqual(new Set(['1.2.3']));
  expect(few.problems).toEqual([]);
  const many = versionsOf(environments);
  expect(many.versions).toHaveLength(300);
  expect(many.versions[0]).toBe('1.2.3');
  expect(many.versions.at(-1)).toBe('{{ .Values | get "v" "1.2.3" }}');
  // Items in both files keep their version, because the scan doesn't know whether they are still there.
  const limit = { reason: 'limit', isFileRead: true };
  expect(many.problems).toMatchObject([
    { file: 'helmfile.yaml.gotmpl', ...limit },
    { file: 'a.yaml', ...limit },
  ]);
});
