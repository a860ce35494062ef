import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { runSteps } from '../../../tests/helpers/finish-steps.ts';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import type { DiscoveredItem } from './discover.ts';
import type { Extracted } from './fact.ts';
import { identityOf } from './item-identity.ts';
import { type FoundItem, matchItems, type StoredItem } from './match-items.ts';

const item = (key: string, path: string, change: Partial<FoundItem> = {}): FoundItem => {
  const { artifact = 'pkg:oci/web' } = change;
  return { artifact, name: artifact ?? 'image:web', key, path, blob: path, version: '1', ...change };
};
const stored = (
  id: string,
  key: string,
  path: string,
  change: Partial<StoredItem<string>> = {},
): StoredItem<string> => ({
  id,
  isEnded: false,
  isUnread: false,
  isIgnored: false,
  ...item(key, path, change),
  ...change,
});
const match = (before: readonly StoredItem<string>[], after: readonly FoundItem[]) =>
  runSteps(matchItems(before, after));
/** Compares the IDs of the found items, the missing items, and the items that were replaced. */
function check(
  before: readonly StoredItem<string>[],
  after: readonly FoundItem[],
  ids: (string | null)[],
  { missing = [], replaces = ids.map(() => null) }: { missing?: string[]; replaces?: (string | null)[] } = {},
) {
  expect(match(before, after)).toEqual({ ids, missing, replaces });
}
const place = (namespace: string, name: string, field = 'image') =>
  `kubernetes:Deployment:${namespace}:${name}:${field}`;
const other = { artifact: 'pkg:oci/other' };

