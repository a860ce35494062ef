import { expect, test } from 'vitest';
import type { Extracted, Fact } from '../../domain/discovery/fact.ts';
import type { DiscoveryResultItem } from './result-item.ts';
import { linkTreeFiles, readTreeFiles } from './scan-jobs.ts';

const order = {
  extractors: [],
  labelRules: [],
  ignores: null,
  owners: null,
  dotenvFiles: [],
  isWholeRepository: true,
  unreadPaths: [],
};
const failure = expect.stringContaining('An error occurred while linking its versions');

/**
 * Reads three Compose files with two images each, changes the extracted content of `b/compose.yaml`, and
 * links all files.
 */
async function link(change: (read: Extracted) => void) {
  const files = ['a', 'b', 'c'].map((name) => ({
    path: `${name}/compose.yaml`,
    isChartTemplate: false,
    bytes: Buffer.from(
      `services: { x: { image: "acme/${name}-x:1.2" }, y: { image: "acme/${name}-y:1.2" } }\n`,
    ),
    customPatterns: [],
  }));
  const read = readTreeFiles(files).map((json) => JSON.parse(json) as Extracted);
  change(read[1]!);
  const lines = files.map(({ path }, index) =>
    Buffer.from(`${JSON.stringify({ path, oid: 'a'.repeat(40) })}\n${JSON.stringify(read[index])}\n`),
  );
  const items: DiscoveryResultItem[] = [];
  const linking = linkTreeFiles(
    order,
    (async function* stream() {
      yield* lines;
    })(),
  );
  for (;;) {
    const { done, value } = await linking.next();
    if (done === true) return { names: items.map(({ artifact }) => artifact.name), ...value };
    items.push(...value);
  }
}

test.each<[string, string[], (read: Extracted) => void]>([
  [
    'a fact that no source can be proposed for',
    ['acme/b-x'],
    ({ facts }) => Object.assign(facts[0]!, { origin: { type: 'oci', reference: 5 } }),
  ],
  [
    'a fact that can’t be linked',
    ['acme/b-x'],
    ({ facts }) => Object.assign(facts[0]!, { artifact: null as unknown as Fact['artifact'] }),
  ],
  [
    'a link that can’t be followed',
    ['acme/b-x', 'acme/b-y'],
    ({ links }) => links.push({ type: 'chart_lock', versions: null as unknown as [] }),
  ],
])('%s hides no version of another file, and its file is reported as unread', async (_, missing, change) => {
  const all = ['a-x', 'a-y', 'b-x', 'b-y', 'c-x', 'c-y'].map((name) => `acme/${name}`);
  const { names, unread, report } = await link(change);
  expect(names).toEqual(all.filter((name) => !missing.includes(name)));
  expect(unread).toEqual([{ path: 'b/compose.yaml', reason: 'unreadable', message: failure }]);
  expect(report).toMatchObject({
    counts: { unreadable: 1 },
    examples: [{ name: 'b/compose.yaml:1', reason: failure }],
  });
});
