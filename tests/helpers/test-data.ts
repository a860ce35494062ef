import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Directory with real data of public projects, stored outside the repository. Tests that require the data are
 * skipped if it is missing.
 */
const testDataFolder =
  process.env['PACEKEEPER_TEST_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

export const hasTestData = existsSync(testDataFolder);

/** Returns the absolute path of a test data file, such as `lag/semver-lag-oracle.json`. */
export function testDataPath(relativePath: string): string {
  return path.join(testDataFolder, relativePath);
}
