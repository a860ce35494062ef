import { expect, test } from 'vitest';
import type { ChangelogSection } from '../domain/notes/cut-changelog.ts';
import { readChangelog } from './read-changelog.ts';

async function read(text: string) {
  const bytes = Buffer.from(text);
  async function* body() {
    // The chunk size is odd, so chunks also split multibyte characters.
    for (let at = 0; at < bytes.byteLength; at += 65_537) yield bytes.subarray(at, at + 65_537);
  }
  const parts: ChangelogSection[][] = [];
  for await (const part of readChangelog({ scheme: 'auto', platformWords: '' }, body())) parts.push(part);
  return { parts, sections: parts.flat() };
}

test('a changelog is read as sections, and empty sections are skipped', async () => {
  const { sections } = await read('# Changes\n\n## 1.2.0\n- zwölf\u0000\n\n## 1.1.0\n\n## v1.0.0\n- Start\n');
  expect(sections).toEqual([
    { version: '1.2.0', notes: '- zwölf' },
    { version: 'v1.0.0', notes: '- Start' },
  ]);
});

test('a long changelog is read up to 1,000 sections, 64 KiB per section, and 1 MiB in total', async () => {
  const many = Array.from({ length: 1_200 }, (_, index) => `## 1.${1_200 - index}.0\n- Change\n`).join('\n');
  const short = (await read(many)).sections;
  expect([short.length, short[0]?.version]).toEqual([1_000, '1.1200.0']);

  const large = Array.from(
    { length: 30 },
    (_, index) => `## 1.${30 - index}.0\n${'é'.repeat(50_000)}\n`,
  ).join('\n');
  const { sections, parts } = await read(large);
  expect(sections).toHaveLength(16);
  expect(sections.every(({ notes }) => Buffer.byteLength(notes) === 65_536)).toBe(true);
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThanOrEqual(1024 * 1024);
});
