import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import { createDirectory } from './create-directory.ts';

test('concurrent calls create directories with the same missing parents', async () => {
  for (let round = 0; round < 20; round += 1) {
    const parent = path.join(temporaryFolder(), 'a', 'b', 'c', 'd');
    // Paths of different depths make one call find a parent missing that another call creates.
    const directories = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0 ? parent : path.join(parent, String(index)),
    );
    await Promise.all(directories.map((directory) => createDirectory(directory, 0o700)));
    expect(directories.filter((directory) => !existsSync(directory))).toEqual([]);
  }
});

test.each(['file', path.join('file', 'directory')])(
  'a directory isn’t created in place of a file or below one: %s',
  async (name) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'file'), '');
    await expect(createDirectory(path.join(folder, name), 0o700)).rejects.toThrow(/EEXIST|ENOTDIR/u);
  },
);

test.runIf(existsSync('/proc'))('a file system that allows no directories causes an error', async () => {
  await expect(createDirectory('/proc/pacekeeper/a', 0o700)).rejects.toThrow('ENOENT');
});
