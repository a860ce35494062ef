import { describeRunResult } from '../../../src/domain/runs/describe-run-result.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatPeriod } from '../ui/format.ts';

type Run = Schemas['Run'];

export const triggerLabels: Record<Schemas['RunTrigger'], string> = {
  schedule: 'schedule',
  manual: 'manual',
  created: 'on creation',
  changed: 'configuration change',
  hook: 'hook',
};

/**
 * Describes the result of a run, and the period of the runs that its entry counts. Empty if the run hasn't succeeded.
 */
export function describeRunChanges(
  {
    status,
    summary,
    checks,
    finished_at: first,
    last_finished_at: last,
  }: Pick<Run, 'status' | 'summary' | 'checks' | 'finished_at' | 'last_finished_at'>,
  what?: 'release' | 'version',
): string {
  if (status !== 'succeeded' || !summary) return '';
  const result = describeRunResult(summary, what, checks);
  if (checks === 1 || first === null || last === null) return result;
  return `${result}, ${formatPeriod(new Date(first), new Date(last))}`;
}

/** Returns the time of the newest activity of a run, or of the last run that its entry counts. */
export function timeOfRun({
  checks,
  last_finished_at,
  started_at,
  created_at,
}: Pick<Run, 'checks' | 'last_finished_at' | 'started_at' | 'created_at'>): string {
  return (checks > 1 ? last_finished_at : null) ?? started_at ?? created_at;
}

/** Formats a duration: "240 ms", "3.2 s", "2 min 5 s". */
export function formatRunDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
