import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../tests/helpers/database.ts';
import { readRealProducts, writeLifecycleFile } from '../../../tests/helpers/lifecycle-files.ts';
import { osvRecord, writeOsvFile } from '../../../tests/helpers/osv-records.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { zipOf } from '../../../tests/helpers/zip-of.ts';
import { packageKey } from '../../domain/vulnerabilities/osv-package.ts';
import { createCommandWorld } from './command-fixture.ts';

const { db, run } = await createCommandWorld();
const { rows: clock } = await sql<{ now: Date }>`SELECT pacekeeper_now() AS now`.execute(db);
const now = clock[0]!.now;
await setClockOffset(db, `${Date.parse('2026-11-20T12:00:00Z') - now.getTime()} milliseconds`);

const load = (file: string) => run('load-reference', 'end_of_life', file);
const go = {
  product: 'go',
  title: 'Go',
  identifiers: [],
  releases: [{ releaseCycle: '1.22', eol: '2025-02-11' }],
};
const php = { ...go, product: 'php', title: 'PHP' };

describe('loading lifecycles from a file', () => {
  test('replaces the stored data, and writes only products that changed', async () => {
    const first = await load(writeLifecycleFile([go, php], '2026-11-01T00:00:00Z'));
    expect(first).toEqual({
      code: 0,
      stdout: 'Loaded 2 products with 2 release lines, as of 2026-11-01T00:00:00.000Z. 2 changed.\n',
      stderr: '',
    });
    const versions = () => sql`SELECT name, xmin::text FROM lifecycle_products ORDER BY name`.execute(db);
    const { rows: before } = await versions();
    const releases = [{ releaseCycle: '8.5', eol: false }, ...go.releases];
    const changed = await load(writeLifecycleFile([go, { ...php, releases }], '2026-11-02T00:00:00Z'));
    expect(changed.stdout).toContain('2 products with 3 release lines');
    expect(changed.stdout).toContain(' 1 changed.');
    const { rows: after } = await versions();
    expect([after[0], after[1]]).toEqual([before[0], { name: 'php', xmin: expect.not.stringMatching(/^$/) }]);
    expect(after[1]).not.toEqual(before[1]);
    const without = await load(writeLifecycleFile([go], '2026-11-03T00:00:00Z'));
    expect(without.stdout).toContain(' 1 changed.');
    const { rows: lines } = await sql`SELECT product_name, name, end_of_life FROM lifecycle_releases`.execute(
      db,
    );
    expect(lines).toEqual([{ product_name: 'go', name: '1.22', end_of_life: '2025-02-11' }]);
  });

  test('rejects older, future, and invalid data, and changes nothing', async () => {
    await load(writeLifecycleFile([go], '2026-11-10T00:00:00Z'));
    const other = path.join(temporaryFolder(), 'other.json');
    writeFileSync(other, '{"result": [');
    for (const [file, message] of [
      [
        writeLifecycleFile([php], '2026-11-09T00:00:00Z'),
        'the stored data is newer: 2026-11-10T00:00:00.000Z',
      ],
      [writeLifecycleFile([php], '2026-11-22T00:00:00Z'), 'in the future'],
      [other, "it isn't complete JSON"],
      [path.join(temporaryFolder(), 'none.json'), "can't read"],
    ] as const) {
      const { code, stderr } = await load(file);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    }
    expect((await run('load-reference', 'end_of_live', other)).code).toBe(2);
    const { rows } = await sql`SELECT name FROM lifecycle_products`.execute(db);
    expect(rows).toEqual([{ name: 'go' }]);
  });

  test.skipIf(!hasTestData)('loads all real products, which take less than 30 MB', async () => {
    const { code, stdout } = await load(writeLifecycleFile(readRealProducts(), '2026-11-20T00:00:00Z'));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^Loaded 463 products with 8333 release lines/),
    });
    const { rows } = await sql<{ bytes: number }>`
      SELECT (pg_total_relation_size('lifecycle_products') + pg_total_relation_size('lifecycle_releases'))::float8
        AS bytes`.execute(db);
    console.log(`lifecycles in the database: ${(rows[0]!.bytes / 1e6).toFixed(1)} MB`);
    expect(rows[0]!.bytes).toBeLessThan(30_000_000);
  });
});

