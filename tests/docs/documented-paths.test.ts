import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^\.|^(node_modules|dist|data)$/.test(entry.name))
  .map(({ name }) => name);
/** Every file and folder, with a slash before it. */
const entries = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
    ),
  ),
].map((entry) => `/${entry}`);
/** What a path of the repository begins with; the documents leave `src/` and `web/src/` out. */
const beginnings = new Set([
  ...folders,
  ...readdirSync(path.join(root, 'src')),
  ...readdirSync(path.join(root, 'web/src')),
]);

const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].concat(
  readdirSync(path.join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
);

/** What stands between back-ticks outside of examples, and the first word of each line of the drawn tree. */
function quoted(document: string): string[] {
  const text = readFileSync(path.join(root, document), 'utf8');
  const tree = /^## Directories\n+```\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '';
  return [
    ...[...text.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!),
    ...[...tree.matchAll(/^(\S+)/gm)].map((match) => match[1]!),
  ];
}

function looksLikeOurs(text: string): boolean {
  if (!/^[\w*.-]+(\/[\w*.-]*)*$/.test(text)) return false;
  const [first = '', second] = text.split('/');
  return second === undefined ? /^[\w*-].*\.(ts|tsx|sql|css)$/.test(first) : beginnings.has(first);
}

/** A folder may end in a slash, a file may leave out `.ts`, and a star stands for anything. */
function exists(text: string): boolean {
  const wanted = text.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  const pattern = new RegExp(`/${wanted}(\\.ts)?$`);
  return entries.some((entry) => pattern.test(entry));
}

test.each(documents)('every path that %s names exists', (document) => {
  expect(quoted(document).filter((text) => looksLikeOurs(text) && !exists(text))).toEqual([]);
});

test('every page that names an operation of the API says where its path starts', () => {
  const textOf = (document: string) => readFileSync(path.join(root, document), 'utf8');
  const naming = documents.filter((document) => /`(GET|POST|PUT|DELETE)\s\/(?!api\/)/.test(textOf(document)));
  expect(naming.length).toBeGreaterThan(5);
  // ARCHITECTURE.md is for those who read the contract.
  const silent = naming.filter((document) => !textOf(document).includes('/api/v1/client'));
  expect(silent).toEqual(['ARCHITECTURE.md']);
});

test('paths are found in the documents', () => {
  expect(documents.flatMap(quoted).filter(looksLikeOurs).length).toBeGreaterThan(40);
});
