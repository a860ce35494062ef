import fc from 'fast-check';
import { expect, it } from 'vitest';
import { prepareReleases, type ReleaseRow } from '../rules/release-set.ts';
import { dayMs } from '../rules/stored-lag.ts';
import { type FreshnessFigures, measureFreshness } from './freshness-figures.ts';
import { endOfDayMs } from './freshness-metrics.ts';
import { type FreshnessSubject, freshnessTimeline } from './freshness-timeline.ts';

const firstDay = Date.parse('2026-01-01') / dayMs;
const dayCount = 100;
const options = { candidatePattern: null, ignoredVersions: [] };
const days = Array.from({ length: dayCount }, (_, index) => firstDay + index);
const runs = Number(process.env['PACEKEEPER_FRESHNESS_WORLDS'] ?? 40);

const versions = [
  '0.9',
  '1.0.0',
  'v1.0.0',
  '1.0.1',
  '1.1.0',
  '1.2.0-rc.1',
  '1.2.0',
  '2.0.0',
  '3.1.4',
  'main',
  '1.2.0-alpine',
  '1.3.1-alpine',
  'alpine3.24',
  '1_3',
  '20260115',
  'cli-1.2.0',
  'cli-2.1.0',
];
const instant = fc
  .integer({ min: -30 * 24, max: dayCount * 24 })
  .map((hour) => firstDay * dayMs + hour * 3_600_000);

const row: fc.Arbitrary<ReleaseRow> = fc
  .record({
    version: fc.constantFrom(...versions),
    hasDate: fc.boolean(),
    atMs: instant,
    isPrerelease: fc.nat(9).map((one) => one === 0),
  })
  .map(({ version, hasDate, atMs, isPrerelease }) => ({
    version,
    releasedAtMs: hasDate ? atMs : null,
    discoveredAtMs: atMs,
    isPrerelease,
    isYanked: false,
    isWithdrawn: false,
    url: null,
  }));

const subject: fc.Arbitrary<FreshnessSubject> = fc
  .array(fc.record({ atMs: instant, version: fc.constantFrom(...versions) }), { maxLength: 5 })
  .map((changes) => ({ options, versions: changes.toSorted((a, b) => a.atMs - b.atMs) }));

it('a timeline over 100 days has the same figures as a separate measurement of each day', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(row, { selector: ({ version }) => version, maxLength: 12 }),
      fc.array(subject, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      (rows, subjects, isImage) => {
        const found = subjects.map((): (FreshnessFigures | null | undefined)[] =>
          Array(dayCount).fill(undefined),
        );
        const set = prepareReleases('auto', rows, { isImage });
        for (const step of freshnessTimeline(set, subjects, days.map(endOfDayMs))) {
          found[subjects.indexOf(step.subject)]!.fill(step.figures, step.fromIndex, step.untilIndex);
        }
        const alone = subjects.map(({ versions: changes }) =>
          days.map((day) => {
            const endMs = endOfDayMs(day);
            const running = changes.findLast(({ atMs }) => atMs <= endMs);
            if (running === undefined) return undefined;
            const born = rows.filter((each) => (each.releasedAtMs ?? each.discoveredAtMs) <= endMs);
            return measureFreshness(prepareReleases('auto', born, { isImage }), options, running.version);
          }),
        );
        expect(found).toEqual(alone);
      },
    ),
    { numRuns: runs },
  );
});

it('a subject is measured only when its version or the releases change', () => {
  const releases = prepareReleases(
    'auto',
    ['2025-12-01', '2026-01-10', '2026-01-20'].map((date, index) => ({
      version: `1.${index}.0`,
      releasedAtMs: Date.parse(date),
      discoveredAtMs: Date.parse(date),
      isPrerelease: false,
      isYanked: false,
      isWithdrawn: false,
      url: null,
    })),
  );
  const one = { options, versions: [{ atMs: Date.parse('2026-01-05T12:00Z'), version: '1.0.0' }] };
  const steps = [...freshnessTimeline(releases, [one], days.map(endOfDayMs))];
  expect(
    steps.map(({ fromIndex, untilIndex, figures }) => [fromIndex, untilIndex, figures?.releases]),
  ).toEqual([
    [4, 9, 0],
    [9, 19, 1],
    [19, 100, 2],
  ]);
});
