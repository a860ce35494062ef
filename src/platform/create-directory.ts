import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a directory and its parents if they don't exist, also while other calls create the same parents. Doesn't use
 * the `recursive` option of `mkdir`, which never returns if the file system reports ENOENT although the parent exists,
 * as `/proc` does.
 */
export async function createDirectory(directory: string, mode: number): Promise<void> {
  try {
    await createLastPart(directory, mode);
  } catch (error) {
    const parent = path.dirname(directory);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === directory) throw error;
    await createDirectory(parent, mode);
    await createLastPart(directory, mode);
  }
}

async function createLastPart(directory: string, mode: number): Promise<void> {
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isDirectory(directory))) throw error;
  }
}

async function isDirectory(directory: string): Promise<boolean> {
  return stat(directory).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
