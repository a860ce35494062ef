import type { Episode } from '../../../domain/replay/episodes.ts';
import { dayMs } from '../../../domain/rules/stored-lag.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import type { SimulatedSubject } from './run-simulation.ts';

export type Simulation = Schemas['SimulationResult'];
export type LeftOutReason = Simulation['left_out'][number]['reason'];

const maxItems = 200;

/** Summarizes replayed alerts as the result of a simulation. */
export function summarizeSimulation(given: {
  fromMs: number;
  toMs: number;
  count: number;
  leftOut: ReadonlyMap<LeftOutReason, number>;
  /** Simulated subjects, without the subjects they are compared with. */
  simulated: readonly SimulatedSubject[];
  episodes: readonly Episode<SimulatedSubject>[];
  messages: Simulation['messages'];
  comparedWith: { ruleId: number | null; alertConfigId: number | null } | null;
}): Simulation {
  const { fromMs, toMs, simulated, comparedWith } = given;
  const before = given.episodes.filter(({ subject }) => subject.isBefore);
  const now = given.episodes.filter(({ subject }) => !subject.isBefore);
  const startsMs = simulated.map(({ versions }) => Math.max(fromMs, versions[0]!.atMs));
  const latestFirst = now.toSorted((a, b) => b.openedAtMs - a.openedAtMs);
  return {
    from: toTime(fromMs),
    to: toTime(toMs),
    basis: 'stored_dates',
    configs: given.count,
    evaluated: simulated.length,
    left_out: [...given.leftOut].flatMap(([reason, count]) => (count > 0 ? [{ reason, count }] : [])),
    known_from:
      startsMs.length === 0 ? null : toTime(startsMs.reduce((first, start) => Math.min(first, start))),
    partly_known: startsMs.filter((start) => start > fromMs).length,
    totals: totalsOf(now),
    by_severity: bySeverity(now),
    by_day: byDay(now, fromMs, toMs),
    messages: given.messages,
    compared_with: comparedWith && {
      rule_id: comparedWith.ruleId,
      alert_config_id: comparedWith.alertConfigId,
      totals: totalsOf(before),
    },
    items: latestFirst.slice(0, maxItems).map(toItem),
    total: now.length,
    is_complete: (given.leftOut.get('limit') ?? 0) === 0,
  };
}

function totalsOf(episodes: readonly Episode<SimulatedSubject>[]): Schemas['SimulationTotals'] {
  const opened = episodes.filter(({ isOpenAtStart }) => !isOpenAtStart);
  return {
    alerts: opened.length,
    escalations: episodes.reduce((sum, { escalations }) => sum + escalations.length, 0),
    things: new Set(opened.map(({ subject }) => subject)).size,
    open_at_start: episodes.length - opened.length,
    open_at_end: episodes.filter(({ resolvedAtMs }) => resolvedAtMs === null).length,
  };
}

function bySeverity(episodes: readonly Episode<SimulatedSubject>[]): Simulation['by_severity'] {
  const counts = { moderate: 0, high: 0, critical: 0 };
  for (const { isOpenAtStart, highestSeverity } of episodes) if (!isOpenAtStart) counts[highestSeverity]++;
  return counts;
}

function byDay(
  episodes: readonly Episode<SimulatedSubject>[],
  fromMs: number,
  toMs: number,
): Simulation['by_day'] {
  const firstDay = Math.floor(fromMs / dayMs);
  const days = Array.from({ length: Math.floor(toMs / dayMs) - firstDay + 1 }, (_, index) => ({
    date: toTime((firstDay + index) * dayMs).slice(0, 10),
    opened: 0,
    escalated: 0,
    resolved: 0,
    open: 0,
  }));
  const dayOf = (atMs: number) => days[Math.floor(atMs / dayMs) - firstDay]!;
  let open = 0;
  for (const { isOpenAtStart, openedAtMs, escalations, resolvedAtMs } of episodes) {
    if (isOpenAtStart) open++;
    else dayOf(openedAtMs).opened++;
    for (const { atMs } of escalations) dayOf(atMs).escalated++;
    if (resolvedAtMs !== null) dayOf(resolvedAtMs).resolved++;
  }
  for (const day of days) {
    open += day.opened - day.resolved;
    day.open = open;
  }
  return days;
}

function toItem({ subject, alert, ...episode }: Episode<SimulatedSubject>): Schemas['SimulatedAlert'] {
  const { id, name } = subject.config;
  return {
    alert_config: id === null ? null : { id, name },
    opened_at: toTime(episode.openedAtMs),
    is_open_at_start: episode.isOpenAtStart,
    severity: episode.severityAtOpening,
    escalations: episode.escalations.map(({ atMs, to }) => ({ at: toTime(atMs), severity: to })),
    resolved_at: episode.resolvedAtMs === null ? null : toTime(episode.resolvedAtMs),
    discovered_version: alert.discoveredVersion,
    latest_version: alert.latestVersion,
  };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
