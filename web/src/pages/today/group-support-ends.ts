import type { Schemas } from '../../../../src/generated/client-api.ts';

type SupportEnd = Pick<
  Schemas['SupportEnd'],
  'label' | 'line' | 'ends_at' | 'has_ended' | 'days_left' | 'scrape_job'
>;

/** A release line whose support ends, with the number of places that run it. */
interface EndingLine {
  name: string;
  places: number;
  endsAt: string;
  isUrgent: boolean;
}

/** An end of support within this many days is urgent, because it can't wait for a later week. */
const urgentDays = 7;

/** Groups ends of support by release line, earliest first, and counts the places whose support has ended. */
export function groupSupportEnds(ends: readonly SupportEnd[]): {
  soon: readonly EndingLine[];
  endedCount: number;
} {
  const lines = new Map<string, { ends: SupportEnd & { ends_at: string }; jobs: Set<number> }>();
  const ended = new Set<number>();
  for (const end of ends) {
    const { ends_at } = end;
    if (end.has_ended) ended.add(end.scrape_job.id);
    if (end.has_ended || ends_at === null) continue;
    const name = `${end.label} ${end.line}`;
    const line = lines.get(name) ?? { ends: { ...end, ends_at }, jobs: new Set() };
    line.jobs.add(end.scrape_job.id);
    lines.set(name, line);
  }
  const soon = [...lines]
    .map(([name, { ends: first, jobs }]) => ({
      name,
      places: jobs.size,
      endsAt: first.ends_at,
      isUrgent: (first.days_left ?? Infinity) <= urgentDays,
    }))
    .toSorted((a, b) => (a.endsAt < b.endsAt ? -1 : 1));
  return { soon, endedCount: ended.size };
}
