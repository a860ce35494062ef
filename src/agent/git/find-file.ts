import { RunError } from '../../domain/runs/run-error.ts';
import type { ObjectReader } from './object-reader.ts';

/** Result of resolving a path in the tree of a commit. */
export type FoundFile =
  | { kind: 'file'; oid: string }
  /** The path contains a symbolic link whose target must be fetched first. */
  | { kind: 'needs'; oid: string };

/** Maximum number of symbolic links in the path of one file. The kernel allows 40. */
const maxLinks = 10;
/** Maximum size of a tree, enough for about 100,000 entries in one directory. */
const maxTreeBytes = 4 * 1024 * 1024;
/** Maximum size of the cached trees, enough for the directories of a thousand files. */
const maxKeptBytes = 8 * 1024 * 1024;
/**
 * Memory use of an entry in addition to its directory data, in bytes. Measured: up to 100 bytes for a short
 * name.
 */
const bytesOfEntry = 100;
const maxLinkBytes = 4_096;

interface TreeEntry {
  mode: string;
  oid: string;
}

/**
 * Data of a directory and the offset of each entry. A JavaScript object for each entry would use five times the memory.
 */
interface Tree {
  content: Buffer;
  starts: ReadonlyMap<string, number>;
}

/**
 * Finds files in trees that are already in the repository. Symbolic links are resolved here, only within the
 * tree, and no file is ever written. Directories are cached for the next files, so that concurrent searches
 * read each of them only once.
 */
export function createFileFinder(objects: ObjectReader) {
  const trees = new Map<string, Tree>();
  /** Trees that are being read, shared by all files that require them. */
  const reading = new Map<string, Promise<Tree>>();
  let keptBytes = 0;

  function treeOf(oid: string): Tree | Promise<Tree> {
    const known = trees.get(oid) ?? reading.get(oid);
    if (known) return known;
    const read = readTree(oid).finally(() => reading.delete(oid));
    reading.set(oid, read);
    return read;
  }

  async function readTree(oid: string): Promise<Tree> {
    const object = await objects.read(oid, maxTreeBytes);
    if (!object || object.type !== 'tree')
      throw new RunError('invalid_index', 'The repository data is corrupt: a directory is missing.');
    if (!object.content) throw new RunError('too_large', 'A directory in the path has too many entries.');
    const tree = parseTree(object.content, oid.length / 2);
    const bytes = object.size + tree.starts.size * bytesOfEntry;
    if (keptBytes + bytes > maxKeptBytes) {
      trees.clear();
      keptBytes = 0;
    }
    keptBytes += bytes;
    trees.set(oid, tree);
    return tree;
  }

  /**
   * @param rootTree Tree of the commit.
   * @param file Path that `checkTargetFile` accepted.
   * @throws RunError if the path isn't a regular file of the repository
   */
  return async function findFile(rootTree: string, file: string): Promise<FoundFile> {
    let left = file.split('/');
    /** Trees of the directories on the path, starting at the root. */
    let folders: string[] = [rootTree];
    let links = 0;
    for (;;) {
      const name = left.shift();
      const isLast = left.length === 0;
      if (name === undefined) throw refused(file, 'it is a directory');
      if (name === '' || name === '.') {
        if (isLast) throw refused(file, 'it is a directory');
        continue;
      }
      if (name === '..') {
        if (folders.length === 1) throw refused(file, 'a symlink points outside the repository');
        folders = folders.slice(0, -1);
        if (isLast) throw refused(file, 'it is a directory');
        continue;
      }
      const tree = await treeOf(folders.at(-1) ?? rootTree);
      const entry = findEntry(tree, name, rootTree.length / 2);
      if (!entry)
        throw new RunError(
          'file_not_found',
          `File ${file} not found in the repository${links > 0 ? ' (broken symlink)' : ''}.`,
        );
      switch (entry.mode) {
        case '40000':
          folders.push(entry.oid);
          if (isLast) throw refused(file, 'it is a directory');
          break;
        case '120000': {
          links += 1;
          if (links > maxLinks) throw refused(file, `it has more than ${maxLinks} nested symlinks`);
          const link = await objects.read(entry.oid, maxLinkBytes);
          if (!link) return { kind: 'needs', oid: entry.oid };
          const target = link.content?.toString('utf8') ?? '';
          if (target === '' || target.includes('\0'))
            throw refused(file, "a symlink in the path can't be read");
          if (target.startsWith('/')) throw refused(file, 'a symlink points outside the repository');
          left = [...target.split('/'), ...left];
          break;
        }
        case '160000':
          throw refused(file, "it is in a submodule. Use the submodule's repository URL");
        default:
          if (!isLast)
            throw new RunError(
              'file_not_found',
              `File ${file} not found in the repository: part of the path is a file.`,
            );
          return { kind: 'file', oid: entry.oid };
      }
    }
  };
}

function refused(file: string, why: string): RunError {
  return new RunError('file_refused', `Can't read ${file}: ${why}.`);
}

/** Parses a tree in the format `mode name\0oid`, repeated. Names are kept as raw bytes. */
function parseTree(content: Buffer, oidBytes: number): Tree {
  const starts = new Map<string, number>();
  for (let at = 0; at < content.byteLength; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    if (space < 0 || end < 0) break;
    starts.set(content.toString('latin1', space + 1, end), at);
    at = end + 1 + oidBytes;
  }
  return { content, starts };
}

function findEntry({ content, starts }: Tree, name: string, oidBytes: number): TreeEntry | undefined {
  const at = starts.get(Buffer.from(name, 'utf8').toString('latin1'));
  if (at === undefined) return undefined;
  const space = content.indexOf(0x20, at);
  const end = content.indexOf(0, space);
  return {
    mode: content.toString('latin1', at, space).replace(/^0+/u, ''),
    oid: content.toString('hex', end + 1, end + 1 + oidBytes),
  };
}
