import { maxDepth } from '../parsers/content-limits.ts';
import type { DocumentTree } from '../parsers/document-tree.ts';
import { textAt } from './read-documents.ts';
import { maxVisitedValues } from './scan-limits.ts';

/** Characters of a key within a path, and of a path. A file of 500 KiB can have thousands of paths of 20 KiB. */
const maxNameLength = 200;
const maxFieldLength = 1_000;

/** A value with the path of names that leads to it: `spec.containers[web].image`. */
export interface Visited {
  node: DocumentTree;
  field: string;
  /** The key under which it is; of a list entry, the key of the list. */
  key: string;
}

/**
 * Visits every value in the order of the text. What `visit` returns false for isn't entered. The number of visits is
 * limited, because aliases can repeat values without end.
 *
 * @returns false if the limit was reached
 */
export function walkTree(root: DocumentTree, visit: (visited: Visited) => boolean): boolean {
  let left = maxVisitedValues;
  const enter = (visited: Visited, depth: number): boolean => {
    if (left-- <= 0 || depth > maxDepth) return false;
    if (!visit(visited)) return true;
    const { node, field, key } = visited;
    if (node.kind === 'map') {
      for (const [written, value] of node.entries()) {
        const name = written.slice(0, maxNameLength);
        const path = field === '' ? name : `${field}.${name}`;
        if (!enter({ node: value, field: cut(path), key: name }, depth + 1)) return false;
      }
    } else if (node.kind === 'list') {
      for (let index = 0; index < node.length; index++) {
        const value = node.at(index);
        if (!value) continue;
        const path = `${field}[${entryName(value, index)}]`;
        if (!enter({ node: value, field: cut(path), key }, depth + 1)) return false;
      }
    }
    return true;
  };
  return enter({ node: root, field: '', key: '' }, 0);
}

/** The end of a long path, which tells its values apart. */
function cut(path: string): string {
  return path.length > maxFieldLength ? path.slice(-maxFieldLength) : path;
}

/** Named entries keep their path when others are added above them. */
export function entryName(entry: DocumentTree, index: number): string {
  return (textAt(entry, 'name') ?? textAt(entry, 'id') ?? String(index)).slice(0, maxNameLength);
}