describe('a stored item', () => {
  test('is matched by its artifact, path, and key even if its content and version changed', () => {
    check([stored('1', 'a', 'x', { blob: 'old' })], [item('a', 'x', { blob: 'new', version: '2' })], ['1']);
  });

  test('is matched in another file if it was the only item with this artifact and key', () => {
    check([stored('1', 'a', 'x', { blob: 'old' })], [item('a', 'y', { blob: 'new' })], ['1']);
  });

  test('is never matched with another artifact, whether in its file or in another one', () => {
    check([stored('1', 'a', 'x')], [item('a', 'y', other)], [null], { missing: ['1'] });
    check([stored('1', 'a', 'x')], [item('b', 'x', other)], [null], { missing: ['1'] });
    check([stored('1', 'a', 'x', { blob: 'b' })], [item('a', 'y', { ...other, blob: 'b' })], [null], {
      missing: ['1'],
    });
  });

  test('is replaced if another artifact takes its place', () => {
    check([stored('1', 'a', 'x')], [item('a', 'x', other)], [null], { missing: ['1'], replaces: ['1'] });
  });

  test('is not replaced if it moved and another artifact takes its former place', () => {
    check(
      [stored('1', 'a', 'x'), stored('2', 'a', 'y', other)],
      [item('a', 'x', other), item('a', 'y')],
      ['2', '1'],
    );
  });

  test('keeps its identity if its namespace, its name, or its index changes in its file', () => {
    const before = stored('1', place('', 'web'), 'x');
    check([before], [item(place('shop', 'web'), 'x')], ['1']);
    check([before], [item(place('', 'shop'), 'x')], ['1']);
    check([stored('1', 'v:::web:list[0]', 'x')], [item('v:::web:list[3]', 'x')], ['1']);
  });

  test('keeps its identity if all items with its artifact get a namespace', () => {
    const before = ['a', 'b', 'c'].map((name) => stored(name, place('', name), 'x'));
    const after = ['c', 'a', 'b'].map((name) => item(place('shop', name), 'x'));
    check(before, after, ['c', 'a', 'b']);
  });

  test('is missing if several found items could match it', () => {
    check(
      [stored('1', place('', 'web'), 'x')],
      [item(place('', 'a'), 'x'), item(place('', 'b'), 'x')],
      [null, null],
      {
        missing: ['1'],
      },
    );
    check([stored('1', 'a', 'dev/x')], [item('a', 'prod/x'), item('a', 'test/x')], [null, null], {
      missing: ['1'],
    });
  });

  test('keeps its identity if an entry is inserted into its list without names', () => {
    const entry = (index: number, change: Partial<FoundItem>) => item(`v::::list[${index}]`, 'x', change);
    const before = [stored('b', 'v::::list[0]', 'x'), stored('c', 'v::::list[1]', 'x', other)];
    check(before, [entry(0, { artifact: 'pkg:oci/new' }), entry(1, {}), entry(2, other)], [null, 'b', 'c']);
    const twins = [stored('b', 'v::::list[0]', 'x'), stored('c', 'v::::list[1]', 'x', { version: '2' })];
    const after = [entry(0, { version: '3' }), entry(1, {}), entry(2, { version: '2' })];
    check(twins, after, [null, 'b', 'c']);
    check(twins, [entry(0, { version: '2' })], ['c'], { missing: ['b'] });
  });

  test('is not affected by a second directory with the same artifacts and keys', () => {
    check(
      [stored('1', 'a', 'clusters/one/x')],
      [item('a', 'clusters/a/x'), item('a', 'clusters/one/x')],
      [null, '1'],
    );
  });

  test('moves with its directory if several items have the same artifact and key', () => {
    const before = [stored('1', 'a', 'apps/web/prod/x'), stored('2', 'a', 'apps/web/dev/x')];
    const after = [item('a', 'teams/web/dev/x', { blob: '1' }), item('a', 'teams/web/prod/x', { blob: '2' })];
    check(before, after, ['2', '1']);
  });

  test('moves with the unchanged content of its file if the directories are ambiguous', () => {
    const before = [stored('1', 'a', 'dev/x', { blob: '1' }), stored('2', 'a', 'prod/x', { blob: '2' })];
    check(before, [item('a', 'live/x', { blob: '2' }), item('a', 'next/x', { blob: '1' })], ['2', '1']);
  });

  test('is matched by position among identical items in a file', () => {
    const before = [stored('1', 'a', 'x'), stored('2', 'a', 'x')];
    check(before, [item('a', 'x'), item('a', 'x'), item('a', 'x')], ['1', '2', null]);
    check(before, [item('a', 'x')], ['1'], { missing: ['2'] });
    check(before, [item('a', 'y'), item('a', 'y')], ['1', '2']);
  });

  test('is matched by its version if an otherwise identical item in its file disappears', () => {
    const before = [stored('1', 'a', 'x'), stored('2', 'a', 'x', { version: '2' })];
    check(before, [item('a', 'x', { version: '2' })], ['2'], { missing: ['1'] });
  });

  test('keeps its place while a template or a missing file hides its artifact', () => {
    const hidden = { artifact: null, name: 'image:{{ image }}' };
    check([stored('1', 'a', 'x')], [item('a', 'x', hidden)], ['1']);
    check([stored('1', 'a', 'x', hidden)], [item('a', 'x')], ['1']);
    check([stored('1', 'a', 'x')], [item('a', 'y', hidden)], [null], { missing: ['1'] });
    const chart = { artifact: 'pkg:helm/web?repository_url=a', name: 'chart:web' };
    const local = { artifact: 'chart:web', name: 'chart:web' };
    check([stored('1', 'a', 'x', chart)], [item('a', 'x', local)], ['1']);
    check([stored('1', 'a', 'x', local)], [item('a', 'x', chart)], ['1']);
  });

  test('returns to its index in a list without names after it has ended, and the entry now at that index keeps its identity', () => {
    const entry = (index: number, change: Partial<FoundItem> = {}) =>
      item(`v::::list[${index}]`, 'x', change);
    const ended = stored('1', 'v::::list[0]', 'x', { isEnded: true });
    const present = stored('2', 'v::::list[0]', 'x', other);
    check([present, ended], [entry(0, { version: '3' }), entry(1, other)], ['1', '2']);
    check([present, ended], [entry(0, other), entry(1)], ['2', null], { missing: ['1'] });
    // The entry at this index has the same artifact, and its index changes.
    const twin = stored('3', 'v::::list[0]', 'x', { version: '2' });
    check([twin, ended], [entry(0, { version: '3' }), entry(1, { version: '2' })], ['1', '3']);
  });

  test('returns only with the same version if several items with its artifact ended at its place', () => {
    const ended = ['1', '2'].map((version) =>
      stored(version, 'v::::list[0]', 'x', { version, isEnded: true }),
    );
    check(ended, [item('v::::list[0]', 'x', { version: '2' })], ['2'], { missing: ['1'] });
    check(ended, [item('v::::list[0]', 'x', { version: '3' })], [null], { missing: ['1', '2'] });
    const identical = ['1', '2'].map((id) => stored(id, 'a', 'x', { isEnded: true }));
    check(identical, [item('a', 'x'), item('a', 'x')], ['1', '2']);
    check(identical, [item('a', 'x')], [null], { missing: ['1', '2'] });
  });

  test('returns after it has ended only if the same artifact is at the same place', () => {
    const ended = stored('1', 'a', 'x', { isEnded: true });
    check([ended], [item('a', 'x', { version: '9' })], ['1']);
    check([ended], [item('a', 'x', other)], [null], { missing: ['1'] });
    check([ended], [item('a', 'y')], [null], { missing: ['1'] });
    check([ended], [item('b', 'x')], [null], { missing: ['1'] });
    // A present item with the same artifact moved to the place of the ended item.
    check([ended, stored('2', 'a', 'y')], [item('a', 'x')], ['2'], { missing: ['1'] });
    // The replacement was undone.
    check([ended, stored('2', 'a', 'x', other)], [item('a', 'x')], ['1'], {
      missing: ['2'],
      replaces: ['2'],
    });
  });

  test('in a file that was not read is neither moved nor replaced', () => {
    const unread = stored('1', 'a', 'x', { isUnread: true });
    check([unread], [item('a', 'y')], [null], { missing: ['1'] });
    check([unread], [item('a', 'x', other)], [null], { missing: ['1'] });
    check([unread], [item('a', 'x', { version: '2' })], ['1']);
  });

  test('that a person ignored is not matched in another file unless its directory or content moved there', () => {
    const ignored = { isIgnored: true };
    check([stored('1', 'a', 'apps/old/x', ignored)], [item('a', 'apps/new/y')], [null], { missing: ['1'] });
    check([stored('1', 'a', 'x', { ...ignored, blob: 'b' })], [item('a', 'y', { blob: 'b' })], ['1']);
  });

  test('is matched among 20,000 items with the same artifact and key', () => {
    const before = Array.from({ length: 20_000 }, (_, at) =>
      stored(String(at), 'a', `old/${at}`, { blob: 'one' }),
    );
    const after = Array.from({ length: 20_000 }, (_, at) => item('a', `new/${at}`, { blob: 'two' }));
    expect(match(before, after).missing).toEqual([]);
  });
});

