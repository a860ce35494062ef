import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { isLong } from '../../../tests/helpers/long-tests.ts';
import { initialEvaluation } from '../alerts/config-evaluation.ts';
import { decideAlerts } from '../alerts/decide-alerts.ts';
import type { AlertState } from '../alerts/open-alert.ts';
import { createDeployedVersionParser } from '../alerts/version-change.ts';
import { judge, type Verdict } from '../rules/judge.ts';
import { type ExistenceStart, prepareReleases, type ReleaseRow } from '../rules/release-set.ts';
import { ruleTypeIds } from '../rules/rule-types.ts';
import type { Thresholds } from '../rules/severity.ts';
import { dayMs } from '../rules/stored-lag.ts';
import { EpisodeLog } from './episodes.ts';
import { type ReplaySubject, replay } from './replay.ts';

const startMs = Date.parse('2026-01-01');
const gridMs = dayMs / 4;
const gridSize = 60 * 4;

// All dates are on this grid and thresholds are whole days, so verdicts change only at instants of the grid.
const instant = fc.integer({ min: 0, max: gridSize }).map((place) => startMs + place * gridMs);

const versions = [
  '0.9',
  '1.0.0',
  'v1.0.0',
  '1.0.1',
  '1.1.0',
  '1.2.0-rc.1',
  '1.2.0',
  '1.2',
  '2.0.0',
  '2.0',
  '3.1.4',
  '1.2.0-alpine',
  '1.3.1-alpine',
  '2.0.0-alpine3.24',
  'alpine3.24',
  '1_3',
  '1_4_1',
  '20260115',
  'cli-1.2.0',
  'cli-2.1.0',
  'main',
  'edge',
  'abc1234',
];

const row: fc.Arbitrary<ReleaseRow> = fc.record({
  version: fc.constantFrom(...versions),
  releasedAtMs: fc.option(instant),
  discoveredAtMs: instant,
  isPrerelease: fc.nat(9).map((one) => one === 0),
  isYanked: fc.nat(9).map((one) => one === 0),
  isWithdrawn: fc.nat(9).map((one) => one === 0),
  url: fc.constant(null),
});

const thresholds: fc.Arbitrary<Thresholds> = fc
  .uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 3, maxLength: 3 })
  .map((numbers) => numbers.toSorted((a, b) => a - b))
  .map(([moderate, high, critical]) => ({ moderate, high, critical }) as Thresholds);

const subject: fc.Arbitrary<ReplaySubject> = fc.record({
  rule: fc.record({
    type: fc.constantFrom(...ruleTypeIds),
    thresholds: fc.oneof(thresholds, fc.constant({ moderate: 1, high: 2 })),
    stableOnly: fc.boolean(),
    daysBasis: fc.constantFrom('deployed_release' as const, 'first_newer_release' as const),
    minReleaseAgeDays: fc.constantFrom(0, 0, 3, 14),
  }),
  options: fc.record({
    candidatePattern: fc.constantFrom(null, null, {
      source: '^v?[0-9]',
      matches: (version: string) => /^v?[0-9]/.test(version),
    }),
    ignoredVersions: fc.array(fc.constantFrom(...versions), { maxLength: 1 }),
  }),
  versions: fc
    .array(fc.record({ atMs: instant, version: fc.constantFrom(...versions, '1.1.5', 'nothing') }), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) => changes.toSorted((a, b) => a.atMs - b.atMs)),
});

const world = fc.record({
  scheme: fc.constantFrom('auto' as const, 'auto' as const, 'semver' as const),
  isImage: fc.boolean(),
  rows: fc.array(row, { minLength: 3, maxLength: 14, size: 'max' }),
  birth: fc.constantFrom<ExistenceStart>('released', 'seen'),
  subjects: fc.array(subject, { minLength: 1, maxLength: 3 }),
  bounds: fc
    .tuple(instant, instant)
    .map(([a, b]) => [Math.min(a, b) - dayMs, Math.max(a, b) + 20 * dayMs] as const),
});

type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

