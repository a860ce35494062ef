import type { Schemas } from '../../../../src/generated/client-api.ts';
import { severityLabels } from '../../components/severity.tsx';
import { describeSupport } from '../../components/support/describe-support.ts';
import type { SupportEnd } from '../../components/support/load-support.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { formatElapsedTime } from '../../ui/format-relative-time.ts';

export type Cell = Schemas['EnvironmentMatrixCell'];
export type MatrixRow = Schemas['EnvironmentMatrixRow'];

/**
 * Returns the comparison of a cell with the previous environment, without times. Returns `null` for the first
 * environment.
 */
export function describeCell({ relation, compared_with, releases_behind }: Cell): string | null {
  switch (relation) {
    case 'first':
      return null;
    case 'same':
      return `same as ${compared_with}`;
    case 'behind':
      return `${countOf(releases_behind ?? 1, 'deployment')} behind ${compared_with}`;
    case 'ahead':
      return `ahead of ${compared_with}`;
    case 'different':
      return `different from ${compared_with}`;
    case 'missing':
      return 'missing';
  }
}

/** Color of a cell: its severity, `ok` for the latest version, `behind` within the rules, or `unknown`. */
type Heat = Schemas['AlertSeverity'] | 'ok' | 'behind' | 'unknown';

/**
 * Returns the color of a cell, the number of newer releases upstream, and whether that number isn't known, which a cell
 * shows in addition to its severity. Without a monitor, the color and the number are `null`.
 */
export function describeLag({ upstream }: Cell): {
  heat: Heat | null;
  lag: string | null;
  isUnknown: boolean;
} {
  if (upstream === null) return { heat: null, lag: null, isUnknown: false };
  const { state, severity, releases_behind } = upstream;
  const lag =
    releases_behind === null ? '?' : releases_behind === 0 ? '0' : `−${formatCount(releases_behind)}`;
  if (severity !== null) return { heat: severity, lag, isUnknown: releases_behind === null };
  if (state !== 'ok' || releases_behind === null) return { heat: 'unknown', lag, isUnknown: true };
  return { heat: releases_behind === 0 ? 'ok' : 'behind', lag, isUnknown: false };
}

/** Support that ends within this many days is marked in the cell. */
const markedDays = 90;

/** Returns the time until the end of support, such as "12 d". Empty if it has ended, `null` if it isn't marked. */
export function describeSupportMark({ days_left, has_ended }: SupportEnd): string | null {
  if (has_ended) return '';
  return days_left !== null && days_left <= markedDays ? `${days_left} d` : null;
}

/** Returns everything that a cell shows by colors, numbers, and marks, in sentences. */
export function cellSentences(cell: Cell, support: SupportEnd | undefined, nowMs: number): string[] {
  const drift = describeCell(cell);
  const since = cell.behind_since === null ? '' : ` for ${formatElapsedTime(cell.behind_since, nowMs)}`;
  return [
    `${cell.versions.map(({ version, count }) => (count > 1 ? `${version} (${formatCount(count)} times)` : version)).join(', ')}.`,
    upstreamSentence(cell.upstream),
    ...(support === undefined ? [] : [`${support.label} ${support.line}: ${describeSupport(support)}.`]),
    ...(drift === null ? [] : [`${drift.charAt(0).toUpperCase()}${drift.slice(1)}${since}.`]),
  ];
}

function upstreamSentence(upstream: Cell['upstream']): string {
  if (upstream === null) return 'No monitor compares it with an upstream source.';
  const { severity } = upstream;
  const lag = lagSentence(upstream);
  return severity === null
    ? `${lag.charAt(0).toUpperCase()}${lag.slice(1)}`
    : `${severityLabels[severity]}: ${lag}`;
}

function lagSentence({
  state,
  latest_version,
  releases_behind,
  days_behind,
}: NonNullable<Cell['upstream']>): string {
  if (releases_behind === null)
    return state === 'no_data'
      ? 'no data about newer releases.'
      : "the number of newer releases isn't known.";
  if (releases_behind === 0) return `no newer release than ${latest_version ?? 'this one'}.`;
  const since = days_behind === null ? '' : `, for ${countOf(days_behind, 'day')}`;
  return `${countOf(releases_behind, 'release')} behind ${latest_version ?? 'upstream'}${since}.`;
}

/**
 * Returns the latest upstream version of a row. It comes from the last environment that has one, because
 * that's usually production.
 */
export function latestOf({ cells }: MatrixRow): string | null {
  return cells.findLast(({ upstream }) => upstream?.latest_version != null)?.upstream?.latest_version ?? null;
}

/** Returns the display name of a row. */
export function nameOf({ service, component }: Pick<MatrixRow, 'service' | 'component'>): string {
  return component === null ? service : `${service} / ${component}`;
}

/** Returns the environments with one of them, if given, before the others. */
export function productionFirst(
  environments: readonly string[],
  production: string | undefined,
): readonly string[] {
  if (production === undefined) return environments;
  return [production, ...environments.filter((environment) => environment !== production)];
}

/** Formats the time between two deployments: `9 min`, `3.2 h`, `5 days`. */
export function formatLag(seconds: number | null): string {
  if (seconds === null) return '—';
  const size = Math.abs(seconds);
  const sign = seconds < 0 ? '−' : '';
  if (size < 60) return `${sign}${size} s`;
  if (size < 3_600) return `${sign}${rounded(size / 60)} min`;
  if (size < 2 * 86_400) return `${sign}${rounded(size / 3_600)} h`;
  return `${sign}${rounded(size / 86_400)} days`;
}

/** Returns the precision of a time between deployments, which depends on the schedules of the version trackers. */
export function describePrecision(seconds: number | null): string | undefined {
  if (seconds === null) return 'no schedule';
  return seconds === 0 ? undefined : `± ${formatLag(seconds)}`;
}

/** Returns the text after "when Pacekeeper first saw it": the maximum delay until Pacekeeper sees a new version. */
export function describeDelay(seconds: number | null): string {
  if (seconds === null) return '. Some version trackers have no schedule, so that can be much later';
  return seconds === 0 ? '' : `, which can be up to ${formatLag(seconds)} later`;
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}
