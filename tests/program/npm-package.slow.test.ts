import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { programMain } from '../helpers/run-program.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

// `npm-package.long.test.ts` installs the package and runs it.

const built = path.dirname(programMain);
let files: string[];

beforeAll(async () => {
  const cwd = temporaryFolder();
  const { stdout } = await promisify(execFile)('npm', ['pack', built, '--dry-run', '--json'], { cwd });
  const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  files = packed.files.map((file) => file.path);
});

test('the npm package contains only the files that it requires at runtime', () => {
  const beside = files.filter((file) => !/^(spec|migrations|generated|web|swagger-ui)\//.test(file));
  expect(beside.filter((file) => !file.endsWith('.mjs'))).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'THIRD_PARTY_LICENSES', 'package.json']),
  );
  expect(beside.filter((file) => !file.endsWith('.mjs'))).toHaveLength(4);
  expect(files).toEqual(expect.arrayContaining(['pacekeeper.mjs', 'web/index.html', 'web/docs/index.html']));
  expect(files.filter((file) => /\.(tsx?|map)$|\.test\.|(^|\/)\./.test(file))).toEqual([]);
});

test('the npm package pins every dependency and adds none besides argon2 and the optional dependencies', () => {
  const { dependencies, optionalDependencies, bin, engines } = JSON.parse(
    readFileSync(path.join(built, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  expect(bin).toEqual({ pacekeeper: 'pacekeeper.mjs' });
  expect(engines).toEqual(packageJson.engines);
  expect(dependencies).toEqual({ '@node-rs/argon2': packageJson.dependencies['@node-rs/argon2'] });
  expect(optionalDependencies).toEqual(packageJson.optionalDependencies);
  for (const version of Object.values({ ...dependencies, ...optionalDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
});

test('the npm package contains the license text of every bundled package', () => {
  const [, ...sections] = readFileSync(path.join(built, 'THIRD_PARTY_LICENSES'), 'utf8').split(/^-{80}$/m);
  const titles = sections.map((section) => section.trim().split('\n')[0]!);
  const outside = ['@node-rs/argon2'];
  // The code of content-type is part of @modelcontextprotocol/server.
  const bundled = [...Object.keys(packageJson.dependencies), 'content-type', 'react', '@mantine/core'];
  const named = new Set(titles.map((title) => title.split(' ')[0]));
  expect(bundled.filter((name) => !outside.includes(name) && !named.has(name))).toEqual([]);
  expect(sections.filter((section) => section.length < 500)).toEqual([]);
  expect(sections.join('')).not.toMatch(/\bundefined\b|\[object/);
});
