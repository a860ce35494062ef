import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { finishSteps } from '../../../tests/helpers/finish-steps.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import type { Extracted } from './fact.ts';
import { type FoundItem, matchItems, type StoredItem } from './match-items.ts';

const item = (key: string, path: string, blob = path): FoundItem => ({ key, path, blob });
const stored = (id: string, key: string, path: string, blob = path): StoredItem<string> => ({
  id,
  ...item(key, path, blob),
});
const match = (before: readonly StoredItem<string>[], after: readonly FoundItem[]) =>
  finishSteps(matchItems(before, after));

describe('a stored item', () => {
  test('is matched by its path and key even if its content changed', () => {
    expect(match([stored('1', 'a', 'x', 'old')], [item('a', 'x', 'new')])).toEqual({
      ids: ['1'],
      missing: [],
    });
  });

  test('is matched by its key if its file was moved and changed', () => {
    expect(match([stored('1', 'a', 'x', 'old')], [item('a', 'y', 'new')])).toEqual({
      ids: ['1'],
      missing: [],
    });
  });

  test('is matched by the content of its file if its key changed', () => {
    expect(match([stored('1', 'a', 'x', 'same')], [item('b', 'y', 'same')])).toEqual({
      ids: ['1'],
      missing: [],
    });
  });

  test('is not affected by a second directory with the same keys', () => {
    expect(
      match([stored('1', 'a', 'clusters/one/x')], [item('a', 'clusters/a/x'), item('a', 'clusters/one/x')]),
    ).toEqual({
      ids: [null, '1'],
      missing: [],
    });
  });

  test('is matched to the nearest path if several items have the same key', () => {
    const before = [stored('1', 'a', 'apps/web/prod/x'), stored('2', 'a', 'apps/web/dev/x')];
    const after = [item('a', 'teams/web/dev/x', '1'), item('a', 'teams/web/prod/x', '2')];
    expect(match(before, after)).toEqual({ ids: ['2', '1'], missing: [] });
  });

  test('is matched by position if several items in a file have the same key', () => {
    const before = [stored('1', 'a', 'x'), stored('2', 'a', 'x')];
    expect(match(before, [item('a', 'x'), item('a', 'x'), item('a', 'x')])).toEqual({
      ids: ['1', '2', null],
      missing: [],
    });
    expect(match(before, [item('a', 'x')])).toEqual({ ids: ['1'], missing: ['2'] });
  });

  test('is missing if no found item matches', () => {
    expect(match([stored('1', 'a', 'x')], [item('b', 'y')])).toEqual({ ids: [null], missing: ['1'] });
  });

  test('is matched among 20,000 items with the same key', () => {
    const before = Array.from({ length: 20_000 }, (_, at) => stored(String(at), 'a', `old/${at}`, 'one'));
    const after = Array.from({ length: 20_000 }, (_, at) => item('a', `new/${at}`, 'two'));
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

describe.skipIf(!hasTestData)('the commit history of real repositories', () => {
  test.each(repositories)('%s: items keep their IDs when their files stay or move', (name) => {
    const tree: Record<string, string> = {};
    let known: (StoredItem<string> & { isMissing: boolean })[] = [];
    let nextId = 0;
    const cache = new Map<string, Extracted>();
    const counts = { commits: 0, items: 0, moved: 0, lost: 0, broken: 0 };
    for (const { files } of readCommits(name)) {
      const before = { ...tree };
      for (const [path, text] of Object.entries(files)) {
        if (text === null) delete tree[path];
        else tree[path] = text;
      }
      const found = discoverFiles(tree, { cache }).items.map(({ key, place }) =>
        item(key, place.file, tree[place.file]),
      );
      const { ids, missing } = match(known, found);
      const idsBefore = new Map(known.filter(({ isMissing }) => !isMissing).map((each) => [each.id, each]));
      // Lost: the file and the key still exist, but they now belong to a different item.
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
      // Broken: a file was moved without changes, but its items have new IDs.
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
      discoverFiles(files).items.map(({ key, place }) => item(key, place.file, files[place.file]));
    const before = itemsOf(tree).map((each, at) => ({ ...each, id: String(at) }));
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