interface Commit {
  commit: string;
  files: Record<string, string | null>;
}

const repositories = [
  'alphagov_govuk-helm-charts',
  'fluxcd_flux2-kustomize-helm-example',
  'ricsanfre_pi-cluster',
];

/** Maximum number of commits whose items are compared with the items of the previous commit. */
const maxCommits = isLong ? Infinity : 50;

describe.skipIf(!hasTestData)('the commit history of real repositories', () => {
  test.each(repositories)('%s: items keep their IDs when their files stay or move', (name) => {
    const tree: Record<string, string> = {};
    let known: (StoredItem<string> & { isMissing: boolean })[] = [];
    let nextId = 0;
    const cache = new Map<string, Extracted>();
    const counts = { commits: 0, items: 0, moved: 0, lost: 0, broken: 0 };
    for (const { files } of readCommits(name).slice(0, maxCommits)) {
      const before = { ...tree };
      for (const [path, text] of Object.entries(files)) {
        if (text === null) delete tree[path];
        else tree[path] = text;
      }
      const found = discoverFiles(tree, { cache }).items.map((each) => toFound(each, tree));
      const { ids, missing } = match(known, found);
      const idsBefore = new Map(known.filter(({ isMissing }) => !isMissing).map((each) => [each.id, each]));
      // An item is lost if its file and key still exist but now belong to a different item.
      const placesNow = new Map(
        found.map((each, at) => [`${each.path} ${each.key} ${ordinalOf(found, at)}`, ids[at]]),
      );
      const perPlace = new Map<string, number>();
      for (const each of idsBefore.values()) {
        const place = `${each.path} ${each.key}`;
        const ordinal = perPlace.get(place) ?? 0;
        perPlace.set(place, ordinal + 1);
        const now = placesNow.get(`${place} ${ordinal}`);
        if (now !== undefined && now !== each.id) counts.lost++;
      }
      // An item is broken if its file was moved without changes but the item has a new ID.
      const gone = new Set(
        Object.keys(files)
          .filter((path) => files[path] === null)
          .map((path) => before[path]),
      );
      for (const [at, each] of found.entries()) {
        const isMoved =
          files[each.path] !== undefined && before[each.path] === undefined && gone.has(tree[each.path]);
        if (!isMoved) continue;
        counts.moved++;
        if (ids[at] === null) counts.broken++;
      }
      const current = found.map((each, at) => ({
        ...each,
        id: ids[at] ?? String(nextId++),
        isMissing: false,
        isEnded: false,
        isUnread: false,
        isIgnored: false,
      }));
      const missed = new Set(missing);
      known = [
        ...current,
        ...known.filter(({ id }) => missed.has(id)).map((each) => ({ ...each, isMissing: true })),
      ];
      counts.commits++;
      counts.items = found.length;
    }
    process.stdout.write(`${name}: ${JSON.stringify(counts)}, ${nextId} items in all\n`);
    expect(counts.items).toBeGreaterThan(5);
    expect(counts).toMatchObject({ lost: 0, broken: 0 });
  });
});

