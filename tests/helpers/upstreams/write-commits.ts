import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import type { TestFile } from './git-server.ts';

type Entry = Tree | { mode: string; oid: string };

interface Tree {
  entries: Map<string, Entry>;
  /** ID of the stored tree, or null if the entries have changed since the tree was stored. */
  oid: string | null;
}

/**
 * Creates a writer that adds commits to a bare repository without starting git, because starting a process
 * takes longer than writing a small commit. The objects are the same as those of `git fast-import`.
 */
export function createCommitWriter(folder: string, objectFormat: 'sha1' | 'sha256') {
  /** Trees of the commits that this writer has written, by the ID of the commit. */
  const trees = new Map<string, Tree>();

  function store(type: 'blob' | 'tree' | 'commit', content: Buffer): string {
    const object = Buffer.concat([Buffer.from(`${type} ${content.byteLength}\0`), content]);
    const oid = createHash(objectFormat).update(object).digest('hex');
    const directory = path.join(folder, 'objects', oid.slice(0, 2));
    const file = path.join(directory, oid.slice(2));
    if (!existsSync(file)) {
      mkdirSync(directory, { recursive: true });
      writeFileSync(file, deflateSync(object, { level: 1 }));
    }
    return oid;
  }

  function storeTree(tree: Tree): string {
    if (tree.oid !== null) return tree.oid;
    const entries = [...tree.entries].map(([name, entry]) => {
      const [mode, oid] = 'entries' in entry ? ['40000', storeTree(entry)] : [entry.mode, entry.oid];
      // Git sorts directories as if their names ended with a slash.
      const key = Buffer.from('entries' in entry ? `${name}/` : name);
      return { key, line: Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]) };
    });
    entries.sort((a, b) => Buffer.compare(a.key, b.key));
    return (tree.oid = store('tree', Buffer.concat(entries.map(({ line }) => line))));
  }

  function storeFile(content: TestFile): Entry {
    if (typeof content === 'string' || Buffer.isBuffer(content))
      return { mode: '100644', oid: store('blob', Buffer.from(content)) };
    if ('link' in content) return { mode: '120000', oid: store('blob', Buffer.from(content.link)) };
    return { mode: '160000', oid: content.commit };
  }

  return {
    /**
     * Commits to the branch.
     * @returns The ID of the commit, or null if this writer hasn't written the newest commit of the branch.
     */
    commit(branch: string, files: Record<string, TestFile | null>, seconds: number): string | null {
      const parent = readRef(folder, branch);
      const before = parent === null ? emptyTree() : trees.get(parent);
      if (!before) return null;
      const tree = changeTree(before, files, storeFile);
      const person = `Test <test@example.com> ${seconds} +0000`;
      const lines = [
        `tree ${storeTree(tree)}`,
        ...(parent === null ? [] : [`parent ${parent}`]),
        `author ${person}`,
        `committer ${person}`,
      ];
      const oid = store('commit', Buffer.from(`${lines.join('\n')}\n\nA change`));
      trees.set(oid, tree);
      const file = path.join(folder, branch);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `${oid}\n`);
      return oid;
    },
  };
}

/** Returns the commit of a branch or tag, or null if it doesn't exist. */
export function readRef(folder: string, ref: string): string | null {
  const file = path.join(folder, ref);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const packed = path.join(folder, 'packed-refs');
  if (!existsSync(packed)) return null;
  const line = readFileSync(packed, 'utf8')
    .split('\n')
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(' ')[0] ?? null;
}

const emptyTree = (): Tree => ({ entries: new Map(), oid: null });

/** Returns a tree with the changed files. It shares the unchanged directories with the previous tree. */
function changeTree(
  before: Tree,
  files: Record<string, TestFile | null>,
  storeFile: (content: TestFile) => Entry,
): Tree {
  const copies = new Set<Tree>();
  const copyOf = (tree: Tree | undefined): Tree => {
    if (tree && copies.has(tree)) return tree;
    const copy: Tree = { entries: new Map(tree?.entries), oid: null };
    copies.add(copy);
    return copy;
  };
  const change = (tree: Tree, [name = '', ...rest]: string[], content: TestFile | null): void => {
    if (rest.length === 0) {
      if (content === null) tree.entries.delete(name);
      else tree.entries.set(name, storeFile(content));
      return;
    }
    const inside = tree.entries.get(name);
    if (content === null && !(inside && 'entries' in inside)) return;
    const directory = copyOf(inside && 'entries' in inside ? inside : undefined);
    change(directory, rest, content);
    if (directory.entries.size === 0) tree.entries.delete(name);
    else tree.entries.set(name, directory);
  };
  const tree = copyOf(before);
  for (const [file, content] of Object.entries(files)) change(tree, file.split('/'), content);
  return tree;
}
