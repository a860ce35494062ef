import { expect, test } from 'vitest';
import { collectGarbage } from '../../../tests/helpers/collect-garbage.ts';
import { createFileFinder } from './find-file.ts';

test('reading directories of more than a hundred thousand files one after another uses bounded memory', async () => {
  const entry = (mode: string, name: string, oid: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
  const oidOf = (index: number) => index.toString(16).padStart(40, '0');
  const folders = Array.from({ length: 8 }, (_, index) => entry('40000', `d${index}`, oidOf(index + 1)));
  const root = Buffer.concat(folders);
  const large = Buffer.concat(
    Array.from({ length: 120_000 }, (_, index) => entry('100644', index.toString(36), oidOf(99))),
  );
  const findFile = createFileFinder({
    read: async (oid) => {
      const content = oid === oidOf(0) ? root : large;
      return { oid, type: 'tree', size: content.byteLength, content };
    },
    close: () => undefined,
  });
  const heapBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  let most = 0;
  for (let index = 0; index < 8; index += 1) {
    expect(await findFile(oidOf(0), `d${index}/zz`)).toEqual({ kind: 'file', oid: oidOf(99) });
    most = Math.max(most, heapBytes() - before);
  }
  // The embedded agent has 192 MB of memory and reads six repositories at the same time, so each can use only a small
  // part.
  expect(most).toBeLessThan(20_000_000);
  expect(await findFile(oidOf(0), 'd0/1')).toEqual({ kind: 'file', oid: oidOf(99) });
});

test('concurrent searches for files read each directory once', async () => {
  const entry = (mode: string, name: string, oid: string) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
  const oidOf = (index: number) => index.toString(16).padStart(40, '0');
  const folder = Buffer.concat(
    Array.from({ length: 50 }, (_, index) => entry('100644', `f${index}`, oidOf(100 + index))),
  );
  const contents = new Map([
    [oidOf(0), Buffer.concat([entry('40000', 'a', oidOf(1)), entry('40000', 'b', oidOf(2))])],
    [oidOf(1), folder],
    [oidOf(2), folder],
  ]);
  const read: string[] = [];
  const findFile = createFileFinder({
    async read(oid) {
      read.push(oid);
      await new Promise((resolve) => setImmediate(resolve));
      const content = contents.get(oid)!;
      return { oid, type: 'tree', size: content.byteLength, content };
    },
    close: () => undefined,
  });
  const files = Array.from({ length: 50 }, (_, index) => [`a/f${index}`, `b/f${index}`]).flat();
  const found = await Promise.all(files.map((file) => findFile(oidOf(0), file)));
  expect(found).toEqual(
    files.map((file) => ({ kind: 'file', oid: oidOf(100 + Number(file.slice('a/f'.length))) })),
  );
  expect(read.sort()).toEqual([oidOf(0), oidOf(1), oidOf(2)]);
});
