import { expect, test } from 'vitest';
import type { GitSession } from './git-session.ts';
import { readFiles } from './read-files.ts';

const commitOid = '1'.repeat(40);
const treeOid = '2'.repeat(40);
const fileOid = '3'.repeat(40);

test('the size of a file that is already present is requested only once, from one git process', async () => {
  const content = Buffer.from('1.2.3');
  const tree = Buffer.concat([Buffer.from('100644 version\0'), Buffer.from(fileOid, 'hex')]);
  const objects = new Map([
    [fileOid, { oid: fileOid, type: 'blob' as const, size: content.byteLength, content }],
    [treeOid, { oid: treeOid, type: 'tree' as const, size: tree.byteLength, content: tree }],
  ]);
  const opened: string[] = [];
  const done = { stdout: Buffer.alloc(0), stderr: '', exitCode: 0, end: 'ended' as const };
  const session = {
    remote: async () => done,
    objects(what: string) {
      opened.push(what);
      return {
        async read(name: string) {
          if (name.endsWith('^{tree}')) return objects.get(treeOid) ?? null;
          if (name.endsWith('^{commit}')) return { oid: commitOid, type: 'commit', size: 9, content: null };
          return objects.get(name) ?? null;
        },
        close: () => undefined,
      };
    },
  } as Partial<GitSession> as GitSession;
  const texts: unknown[] = [];
  await readFiles(
    session,
    [{ ref: 'HEAD', file: 'version' }],
    (_bytes, work) => work(),
    async (_want, result) => void texts.push(result),
  );
  expect(texts).toEqual([{ text: '1.2.3', commitSha: commitOid }]);
  // The reader starts four git processes: for the ref, the directories, the size, and the file.
  expect(opened).toEqual(['sizes', 'contents', 'sizes', 'contents']);
});
