import { describeRunResult } from '../../../src/domain/runs/describe-run-result.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

type Run = Schemas['Run'];

export const triggerLabels: Record<Schemas['RunTrigger'], string> = {
  schedule: 'schedule',
  manual: 'manual',
  created: 'on creation',
  changed: 'configuration change',
  hook: 'hook',
};

/** Describes the result of a run. Empty if the run hasn't succeeded. */
export function describeRunChanges(
  { status, summary }: Pick<Run, 'status' | 'summary'>,
  what?: 'release' | 'version',
): string {
  return status === 'succeeded' && summary ? describeRunResult(summary, what) : '';
}

/** Formats a duration: "240 ms", "3.2 s", "2 min 5 s". */
export function formatRunDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
