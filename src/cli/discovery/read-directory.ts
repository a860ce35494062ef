import { lstat, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { decodeText } from '../../domain/discovery/decode-text.ts';
import { matchesPath, type PathPattern } from '../../domain/discovery/path-pattern.ts';
import { maxFileBytes } from '../../domain/discovery/scan-limits.ts';
import { usageError } from '../cli-error.ts';

/**
 * True if the directory contains all files of a Git repository. Without `.git`, it can be a part of one, such as an
 * unpacked archive of a subdirectory. A sparse checkout contains only some of the files.
 */
export async function isWholeCheckout(directory: string): Promise<boolean> {
  const exists = async (name: string) =>
    (await lstat(path.join(directory, '.git', name)).catch(() => null)) !== null;
  return (await exists('')) && !(await exists('info/sparse-checkout'));
}

/** Files and symbolic links of a directory, including its subdirectories. */
export interface DirectoryListing {
  /** Sorted paths relative to the directory, with slashes. */
  paths: string[];
  symbolicLinks: string[];
  /** Directories that the patterns exclude. */
  excluded: string[];
  /** Directories that can't be listed because of missing permissions or names that aren't UTF-8. */
  unreadable: string[];
}

/** Maximum number of listed files. The largest public repositories have about this many. */
const maxFiles = 500_000;

/** Lists a directory. Symbolic links aren't followed, so that no file outside the directory is read. */
export async function listDirectory(
  root: string,
  excludes: readonly PathPattern[],
): Promise<DirectoryListing> {
  const stat = await lstat(root).catch(() => null);
  if (!stat) throw usageError(`Can't read ${root}: directory not found.`);
  const listing: DirectoryListing = { paths: [], symbolicLinks: [], excluded: [], unreadable: [] };
  const waiting = [''];
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    const entries = await readdir(path.join(root, directory), { withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (directory === '' && error.code === 'ENOTDIR') throw usageError(`${root} isn't a directory.`);
        if (directory === '') throw usageError(`Can't read ${root}: ${error.message}`);
        return null;
      },
    );
    if (!entries) {
      listing.unreadable.push(directory);
      continue;
    }
    for (const entry of entries) {
      const relative = directory === '' ? entry.name : `${directory}/${entry.name}`;
      if (entry.isSymbolicLink()) listing.symbolicLinks.push(relative);
      else if (entry.isDirectory()) {
        if (excludes.some((pattern) => matchesPath(pattern, relative))) listing.excluded.push(relative);
        else waiting.push(relative);
      } else if (entry.isFile()) listing.paths.push(relative);
      if (listing.paths.length > maxFiles)
        throw usageError(`${root} has more than ${maxFiles} files. Scan a directory below it.`);
    }
  }
  for (const list of Object.values(listing) as string[][]) list.sort();
  return listing;
}

/**
 * Reads a file.
 * @returns The text, or the reason why the file can't be read.
 */
export async function readScannedFile(
  root: string,
  relative: string,
  maxBytes = maxFileBytes,
): Promise<{ text: string } | { problem: 'too_large' | 'unreadable'; message: string }> {
  const file = await open(path.join(root, relative)).catch((error: NodeJS.ErrnoException) => error);
  if (file instanceof Error) return { problem: 'unreadable', message: file.message };
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      return { problem: 'too_large', message: `The file has ${size} bytes (limit ${maxBytes}).` };
    const text = decodeText(await file.readFile());
    return text === null ? { problem: 'unreadable', message: "The file isn't UTF-8 text." } : { text };
  } catch (error) {
    return { problem: 'unreadable', message: error instanceof Error ? error.message : '' };
  } finally {
    await file.close();
  }
}
