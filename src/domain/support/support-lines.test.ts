import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { judgeSupport } from '../rules/judge-support.ts';
import { SupportLines } from './support-lines.ts';
import { daysLeft, endOfDay, type PhaseEnd, type SupportLine, supportEndOf } from './support-phases.ts';

describe('the release line of a version', () => {
  it.each([
    ['3.11.4', '3.11'],
    ['3.11', '3.11'],
    ['3.12.1', '3'],
    ['3.1.0', '3.1'],
    ['3.10.0', '3.10'],
    ['3', '3'],
    ['v3.11.4', '3.11'],
    ['3.11.4-alpine3.19', '3.11'],
    ['3.11.4-debian-12-r3', '3.11'],
    ['3.11.0rc1', '3.11'],
    ['python-3.11.4', '3.11'],
    ['1:3.11.4-1', '3.11'],
    ['3.11@sha256:0f1e', '3.11'],
    ['2024.01.3', '2024.1'],
    ['22.04.3', '22.04'],
    ['1.x LTS', '1.x-lts'],
    ['1.X_lts', '1.x-lts'],
    ['4.2.0', 'v4'],
    ['0.9.0', 'none'],
    ['1.0.0', 'none'],
    ['31.1', 'none'],
    ['2025.1', 'above_all'],
    ['latest', 'unparseable'],
    ['', 'unparseable'],
  ])('for %s is %s', (version, expected) => {
    const names = ['3', '3.1', '3.10', '3.11', '2024.1', '22.04', '1.x-lts', 'v4', '11.0-sp4'];
    const match = new SupportLines(names.map((name) => ({ name }))).find(version);
    expect(match.kind === 'line' ? match.line.name : match.kind).toBe(expected);
  });

  it('is unknown if every line name contains words', () => {
    expect(new SupportLines([{ name: 'galaxy-s20' }]).find('99.0').kind).toBe('none');
  });
});

describe('the end of a support phase', () => {
  it('is 00:00 UTC on the day after the stated day, and the remaining days are rounded up', () => {
    const endsAtMs = endOfDay('2026-11-12') ?? 0;
    expect(new Date(endsAtMs).toISOString()).toBe('2026-11-13T00:00:00.000Z');
    const left = (now: string) => daysLeft(endsAtMs, Date.parse(now));
    expect(left('2026-11-12T00:00:00Z')).toBe(1);
    expect(left('2026-11-12T23:59:59.999Z')).toBe(1);
    expect(left('2026-11-13T00:00:00Z')).toBe(0);
    expect(left('2026-11-13T12:00:00Z')).toBe(0);
    expect(left('2026-11-14T00:00:00Z')).toBe(-1);
    expect(new Date(endOfDay('9999-12-31') ?? 0).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  });

  it.each(['2026-02-30', '2026', 'soon', '2026-11-12T00:00:00Z', '0000-01-01', '1899-12-31'])(
    'is unknown for %s',
    (day) => {
      expect(endOfDay(day)).toBeNull();
    },
  );

  it('is the end of life if a line has no date for the requested phase', () => {
    const line = {
      name: '1',
      ends: { active_support: null, end_of_life: '2026-01-01', extended_support: null },
    };
    expect(supportEndOf(line, 'extended_support')?.phase).toBe('end_of_life');
    expect(supportEndOf({ ...line, ends: { ...line.ends, end_of_life: null } }, 'active_support')).toBeNull();
  });
});

const thresholds = { moderate: 180, high: 60, critical: 0 };

describe.skipIf(!hasTestData)('every release line of real products', () => {
  it('has the same severity as in a reference implementation on five days, for the name and the latest version of the line', () => {
    const days = ['2015-06-30', '2020-02-29', '2024-12-31', '2026-11-12', '2030-01-01'];
    const differences: string[] = [];
    let count = 0;
    for (const { product, releases } of readProducts()) {
      const lines = new SupportLines(releases.map(({ releaseCycle, eol }) => toLine(releaseCycle, eol)));
      for (const release of releases) {
        count++;
        const deployed = [release.releaseCycle, ...(isDotted(release.latest) ? [release.latest] : [])];
        for (const version of deployed) {
          const expected = referenceLine(releases, version);
          for (const day of days) {
            const verdict = judgeSupport({
              ...always,
              lines,
              version,
              nowMs: Date.parse(`${day}T00:00:00Z`),
            });
            const left = referenceDaysLeft(expected?.eol ?? null, day);
            const wanted = [
              expected?.releaseCycle,
              referenceSeverity(left),
              typeof left === 'number' ? left : null,
            ];
            const found = [verdict.line?.name, verdict.severity, verdict.daysLeft];
            if (found.join() !== wanted.join())
              differences.push(`${product} ${version} ${day}: ${found.join()}`);
          }
        }
      }
    }
    console.log(`support lines compared: ${count}, differences: ${differences.length}`);
    expect(count).toBe(8333);
    expect(differences).toEqual([]);
  });
});

const always = { phase: 'end_of_life', thresholds, paidUntil: null } as const;

interface ReferenceLine {
  readonly releaseCycle: string;
  readonly eol: PhaseEnd;
  readonly latest?: string;
}

function readProducts(): { product: string; releases: ReferenceLine[] }[] {
  const rows = readFileSync(testDataPath('release-history/endoflife-products.jsonl'), 'utf8')
    .trim()
    .split('\n');
  return rows.slice(1).map((row) => JSON.parse(row));
}

function toLine(name: string, eol: PhaseEnd | undefined): SupportLine {
  return { name, ends: { active_support: null, end_of_life: eol ?? null, extended_support: null } };
}

function isDotted(version: string | undefined): version is string {
  return version !== undefined && /^v?\d+(\.\d+)*$/.test(version);
}

/**
 * Finds the longest line name that is a dotted prefix of the version. Checks all lines instead of looking up prefixes,
 * so that the result is independent of the code under test.
 */
function referenceLine(lines: readonly ReferenceLine[], version: string): ReferenceLine | null {
  const fold = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll('_', '-')
      .replace(/^v(\d)/, '$1');
  const same = lines.find(({ releaseCycle }) => fold(releaseCycle) === fold(version));
  if (same !== undefined) return same;
  const plain = (text: string) =>
    text
      .replace(/^[a-z]/i, '')
      .split('.')
      .map(Number)
      .join('.');
  let best: ReferenceLine | null = null;
  for (const line of lines) {
    if (!/^[a-z]?[\d.]+$/i.test(line.releaseCycle)) continue;
    const isPrefix = `${plain(version)}.`.startsWith(`${plain(line.releaseCycle)}.`);
    if (isPrefix && (best === null || plain(line.releaseCycle).length > plain(best.releaseCycle).length))
      best = line;
  }
  return best;
}

/** Counts calendar days. The first day after the last day of support has 0 days left. */
function referenceDaysLeft(eol: PhaseEnd, day: string): number | boolean | null {
  if (typeof eol !== 'string') return eol;
  const dayNumber = (text: string) =>
    Date.UTC(+text.slice(0, 4), +text.slice(5, 7) - 1, +text.slice(8)) / 86_400_000;
  return dayNumber(eol) + 1 - dayNumber(day);
}

function referenceSeverity(left: number | boolean | null): string | null {
  if (left === true || (typeof left === 'number' && left <= 0)) return 'critical';
  if (typeof left !== 'number' || left > 180) return null;
  return left > 60 ? 'moderate' : 'high';
}
