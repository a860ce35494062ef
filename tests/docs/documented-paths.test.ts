import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^\.|^(node_modules|dist|data)$/.test(entry.name))
  .map(({ name }) => name);
/** Paths of all files and directories, each with a leading slash. */
const entries = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
    ),
  ),
].map((entry) => `/${entry}`);
/** First segments of repository paths. The documents omit `src/` and `web/src/`. */
const beginnings = new Set([
  ...folders,
  ...readdirSync(path.join(root, 'src')),
  ...readdirSync(path.join(root, 'web/src')),
]);

const documents = ['ARCHITECTURE.md', 'CONTRIBUTING.md'].concat(
  readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
);

/** Returns the inline code outside of code blocks, and the first word of each line of the directory tree. */
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

/**
 * Returns true if the path exists. A directory can end with a slash, a file can omit `.ts`, and `*` matches
 * any characters except a slash.
 */
function exists(text: string): boolean {
  const wanted = text.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  const pattern = new RegExp(`/${wanted}(\\.ts)?$`);
  return entries.some((entry) => pattern.test(entry));
}

test.each(documents)('every path in %s exists', (document) => {
  expect(quoted(document).filter((text) => looksLikeOurs(text) && !exists(text))).toEqual([]);
});

test('every page that contains an API operation includes the base path of the API', () => {
  const textOf = (document: string) => readFileSync(path.join(root, document), 'utf8');
  const naming = documents.filter((document) => /`(GET|POST|PUT|DELETE)\s\/(?!api\/)/.test(textOf(document)));
  expect(naming.length).toBeGreaterThan(5);
  // ARCHITECTURE.md doesn't need the base path, because its readers also read the contract.
  const silent = naming.filter((document) => !textOf(document).includes('/api/v1/client'));
  expect(silent).toEqual(['ARCHITECTURE.md']);
});

test('the documents contain paths to check', () => {
  expect(documents.flatMap(quoted).filter(looksLikeOurs).length).toBeGreaterThan(40);
});
