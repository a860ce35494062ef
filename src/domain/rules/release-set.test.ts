import { describe, expect, it } from 'vitest';
import { prepareInSteps, prepareReleases, type ReleaseSet } from './release-set.ts';
import { releaseSet, utcTime } from './release-set-fixture.ts';

describe('a release set', () => {
  const set = releaseSet([
    '1.2.0 2026-01-10',
    'v1.10.0 2026-03-01',
    'edge 2026-05-01',
    '1.2.0-alpine 2026-01-11',
    '1.9.9 2026-04-01',
    'main 2026-06-01',
  ]);

  it('is ordered by precedence, not by date or row order', () => {
    expect(set.comparable.map(({ text }) => text)).toEqual(['v1.10.0', '1.9.9', '1.2.0-alpine', '1.2.0']);
  });

  it("lists tags that aren't versions separately, newest first", () => {
    expect(set.incomparable.map(({ text }) => text)).toEqual(['main', 'edge']);
  });

  it("is the same if it's prepared in steps", () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      version: `1.${index % 7}.${index}`,
      releasedAtMs: index,
      discoveredAtMs: index,
      url: null,
      isPrerelease: false,
      isYanked: false,
      isWithdrawn: false,
    }));
    const steps = prepareInSteps('auto', rows);
    let count = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) count++;
    expect(count).toBeGreaterThanOrEqual(50);
    expect(step.value.comparable).toEqual(prepareReleases('auto', rows).comparable);
  });

  it('finds the same version and variant in any spelling', () => {
    checkSame(set, '1.10', ['v1.10.0']);
    checkSame(set, 'v1.2.0', ['1.2.0']);
    checkSame(set, '1.2.0-alpine', ['1.2.0-alpine']);
    checkSame(set, '1.2.0-debian', []);
    checkSame(set, '9.9.9', []);
    checkSame(set, '0.1', []);
    checkSame(releaseSet([]), '0.1', []);
  });

  it('finds the nearest lower release, preferably of the same variant', () => {
    checkNearest(set, '1.9.10', '1.9.9');
    checkNearest(set, '1.9.10-alpine', '1.2.0-alpine');
    checkNearest(set, '1.2.1-debian', '1.2.0-alpine');
    checkNearest(set, '1.10.0', '1.9.9');
    checkNearest(set, '1.2.0', null);
    checkNearest(releaseSet(['1.0 2026-01-01 withdrawn']), '1.1', '1.0');
  });

  it('recognizes a version that is above all releases', () => {
    expect(set.isBelow(read(set, '1.10.1'))).toBe(true);
    expect(set.isBelow(read(set, '1.10.0'))).toBe(false);
    expect(set.isBelow(read(set, '1.2.5'))).toBe(false);
  });

  it('is the same for any order of the rows', () => {
    const lines = ['1.0 2026-02-01', '1.0.0 2026-01-01', 'v1.0 2026-03-01', 'x 2026-01-01', 'y 2026-01-01'];
    const forward = releaseSet(lines);
    const backward = releaseSet(lines.toReversed());
    expect(forward.comparable).toEqual(backward.comparable);
    expect(forward.incomparable).toEqual(backward.incomparable);
  });

  it('prefers a release with a date, then the earlier one, if two releases have the same version', () => {
    const row = {
      version: '1.0',
      discoveredAtMs: utcTime('2026-01-01'),
      isPrerelease: false,
      isYanked: false,
    };
    const rows = [null, utcTime('2026-03-01'), utcTime('2026-02-01')].map((releasedAtMs) => ({
      ...row,
      releasedAtMs,
      isWithdrawn: false,
      url: null,
    }));
    for (const order of [rows, rows.toReversed()]) {
      expect(prepareReleases('auto', order).withText('1.0')?.dateMs).toBe(utcTime('2026-02-01'));
    }
  });
});

function checkSame(set: ReleaseSet, version: string, expected: string[]) {
  expect(
    set.sameAs(read(set, version)).map(({ text }) => text),
    version,
  ).toEqual(expected);
}

function checkNearest(set: ReleaseSet, version: string, expected: string | null) {
  expect(set.nearestBelow(read(set, version))?.text ?? null, version).toBe(expected);
}

function read(set: ReleaseSet, text: string) {
  const version = set.scheme.parse(text);
  if (version === null) throw new Error(`not a version: ${text}`);
  return version;
}
