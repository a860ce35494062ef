import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../tests/helpers/database.ts';
import { databaseSchema } from './database-schema.ts';
import { databaseFiles } from './generate-database.ts';

const { db } = await createTestDatabase();

test.each(Object.entries(databaseFiles))(
  '%s matches the migrations (otherwise run `npm run generate -- database`)',
  async (file, generated) => {
    expect(readFileSync(file, 'utf8')).toBe(await generated(db));
  },
);

test.each([
  ['a column', 'ALTER TABLE feedback ADD COLUMN rating integer'],
  ['a type', 'ALTER TABLE feedback ALTER COLUMN page TYPE varchar'],
  ['a default', "ALTER TABLE feedback ALTER COLUMN page SET DEFAULT '/'"],
  ['the nullability of a column', 'ALTER TABLE feedback ALTER COLUMN message DROP NOT NULL'],
  ['a constraint', 'ALTER TABLE feedback ADD CHECK (length(message) > 2)'],
  ['an index', 'CREATE INDEX feedback_by_page ON feedback (page)'],
  ['a storage parameter', 'ALTER TABLE feedback SET (fillfactor = 50)'],
  [
    'a trigger',
    'CREATE TRIGGER more BEFORE UPDATE ON feedback FOR EACH ROW EXECUTE FUNCTION raise_revision()',
  ],
  ['a function', 'CREATE FUNCTION twice(n integer) RETURNS integer LANGUAGE sql AS $$ SELECT n * 2 $$'],
])('a migration that changes %s changes the generated schema file', async (_, change) => {
  const before = await databaseSchema(db);
  const changed = db.transaction().execute(async (tx) => {
    await sql.raw(change).execute(tx);
    expect(await databaseSchema(tx)).not.toBe(before);
    throw new Error('rolled back');
  });
  await expect(changed).rejects.toThrow('rolled back');
});
