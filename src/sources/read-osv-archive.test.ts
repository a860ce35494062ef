import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { osvRecord } from '../../tests/helpers/osv-records.ts';
import { zipOf } from '../../tests/helpers/zip-of.ts';
import { listOsvArchive, readOsvArchive } from './read-osv-archive.ts';

const host = 'osv.example';
const fileOf = (record: object & { id?: string }) => [`${record.id}.json`, JSON.stringify(record)] as const;

const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-archives-'));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
function fileWith(archive: Buffer): string {
  const file = path.join(folder, `${++count}.zip`);
  writeFileSync(file, archive);
  return file;
}

async function all<Item>(parts: AsyncGenerator<Item[], void, undefined>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const part of parts) items.push(...part);
  return items;
}

const list = (archive: Buffer, packages: string[]) =>
  all(listOsvArchive({ host, file: fileWith(archive), packages }));
const read = (archive: Buffer, ids: string[], maxBytes = 1_000_000) =>
  all(readOsvArchive({ host, file: fileWith(archive), ids, maxBytes }));

describe('an archive of vulnerabilities', () => {
  const records = [
    osvRecord({ id: 'BIT-1', package: 'nginx' }),
    osvRecord({ id: 'BIT-2', package: 'redis', withdrawn: '2026-11-02T00:00:00Z' }),
    osvRecord({ id: 'GO-1', package: 'k8s.io/kubernetes/v2', ecosystem: 'Go' }),
  ];
  const archive = zipOf(
    [...records.map(fileOf), ['notes.txt', 'x'], ['folder/BIT-9.json', '{}'], ['BIT-8.json', '{']],
    {
      isCompressed: true,
    },
  );

  test('lists the records of the given packages, and the records that cannot be read', async () => {
    const modified = '2026-11-01T00:00:00Z';
    expect(await list(archive, ['Bitnami/redis', 'Go/k8s.io/kubernetes', 'Bitnami/none'])).toEqual([
      { id: 'BIT-2', modified, packages: ['Bitnami/redis'] },
      { id: 'GO-1', modified, packages: ['Go/k8s.io/kubernetes'] },
      { id: 'BIT-8', modified: null, packages: [] },
    ]);
  });

  test('returns the records with the given IDs, and null for an ID without a record', async () => {
    const found = await read(archive, ['BIT-8', 'BIT-1', 'BIT-7']);
    expect(found).toMatchObject([
      { id: 'BIT-1', record: { id: 'BIT-1', affected: [{ name: 'nginx' }] } },
      { id: 'BIT-8', record: null },
      { id: 'BIT-7', record: null },
    ]);
  });

  test('stops after the given number of bytes, and then reports no ID as missing', async () => {
    expect((await read(archive, ['BIT-1', 'BIT-2', 'BIT-7'], 10)).map(({ id }) => id)).toEqual(['BIT-1']);
  });

  test.for<[string, string, boolean]>([
    ['has the ID of another one', JSON.stringify(records[1]), true],
    ['is cut', '{"id": "BIT-1", "affe', true],
    ['has no time', JSON.stringify({ ...records[0], modified: undefined }), true],
    [
      'has a name of a package that is too long',
      JSON.stringify(osvRecord({ id: 'BIT-1', package: 'x'.repeat(2_000) })),
      true,
    ],
    ['has more than 2 MB', `${JSON.stringify(records[0])}${' '.repeat(2_000_000)}`, true],
    ['affects no package', JSON.stringify({ ...records[0], affected: [] }), false],
    ['has no list of packages', JSON.stringify({ ...records[0], affected: undefined }), false],
  ])('lists a record that can affect any package, such as one that %s', async ([, text, isListed]) => {
    const found = await list(zipOf([['BIT-1.json', text]], { isCompressed: true }), ['Bitnami/redis']);
    expect(found).toEqual(isListed ? [{ id: 'BIT-1', modified: null, packages: [] }] : []);
  });

  test('ignores a record in an entry that has the name of another record', async () => {
    const renamed = zipOf([['BIT-1.json', JSON.stringify(records[1])]]);
    expect(await read(renamed, ['BIT-1'])).toEqual([{ id: 'BIT-1', record: null }]);
  });

  test('is rejected if it is truncated or not a ZIP file', async () => {
    for (const broken of [archive.subarray(0, -30), Buffer.from('<html>not found</html>'), Buffer.alloc(0)])
      await expect(list(broken, [])).rejects.toMatchObject({ code: 'invalid_index' });
  });

  test('is rejected if an entry is larger than it declares', async () => {
    const lying = zipOf([fileOf(records[0]!)], { isCompressed: true, declaredBytes: 20 });
    await expect(list(lying, ['Bitnami/nginx'])).rejects.toMatchObject({ code: 'invalid_index' });
  });

  test('is rejected if it decompresses to many times its size, and single records above 2 MB are not read', async () => {
    const large = JSON.stringify({ ...records[0], details: 'x'.repeat(1_900_000) });
    const bomb = zipOf(
      Array.from({ length: 40 }, (_, index) => [`BIT-${index}.json`, large] as const),
      { isCompressed: true },
    );
    await expect(list(bomb, ['Bitnami/nginx'])).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('60 times its size'),
    });
    const one = zipOf([['BIT-1.json', `${large}${' '.repeat(200_000)}`], fileOf(records[1]!)], {
      isCompressed: true,
    });
    expect(await list(one, ['Bitnami/nginx', 'Bitnami/redis'])).toMatchObject([
      { id: 'BIT-1', modified: null },
      { id: 'BIT-2', packages: ['Bitnami/redis'] },
    ]);
    expect(await read(one, ['BIT-1'])).toEqual([{ id: 'BIT-1', record: null }]);
  });

  test('is rejected if more than 10,000 records cannot be read', async () => {
    const many = zipOf(Array.from({ length: 10_001 }, (_, index) => [`BIT-${index}.json`, '{'] as const));
    await expect(list(many, [])).rejects.toMatchObject({
      code: 'invalid_index',
      message: expect.stringContaining('10000 records'),
    });
  });
});
