import type { Schemas } from '../../../src/generated/client-api.ts';

type Run = Schemas['Run'];

export const triggerWords: Record<Schemas['RunTrigger'], string> = {
  schedule: 'by its schedule',
  manual: 'by hand',
  created: 'when it was made',
  changed: 'after a change of the job',
};

/** What a run has brought, in words. Empty while it is under way and when it failed. */
export function runChanges({ status, summary }: Pick<Run, 'status' | 'summary'>): string {
  if (status !== 'succeeded' || !summary) return '';
  if (summary.version !== undefined) {
    return summary.is_change ? `Found ${summary.version}, which is new.` : `Still ${summary.version}.`;
  }
  const counts = [
    count(summary.added, 'new release', 'new releases'),
    count(summary.updated, 'changed', 'changed'),
    count(summary.withdrawn, 'withdrawn', 'withdrawn'),
    count(summary.charts, 'chart', 'charts'),
    count(summary.gather_jobs_created, 'gather job made', 'gather jobs made'),
    count(summary.skipped, 'left out', 'left out'),
  ].filter((part) => part !== null);
  if (counts.length > 0) return sentence(counts.join(', '));
  if (summary.not_modified) return 'Nothing new: the source says so.';
  return summary.found === undefined ? 'Nothing new.' : `Nothing new among ${summary.found} read.`;
}

function count(value: number | undefined, one: string, many: string): string | null {
  return value ? `${value.toLocaleString('en')} ${value === 1 ? one : many}` : null;
}

const sentence = (text: string): string => `${text}.`;

/** "240 ms", "3.2 s", "2 min 5 s". */
export function durationInWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
