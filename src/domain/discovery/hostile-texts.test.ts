import { expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { maxFileBytes } from './scan-limits.ts';

/** Returns a text of about the maximum file size: `before`, then `atom` repeated, then `after`. */
function fill(before: string, atom: string, after: string): string {
  return (
    before + atom.repeat(Math.floor((maxFileBytes - before.length - after.length) / atom.length)) + after
  );
}

const pod =
  '---\napiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: "acme/web:1.2.3" }] }\n';

/**
 * Files of the maximum size that contain a long run of characters. A backtracking expression would try to
 * match the run again from each of its positions.
 */
const files: [what: string, path: string, text: string, found: (string | null)[]][] = [
  [
    'words and dashes as a version',
    '.tool-versions',
    fill('python 1.2.3\nnodejs ', 'aaaaa-', '\n'),
    ['1.2.3', null],
  ],
  [
    'a long key next to an encrypted value',
    'pod.yaml',
    fill(`${pod}note: ENC[x\n`, 'image', `\n${pod}`),
    ['1.2.3'],
  ],
  ['blank lines and no job', 'web.nomad', fill('', '\n', 'a = 1\n'), []],
  ['lines of spaces and no job', 'web.nomad', fill('', ' \n', 'a = 1\n'), []],
  ['blank lines and no module', 'live/web.hcl', fill('source = 1\n', '\n', 'a {\n'), []],
  ['blank lines and no role', 'requirements.yml', fill('a: 1\n', '\n', '- b\n'), []],
  [
    'slashes in the URL of a chart',
    'chart.yaml',
    fill(
      'apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: { name: web }\nspec: { ref: { tag: 1.2.3 }, url: "oci://ghcr.io/a',
      '/',
      `x" }\n${pod}`,
    ),
    ['1.2.3', '1.2.3'],
  ],
  [
    'slashes in an image',
    'pod.yaml',
    fill(`${pod}${pod.slice(0, -12)}`, '/', `x:1.2.3" }] }\n`),
    ['1.2.3', null],
  ],
];

test.each(files)('a file of the maximum size with %s is read completely', (_, path, text, found) => {
  expect(text.length).toBeGreaterThan(maxFileBytes - 10);
  expect(discoverFiles({ [path]: text }).items.map(({ version }) => version)).toEqual(found);
});
