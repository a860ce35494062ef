import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const security = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
const section = security.split('\n## ').find((part) => part.startsWith('Parsing\n'))!;
const listed = [...section.matchAll(/^\| `([^`]+)` +\| [^|]*[^| ] +\| [^|]*[^| ] +\|$/gm)].map(
  ([, file]) => file!,
);

/** Matches calls that parse text, and calls that send requests, whose responses can be parsed or matched. */
const parses =
  /\bJSON\.parse\(|from '(?:yaml|smol-toml)'|\.json\(\)|\bDOMParser\b|\boutbound\.(?:request|stream|requestHead)\(/;

test('SECURITY.md lists every file of the server that parses data or sends requests', () => {
  const found = ['modules', 'server', 'platform'].flatMap((area) =>
    readdirSync(path.join(root, 'src', area), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|-fixture\.ts$|-test-/.test(file))
      .map((file) => `${area}/${file.replaceAll(path.sep, '/')}`)
      .filter((file) =>
        readFileSync(path.join(root, 'src', file), 'utf8')
          .split('\n')
          .some((line) => parses.test(line) && !/^\s*(?:\*|\/\/|\/\*)/.test(line)),
      ),
  );
  expect(listed.toSorted()).toEqual(found.toSorted());
});
