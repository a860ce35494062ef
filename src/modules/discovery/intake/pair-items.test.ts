import { describe, expect, test } from 'vitest';
import { finishSteps } from '../../../../tests/helpers/finish-steps.ts';
import { type FoundIdentity, pairItems, type StoredIdentity } from './pair-items.ts';

const artifact = {
  artifact_kind: 'image',
  artifact_name: 'ghcr.io/acme/web',
  artifact_purl: 'pkg:oci/web',
  version: '1',
  version_state: 'exact',
  reason: null,
};
const found = (key: string, path: string, blob = path): FoundIdentity => ({
  sequence: 1,
  number: 1,
  key,
  path,
  blob,
  ...artifact,
});
const stored = (id: number, key: string, path: string, discriminator = ''): StoredIdentity => ({
  id,
  key,
  path,
  discriminator,
  blob: path,
  ...artifact,
  status: 'new',
  is_missing: false,
});

function pair(before: readonly StoredIdentity[], after: readonly FoundIdentity[]) {
  const { paired, missingIds } = finishSteps(pairItems(before, after));
  return { paired: paired.map(({ id, discriminator }) => [id, discriminator]), missingIds };
}

describe('items that share a key', () => {
  test('have unique discriminators: none, the path, or the path with an ordinal', () => {
    const after = [found('a', 'x'), found('a', 'y'), found('a', 'y'), found('b', 'y')];
    expect(pair([], after)).toEqual({
      paired: [
        [null, ''],
        [null, 'y'],
        [null, 'y#2'],
        [null, ''],
      ],
      missingIds: [],
    });
  });

  test('keep their discriminator when their file moves or the other items disappear', () => {
    const before = [stored(1, 'a', 'x'), stored(2, 'a', 'y', 'y')];
    expect(pair(before, [found('a', 'z/y')])).toEqual({ paired: [[2, 'y']], missingIds: [1] });
    expect(pair(before, [found('a', 'x'), found('a', 'z')])).toEqual({
      paired: [
        [1, ''],
        [2, 'y'],
      ],
      missingIds: [],
    });
  });

  test('get a new discriminator when their key changes', () => {
    const before = [stored(1, 'a', 'x'), stored(2, 'a', 'y', 'y'), stored(3, 'b', 'z')];
    const after = [found('a', 'x'), found('b', 'y'), found('b', 'z')];
    expect(pair(before, after)).toEqual({
      paired: [
        [1, ''],
        [2, 'y'],
        [3, ''],
      ],
      missingIds: [],
    });
  });

  // Comparing each item with each other item would take minutes and block the server.
  test('can be all 50,000 items of a scan', () => {
    const after = Array.from({ length: 50_000 }, () => found('a', 'x'));
    const { paired } = finishSteps(pairItems([], after));
    expect(new Set(paired.map(({ discriminator }) => discriminator)).size).toBe(after.length);
    const before = paired.map(({ key, discriminator }, at) => stored(at, key, 'x', discriminator));
    const moved = after.map(({ key }) => found(key, 'y/x'));
    expect(finishSteps(pairItems(before, moved)).missingIds).toEqual([]);
  });

  test('can be many for each of hundreds of keys', () => {
    const places = (root: string) =>
      Array.from({ length: 50_000 }, (_, at) =>
        found(`k${at % 500}`, `${root}/a/b/c/d/e/f/${Math.floor(at / 500)}/x.yaml`),
      );
    const before = places('old').map(({ key, path }, at) => stored(at, key, path, path));
    expect(finishSteps(pairItems(before, places('new'))).missingIds).toEqual([]);
  });

  test('have discriminators that fit the column even with long paths', () => {
    const path = `${'ä'.repeat(400)}/pod.yaml`;
    const { paired } = finishSteps(pairItems([], [found('a', 'x'), found('a', path), found('a', path)]));
    expect(new Set(paired.map(({ discriminator }) => discriminator)).size).toBe(3);
    for (const { discriminator } of paired) expect(Buffer.byteLength(discriminator)).toBeLessThanOrEqual(600);
  });
});

describe('the pairing of 50,000 items', () => {
  const count = 50_000;
  const places = (keys: number, root: string) =>
    Array.from({ length: count }, (_, at) => found(`k${at % keys}`, `${root}/${at}/x.yaml`, root));
  /** Maximum number of fields that one step reads. */
  const maxReads = 20;

  // Other work can run between steps.
  test.each([
    ["whose files didn't move", places(count, 'old'), places(count, 'old')],
    ['whose files moved', places(count, 'old'), places(count, 'new')],
    ['with one key', places(1, 'old'), places(1, 'new')],
    ['with 500 keys', places(500, 'old'), places(500, 'new')],
    ['that are all new', [], places(1, 'new')],
    ['that are all missing', places(count, 'old'), []],
  ])('reads only a few fields in each step for items %s', (_, before, after) => {
    const reads = { longest: 0, now: 0 };
    const watch = <Item extends object>(item: Item) =>
      new Proxy(item, {
        get(target, name) {
          reads.now++;
          return Reflect.get(target, name);
        },
      });
    const was = before.map(({ key, path }, at) => watch({ ...stored(at, key, path, path), blob: 'old' }));
    const { paired, missingIds } = finishSteps(pairItems(was, after.map(watch)), () => {
      reads.longest = Math.max(reads.longest, reads.now);
      reads.now = 0;
    });
    expect(paired).toHaveLength(after.length);
    expect(missingIds).toHaveLength(after.length === 0 ? before.length : 0);
    expect(reads.longest).toBeLessThanOrEqual(maxReads);
  });
});
