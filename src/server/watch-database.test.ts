import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../tests/helpers/database.ts';
import { readDatabaseIdentity } from '../platform/database/index.ts';
import { createSilentLog } from '../platform/log.ts';
import { recordDatabaseIdentity, watchDatabase } from './watch-database.ts';

const { db } = await createTestDatabase();
const log = createSilentLog();

test('a promoted or replaced database is recorded once in the audit log of each organization', async () => {
  await sql`
    WITH first AS (INSERT INTO organizations (name) VALUES ('First'), ('Second') RETURNING id)
    INSERT INTO audit_exports (organization_id, name, url_shown, header_names, last_entry_id, horizon_id, horizon_writers)
    SELECT id, 'SIEM', 'https://siem.example/…', '{}', 0, 4, '{3/17}' FROM first`.execute(db);
  await sql`DELETE FROM installation`.execute(db);
  await sql`INSERT INTO installation (secret_key_fingerprint) VALUES ('none')`.execute(db);
  const recorded = async () => {
    const { rows } = await sql<{ name: string; action: string; detail: object }>`
      SELECT resource_name AS name, action, detail FROM audit_log
      WHERE action = 'organization.database_replaced' AND organization_id > 1 ORDER BY id`.execute(db);
    return rows;
  };
  const horizons = async () => {
    const { rows } = await sql<{ horizon_id: number | null; horizon_writers: string[] | null }>`
      SELECT horizon_id, horizon_writers FROM audit_exports`.execute(db);
    return rows;
  };
  await recordDatabaseIdentity(db, '7/00000001', log);
  await recordDatabaseIdentity(db, '7/00000001', log);
  await recordDatabaseIdentity(db, null, log);
  expect(await recorded()).toEqual([]);
  expect(await horizons()).toEqual(Array(2).fill({ horizon_id: 4, horizon_writers: ['3/17'] }));
  await Promise.all([1, 2, 3].map(() => recordDatabaseIdentity(db, '7/00000002', log)));
  const entry = {
    action: 'organization.database_replaced',
    detail: { before: '7/00000001', after: '7/00000002' },
  };
  expect(await recorded()).toEqual([
    { ...entry, name: 'First' },
    { ...entry, name: 'Second' },
  ]);
  expect(await horizons()).toEqual(Array(2).fill({ horizon_id: null, horizon_writers: null }));
});

test('the identity of a database is its system identifier and its timeline', async () => {
  expect(await readDatabaseIdentity(db)).toMatch(/^\d{10,}\/[0-9A-F]{8}$/);
});

test('a server notices another database, and ignores one that is unavailable or read-only in between', async () => {
  const answers: (string | null | Error)[] = ['a/1', new Error('connection refused'), null, 'a/1', 'a/2'];
  let count = 0;
  const read = async () => {
    const answer = answers[Math.min(count++, answers.length - 1)]!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const watch = watchDatabase(read, 'a/1', 1);
  await watch.replaced;
  expect(count).toBe(answers.length);
  watch.stop();
});

test('a database that does not report its identity is not watched', async () => {
  let count = 0;
  const watch = watchDatabase(async () => `a/${count++}`, null, 1);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(count).toBe(0);
  watch.stop();
});
