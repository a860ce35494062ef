import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

const migrations = path.join(import.meta.dirname, '../../migrations');

/**
 * Returns a directory with the migrations of an earlier version: all migrations before a number, such as
 * `0015`.
 */
export function migrationsBefore(number: string): string {
  const folder = temporaryFolder();
  for (const name of readdirSync(migrations).filter((file) => file < number))
    copyFileSync(path.join(migrations, name), path.join(folder, name));
  return folder;
}
