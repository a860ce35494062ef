import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readJson = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

test('every package with an install script is allowed or denied by name', () => {
  const packages: Record<string, { hasInstallScript?: true }> = readJson('package-lock.json').packages;
  const withScripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => place.split('node_modules/').at(-1)!);
  expect(withScripts).not.toEqual([]);
  expect(Object.keys(readJson('package.json').allowScripts)).toEqual(expect.arrayContaining(withScripts));
});

test('npm rejects a package whose install script the repository does not allow or deny by name', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'unnamed'));
  const ran = path.join(folder, 'ran');
  const script = `node -e "require('fs').writeFileSync(${JSON.stringify(ran).replaceAll('"', "'")}, '')"`;
  const write = (file: string, json: object) => writeFileSync(path.join(folder, file), JSON.stringify(json));
  write('unnamed/package.json', { name: 'unnamed', version: '1.0.0', scripts: { install: script } });
  write('package.json', { dependencies: { unnamed: 'file:unnamed' }, allowScripts: { other: true } });
  copyFileSync(path.join(root, '.npmrc'), path.join(folder, '.npmrc'));
  const npm = promisify(execFile)('npm', ['install', '--offline', '--install-links'], { cwd: folder });
  await expect(npm).rejects.toMatchObject({ stderr: expect.stringContaining('unnamed') });
  expect(existsSync(ran)).toBe(false);
});
