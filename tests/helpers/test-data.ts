import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Real data of public projects, kept outside of the repository. Tests that need it are skipped without it. */
const testDataFolder =
  process.env['PACEKEEPER_TEST_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

export const hasTestData = existsSync(testDataFolder);

/** The absolute path of a file of the test data, such as `lag/semver-lag-oracle.json`. */
export function testDataPath(relativePath: string): string {
  return path.join(testDataFolder, relativePath);
}
