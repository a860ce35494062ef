import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const architecture = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');

/** Allowed imports of each area, from the table in ARCHITECTURE.md. */
const table = new Map(
  [...architecture.matchAll(/^\| `(\w+)` *\| (.+) \|$/gm)].map(([, area, allowed]) => [
    area!,
    [...allowed!.matchAll(/`([\w/-]+)`/g)].map((match) => match[1]!),
  ]),
);
const moduleOrder = /^`([a-z]+ → .+ → audit)`/m.exec(architecture)![1]!.split(' → ');

interface Import {
  from: string;
  to: string;
}

function sourceFiles(): string[] {
  return ['src', 'web/src'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => `${folder}/${file.replaceAll(path.sep, '/')}`),
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import|import\(|new URL\()\s*'(\.[^']+|node:[^']+)'/g)].map(
    (match) => match[1]!,
  );
  return specifiers.map((specifier) => ({
    from: file,
    to: specifier.startsWith('node:') ? specifier : path.posix.join(path.posix.dirname(file), specifier),
  }));
}

const files = sourceFiles();
const imports = files.flatMap(importsOf);
/** Returns the area of a file, such as domain for `src/domain/…`. The whole web page is one area. */
const area = (file: string) => (file.startsWith('web/') ? 'web' : file.split('/')[1]!.replace(/\.ts$/, ''));

function allows(from: string, to: string): boolean {
  if (!to.startsWith('src/')) return true;
  if (area(from) === area(to)) return true;
  return (table.get(area(from)) ?? []).some(
    (allowed) => to === `src/${allowed}.ts` || to.startsWith(`src/${allowed}/`),
  );
}

describe('the architecture', () => {
  test('the table lists every area', () => {
    expect([...new Set(files.map(area))].filter((name) => !table.has(name))).toEqual([]);
  });

  test('an area imports only what the table allows', () => {
    expect(imports.filter(({ from, to }) => !allows(from, to))).toEqual([]);
  });

  test('domain code imports no Node modules', () => {
    expect(imports.filter(({ from, to }) => area(from) === 'domain' && to.startsWith('node:'))).toEqual([]);
  });

  test('a module imports only modules to its right, and only through their index', () => {
    const moduleOf = (file: string) => file.split('/')[2]!;
    const wrong = imports.filter(({ from, to }) => {
      if (area(from) !== 'modules' || !to.startsWith('src/modules/') || moduleOf(from) === moduleOf(to))
        return false;
      return (
        moduleOrder.indexOf(moduleOf(from)) >= moduleOrder.indexOf(moduleOf(to)) || !to.endsWith('/index.ts')
      );
    });
    expect(wrong).toEqual([]);
  });

  test('UI components import nothing from the rest of the web page', () => {
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith('web/src/ui/') && to.startsWith('web/src/') && !to.startsWith('web/src/ui/'),
    );
    expect(wrong).toEqual([]);
  });

  test('each file name is unique', () => {
    const names = files
      .filter((file) => !/\/index\.ts$|\/generated\//.test(file))
      .map((file) => path.basename(file));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
