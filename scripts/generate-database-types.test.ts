import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../tests/helpers/database.ts';
import { databaseTypes, databaseTypesFile } from './generate-database-types.ts';

test('src/generated/database.ts matches migrations/ (otherwise run scripts/generate-database-types.ts)', async () => {
  const { db } = await createTestDatabase();
  expect(readFileSync(databaseTypesFile, 'utf8')).toBe(await databaseTypes(db));
});