describe.skipIf(!hasTestData)('a real repository whose directories are renamed', () => {
  test.each(repositories)('%s keeps every item', (name) => {
    const tree: Record<string, string> = {};
    for (const { files } of readCommits(name))
      for (const [path, text] of Object.entries(files)) {
        if (text === null) delete tree[path];
        else tree[path] = text;
      }
    const itemsOf = (files: Record<string, string>) =>
      discoverFiles(files).items.map((each) => toFound(each, files));
    const before = itemsOf(tree).map((each, at) => ({
      ...each,
      id: String(at),
      isEnded: false,
      isUnread: false,
      isIgnored: false,
    }));
    // Files that are found by their path, such as workflows, aren't moved.
    const renamed = Object.fromEntries(
      Object.entries(tree).map(([path, text]) => [path.startsWith('.') ? path : `moved/${path}`, text]),
    );
    const changed = Object.fromEntries(Object.entries(renamed).map(([path, text]) => [path, `${text}\n`]));
    for (const files of [renamed, changed]) {
      const after = itemsOf(files);
      expect(after).toHaveLength(before.length);
      const { ids, missing } = match(before, after);
      expect(missing).toEqual([]);
      // If many items have the same key, each one still matches the item in the same file.
      const wrong = after.filter(
        (each, at) => before[Number(ids[at])]!.path !== each.path.replace(/^moved\//, ''),
      );
      expect(wrong).toEqual([]);
    }
  });
});

function toFound(
  { artifact, key, place, version, version_state, reason }: DiscoveredItem,
  files: Readonly<Record<string, string>>,
): FoundItem {
  const path = place.file;
  const blob = files[path] ?? null;
  return { ...identityOf({ artifact, path, version_state, reason }), key, path, blob, version };
}

function ordinalOf(found: readonly FoundItem[], at: number): number {
  const { path, key } = found[at]!;
  return found.slice(0, at).filter((each) => each.path === path && each.key === key).length;
}

function readCommits(name: string): Commit[] {
  const [, ...lines] = readFileSync(testDataPath(`gitops/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}
