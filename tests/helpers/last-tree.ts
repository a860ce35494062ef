import { readFileSync } from 'node:fs';
import { testDataPath } from './test-data.ts';

/** Returns the files of a repository from the test data, as of its last recorded commit. */
export function filesAtLastCommit(name: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const [, ...lines] = readFileSync(testDataPath(`gitops/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  for (const line of lines) {
    const { files }: { files: Record<string, string | null> } = JSON.parse(line);
    for (const [path, text] of Object.entries(files)) {
      if (text === null) delete tree[path];
      else tree[path] = text;
    }
  }
  return tree;
}
