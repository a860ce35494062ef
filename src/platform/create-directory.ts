import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a directory and its parents if they don't exist. Doesn't use the `recursive` option of `mkdir`, which never
 * returns if the file system reports ENOENT although the parent exists, as `/proc` does.
 */
export async function createDirectory(directory: string, mode: number): Promise<void> {
  try {
    await mkdir(directory, { mode });
  } catch (error) {
    const parent = path.dirname(directory);
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EEXIST':
        if (await isDirectory(directory)) return;
        throw error;
      case 'ENOENT':
        if (parent === directory || (await isDirectory(parent))) throw error;
        await createDirectory(parent, mode);
        return createDirectory(directory, mode);
      default:
        throw error;
    }
  }
}

async function isDirectory(directory: string): Promise<boolean> {
  return stat(directory).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