const loadOsv = (file: string, ...options: string[]) =>
  run('load-reference', 'vulnerabilities', file, ...options);

describe('loading vulnerabilities from a file', () => {
  const nginx = osvRecord({ id: 'BIT-1', package: 'nginx', severity: 'High' });
  const ids = async () =>
    (
      await sql<{
        id: string;
      }>`SELECT package_key || ' ' || id AS id FROM vulnerabilities ORDER BY 1`.execute(db)
    ).rows.map(({ id }) => id);

  test('keeps only records of followed packages, and replaces the stored records of the same ecosystem', async () => {
    const others = [
      osvRecord({ id: 'BIT-2', package: 'not-tracked' }),
      osvRecord({ id: 'BIT-\u00003', package: 'redis' }),
      { source: 'a header' },
    ];
    expect(await loadOsv(writeOsvFile([nginx, ...others]))).toEqual({
      code: 0,
      stdout: 'Loaded 2 of 3 records, of 2 packages, as of 2026-11-01T00:00:00.000Z. 2 packages changed.\n',
      stderr: '',
    });
    const go = osvRecord({ id: 'GO-1', package: 'github.com/helm/Helm', ecosystem: 'Go' });
    const kubernetes = osvRecord({ id: 'GO-2', package: 'k8s.io/kubernetes', ecosystem: 'Go' });
    expect((await loadOsv(writeOsvFile([go, kubernetes]))).stdout).toContain('Loaded 1 of 2 records');
    expect(await ids()).toEqual(['Bitnami/nginx BIT-1', 'Bitnami/redis BIT-3', 'Go/k8s.io/kubernetes GO-2']);
    const none = await loadOsv(
      writeOsvFile([osvRecord({ id: 'PY-1', package: 'elsewhere', ecosystem: 'PyPI' })]),
    );
    expect(none.stdout).toContain('Loaded 0 of 1 record,');
    expect(none.stdout).toContain('Check vulnerability_packages of your gather jobs.');
    const stored = () => sql`SELECT id, xmin::text FROM vulnerabilities ORDER BY id`.execute(db);
    const { rows: before } = await stored();
    expect((await loadOsv(writeOsvFile([nginx]), '--as-of', '2026-11-05')).stdout).toContain(
      'as of 2026-11-05T00:00:00.000Z. 1 package changed.',
    );
    expect((await stored()).rows).toEqual(before.filter((row) => (row as { id: string }).id !== 'BIT-3'));
  });

  test('counts a record once, regardless of the number of followed packages that it affects', async () => {
    const records = [nginx, osvRecord({ id: 'BIT-1', package: 'redis' })] as { affected: object[] }[];
    const both = { ...records[0]!, affected: records.flatMap(({ affected }) => affected) };
    expect((await loadOsv(writeOsvFile([both]), '--as-of', '2026-11-05')).stdout).toMatch(
      /^Loaded 1 of 1 record, of 2 packages,/,
    );
    expect(await ids()).toEqual(expect.arrayContaining(['Bitnami/nginx BIT-1', 'Bitnami/redis BIT-1']));
    await loadOsv(writeOsvFile([nginx]), '--as-of', '2026-11-05');
  });

  test.each(['end_of_life', 'vulnerabilities'])(
    'reports a missing file of %s, or a directory, with a remedy',
    async (source) => {
      const file = path.join(temporaryFolder(), 'none.zip');
      expect(await run('load-reference', source, file)).toMatchObject({
        code: 1,
        stderr: `pacekeeper admin load-reference: can't read ${file}: file not found. Check the path.\n`,
      });
      const directory = path.dirname(file);
      expect(await run('load-reference', source, directory)).toMatchObject({
        code: 1,
        stderr: `pacekeeper admin load-reference: can't read ${directory}: it's a directory. Specify a file.\n`,
      });
    },
  );

  test('rejects older, future, and invalid data, and changes nothing', async () => {
    const before = await ids();
    const redis = { package: 'redis' };
    const mixed = [nginx, osvRecord({ id: 'GO-1', package: 'k8s.io/kubernetes', ecosystem: 'Go' })];
    for (const [records, message] of [
      [[osvRecord({ id: 'BIT-9', ...redis })], 'the stored data is newer: 2026-11-05T00:00:00.000Z'],
      [[osvRecord({ id: 'BIT-9', ...redis, modified: '2026-11-23T00:00:00Z' })], 'in the future'],
      [[{ id: 'BIT-9' }], 'it has no OSV records'],
      [mixed, 'different ecosystems'],
    ] as const) {
      const { code, stderr } = await loadOsv(writeOsvFile(records));
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(message) });
    }
    expect(await loadOsv(path.join(temporaryFolder(), 'none.zip'))).toMatchObject({ code: 1 });
    expect(await loadOsv(writeOsvFile([nginx]), '--as-of', 'soon')).toMatchObject({ code: 2 });
    expect(await ids()).toEqual(before);
  });

  test('reads the ZIP files of OSV, and rejects a truncated one', async () => {
    const zip = path.join(temporaryFolder(), 'all.zip');
    writeFileSync(
      zip,
      zipOf([
        ['BIT-7.json', JSON.stringify(osvRecord({ id: 'BIT-7' }))],
        ['notes.txt', 'x'],
      ]),
    );
    expect((await loadOsv(zip, '--as-of', '2026-11-10')).stdout).toContain('Loaded 1 of 1 record,');
    expect(await ids()).toContain('Bitnami/nginx BIT-7');
    writeFileSync(zip, zipOf([['BIT-8.json', '{}']]).subarray(0, 40));
    expect(await loadOsv(zip)).toMatchObject({ code: 1, stderr: expect.stringContaining("can't read") });
  });

  test.skipIf(!hasTestData)('loads all real records of two sources, which take less than 30 MB', async () => {
    // Every package in the test data is followed.
    const names = new Set<string>();
    for (const file of ['osv-bitnami', 'osv-go'])
      for (const line of readFileSync(testDataPath(`vulnerabilities/${file}.jsonl`), 'utf8')
        .split('\n')
        .slice(1))
        for (const { package: each } of line === '' ? [] : JSON.parse(line).affected)
          names.add(packageKey(each));
    await sql`
      INSERT INTO gather_jobs (organization_id, name, source_type, artifact_name, version_scheme, vulnerability_packages)
      SELECT 1, 'All', 'github_releases', 'github.com/example/' || number, 'auto', ARRAY[key]
      FROM unnest(${[...names]}::text[]) WITH ORDINALITY AS given (key, number)`.execute(db);
    const startMs = performance.now();
    const counts = [];
    for (const file of ['osv-bitnami', 'osv-go'])
      counts.push(
        (await loadOsv(testDataPath(`vulnerabilities/${file}.jsonl`), '--as-of', '2026-11-20', '--confirm'))
          .stdout,
      );
    expect(counts).toEqual([
      expect.stringMatching(/^Loaded 7444 of 7444 records, of 177 packages/),
      expect.stringMatching(/^Loaded \d+ of 4291 records/),
    ]);
    const { rows } = await sql<{ bytes: number }>`
      SELECT (pg_total_relation_size('vulnerabilities') + pg_total_relation_size('vulnerability_packages'))::float8
        AS bytes`.execute(db);
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
    console.log(
      `all real records: ${seconds} s, ${(rows[0]!.bytes / 1e6).toFixed(1)} MB; ${counts.join('')}`,
    );
    expect(rows[0]!.bytes).toBeLessThan(30_000_000);
  });
});
