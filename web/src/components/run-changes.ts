import type { Schemas } from '../../../src/generated/client-api.ts';

type Run = Schemas['Run'];

export const triggerLabels: Record<Schemas['RunTrigger'], string> = {
  schedule: 'schedule',
  manual: 'manual',
  created: 'on creation',
  changed: 'configuration change',
  hook: 'hook',
};

/**
 * Labels for the results of runs. Most runs find releases. A discovery job finds deployed versions, including
 * versions that it can't propose.
 */
const resultLabels = {
  release: { many: 'releases', skipped: 'excluded', read: 'read' },
  version: { many: 'versions', skipped: 'not proposed', read: 'found' },
} as const;

/** Summarizes the changes from a run. Empty if the run hasn't succeeded. */
export function runChanges(
  { status, summary }: Pick<Run, 'status' | 'summary'>,
  what: keyof typeof resultLabels = 'release',
): string {
  const { many, skipped, read } = resultLabels[what];
  if (status !== 'succeeded' || !summary) return '';
  if (summary.version !== undefined) {
    return summary.is_change ? `New version: ${summary.version}` : `No change (${summary.version})`;
  }
  const counts = [
    count(summary.added, `new ${what}`, `new ${many}`),
    count(summary.updated, 'changed', 'changed'),
    count(summary.withdrawn, 'removed', 'removed'),
    count(summary.missing, 'missing', 'missing'),
    count(summary.charts, 'chart', 'charts'),
    count(summary.gather_jobs_created, 'source created', 'sources created'),
    count(summary.skipped, skipped, skipped),
    count(summary.silent_count, 'file without versions', 'files without versions'),
  ].filter((part) => part !== null);
  if (counts.length > 0) return counts.join(', ');
  if (summary.not_modified) return 'No changes';
  if (summary.found === 0 && summary.warnings?.length) return summary.warnings.join(' ');
  return summary.found === undefined ? 'No changes' : `No changes (${summary.found} ${many} ${read})`;
}

function count(value: number | undefined, one: string, many: string): string | null {
  return value ? `${value.toLocaleString('en')} ${value === 1 ? one : many}` : null;
}

/** Formats a duration: "240 ms", "3.2 s", "2 min 5 s". */
export function formatRunDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