it('a replay equals a separate evaluation at every instant with the releases that existed then', () => {
  const seen = { created: 0, escalated: 0, resolved: 0 };
  fc.assert(
    fc.property(world, (given) => {
      const replayed = collect(given);
      for (const [index, each] of given.subjects.entries()) {
        const { events, verdicts } = judgeEverywhere(given, each);
        expect(replayed.events.get(each) ?? []).toEqual(events);
        expect(spread(given, replayed.verdicts.get(each) ?? []), `subject ${index}`).toEqual(verdicts);
        for (const [, action] of events) if (action in seen) seen[action as keyof typeof seen]++;
      }
    }),
    { numRuns: isLong ? 600 : 200 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(isLong ? 100 : 30);
});

it('the log records each alert once, with its escalations and its resolution', () => {
  fc.assert(
    fc.property(world, (given) => {
      const [fromMs, toMs] = given.bounds;
      const log = new EpisodeLog<ReplaySubject>(fromMs);
      for (const step of replay(toInput(given))) log.add(step);
      for (const each of given.subjects) {
        const { events } = judgeEverywhere(given, each);
        const episodes = log.episodes.filter((episode) => episode.subject === each);
        const told = episodes.flatMap((episode): Event[] => [
          [episode.openedAtMs, 'created', episode.severityAtOpening],
          ...episode.escalations.map(({ atMs, to }): Event => [atMs, 'escalated', to]),
          ...(episode.resolvedAtMs === null
            ? []
            : [[episode.resolvedAtMs, 'resolved', episode.alert.severity] as Event]),
        ]);
        expect(told).toEqual(
          events.filter(([, action]) => ['created', 'escalated', 'resolved'].includes(action)),
        );
        for (const { isOpenAtStart, openedAtMs } of episodes) {
          const isKnownBefore = each.versions.some(({ atMs }) => atMs < fromMs);
          expect(isOpenAtStart).toBe(openedAtMs === fromMs && isKnownBefore);
        }
        const starts = episodes.filter(({ isOpenAtStart }) => isOpenAtStart).length;
        const raised = log.events.filter((event) => event.subject === each);
        expect(raised).toHaveLength(told.length - starts);
        expect(raised.every(({ atMs }) => atMs >= fromMs && atMs <= toMs)).toBe(true);
      }
    }),
    { numRuns: isLong ? 200 : 80 },
  );
});

it("a release set as of a time excludes releases that didn't exist then", () => {
  const releases = prepareReleases('auto', [
    { version: '1.0.0', releasedAtMs: startMs, discoveredAtMs: startMs + 1, ...plain },
  ]);
  expect(releases.asOf(startMs - 1, 'released').size).toBe(0);
  expect(releases.asOf(startMs, 'released').withText('1.0.0')?.text).toBe('1.0.0');
  expect(releases.asOf(startMs, 'seen').size).toBe(0);
  expect(releases.changesBetween(startMs - 1, startMs, 'released')).toEqual([startMs]);
  expect(releases.changesBetween(startMs, startMs + 5, 'released')).toEqual([]);
});

const plain = { isPrerelease: false, isYanked: false, isWithdrawn: false, url: null };

type Event = [atMs: number, action: string, severity: string | null];

function toInput(given: World) {
  const { scheme, rows, isImage, birth, subjects, bounds } = given;
  const releases = prepareReleases(scheme, rows, { isImage });
  return { releases, birth, fromMs: bounds[0], toMs: bounds[1], subjects };
}

function collect(given: World) {
  const events = new Map<ReplaySubject, Event[]>();
  const verdicts = new Map<ReplaySubject, [number, unknown][]>();
  for (const { subject: of, atMs, verdict, decision } of replay(toInput(given))) {
    const known = events.get(of) ?? [];
    events.set(of, known);
    known.push(...eventsOf(atMs, decision));
    const judged = verdicts.get(of) ?? [];
    verdicts.set(of, judged);
    judged.push([atMs, lasting(verdict)]);
  }
  return { events, verdicts };
}

/** Returns the verdict at every instant of the grid, derived from the instants at which it was evaluated. */
function spread({ bounds }: World, judged: readonly [number, unknown][]) {
  return instants(bounds).flatMap((atMs): [number, unknown][] => {
    const last = judged.findLast(([at]) => at <= atMs);
    return last === undefined ? [] : [[atMs, last[1]]];
  });
}

/** Reference implementation that evaluates every instant, without an engine, ordering, or cache. */
function judgeEverywhere(given: World, { rule, options, versions: changes }: ReplaySubject) {
  const { scheme, rows, isImage, birth } = given;
  const events: Event[] = [];
  const verdicts: [number, unknown][] = [];
  let config = initialEvaluation;
  let openAlert: AlertState | null = null;
  for (const nowMs of instants(given.bounds)) {
    const running = changes.findLast(({ atMs }) => atMs <= nowMs);
    if (running === undefined) continue;
    const born = rows.filter(({ releasedAtMs, discoveredAtMs }) => {
      return (birth === 'seen' ? discoveredAtMs : (releasedAtMs ?? discoveredAtMs)) <= nowMs;
    });
    const releases = prepareReleases(scheme, born, { isImage });
    const verdict = judge({ rule, options, deployedVersion: running.version, releases, nowMs });
    const decision = decideAlerts({
      verdict,
      staleSinceMs: null,
      reading: createDeployedVersionParser(releases, options.candidatePattern),
      config,
      openAlert,
      nowMs,
    });
    config = decision.config;
    const alert: AlertState | null = decision.newAlert?.after ?? decision.openAlert?.after ?? openAlert;
    openAlert = alert?.resolvedAtMs === null ? alert : null;
    events.push(...eventsOf(nowMs, decision));
    verdicts.push([nowMs, lasting(verdict)]);
  }
  return { events, verdicts };
}

function eventsOf(atMs: number, decision: ReturnType<typeof decideAlerts>): Event[] {
  return [decision.openAlert, decision.newAlert].flatMap((write) =>
    (write?.changes ?? []).map(({ action }): Event => [atMs, action, write?.after.severity ?? null]),
  );
}

/**
 * Returns the parts of a verdict that don't change between evaluations. Excludes `behindBy` if
 * `behindSinceMs` is set, because such a lag grows every day without an evaluation.
 */
function lasting(verdict: Verdict) {
  const {
    behindBy,
    behindSinceMs,
    evidence: _,
    explanationFingerprint: __,
    nextCrossingAtMs,
    ...rest
  } = verdict;
  return { ...rest, behindBy: behindSinceMs === null ? behindBy : null, behindSinceMs, nextCrossingAtMs };
}

function instants([fromMs, toMs]: readonly [number, number]): number[] {
  const count = (toMs - fromMs) / gridMs + 1;
  return Array.from({ length: count }, (_, index) => fromMs + index * gridMs);
}

it('a replay skips releases from before the first deployment', () => {
  const rows = Array.from({ length: 500 }, (_, index): ReleaseRow => {
    const releasedAtMs = startMs + index * gridMs;
    return {
      version: `1.${index}.0`,
      releasedAtMs,
      discoveredAtMs: releasedAtMs,
      url: null,
      isPrerelease: false,
      isYanked: false,
      isWithdrawn: false,
    };
  });
  const releases = prepareReleases('auto', rows);
  const asOf = vi.spyOn(releases, 'asOf');
  const late: ReplaySubject = {
    rule: {
      type: 'majors_behind',
      thresholds: { moderate: 1 },
      stableOnly: true,
      daysBasis: null,
      minReleaseAgeDays: 0,
    },
    options: { candidatePattern: null, ignoredVersions: [], countedVersions: [] },
    versions: [{ atMs: startMs + 497.5 * gridMs, version: '1.0.0' }],
  };
  const input = { releases, birth: 'released', fromMs: startMs, toMs: startMs + 500 * gridMs } as const;
  const steps = [...replay({ ...input, subjects: [late] })];
  expect(steps.map(({ atMs }) => atMs)).toEqual([497.5, 498, 499].map((place) => startMs + place * gridMs));
  expect(asOf).toHaveBeenCalledTimes(3);
});
