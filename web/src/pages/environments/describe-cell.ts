import type { Schemas } from '../../../../src/generated/client-api.ts';
import { countOf } from '../../ui/format.ts';

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

/** Returns the display name of a row. */
export function nameOf({ service, component }: Pick<MatrixRow, 'service' | 'component'>): string {
  return component === null ? service : `${service} / ${component}`;
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
