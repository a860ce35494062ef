import { linkOptions } from '@tanstack/react-router';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { jobKinds } from '../../components/job-kind-pages.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import type { PageLink } from '../../ui/links.tsx';

type Overview = Schemas['Overview'];

interface Problem {
  text: string;
  /** Page that shows the problem. Null if the Today page shows its details. */
  link: PageLink | null;
  /** True if the details of the Today page list everything that the text counts. */
  isListed: boolean;
}

const jobNouns = {
  gather: { one: 'upstream source', many: 'upstream sources' },
  scrape: { one: 'version tracker', many: 'version trackers' },
  helm_sync: { one: 'Helm repository', many: 'Helm repositories' },
  discovery: { one: 'scan', many: 'scans' },
} as const;
const kinds = Object.keys(jobNouns) as (keyof typeof jobNouns)[];

/** Returns what a person must fix, and a note about the rest. Missing data isn't described as healthy. */
export function describeOperations({
  generated_at,
  agents,
  channels,
  deliveries_24h,
  jobs,
  failed_jobs,
  reference_sources,
}: Pick<
  Overview,
  'generated_at' | 'agents' | 'channels' | 'deliveries_24h' | 'jobs' | 'failed_jobs' | 'reference_sources'
>): { problems: readonly Problem[]; note: string } {
  const dayBefore = new Date(Date.parse(generated_at) - 86_400_000).toISOString();
  const problem = (count: number, text: string, link: PageLink): Problem[] =>
    count === 0 ? [] : [{ text, link, isListed: false }];
  const problems = [
    ...problem(
      agents.offline,
      `${countOf(agents.offline, 'agent')} offline`,
      linkOptions({ to: '/agents', search: { status: 'offline' } }),
    ),
    ...problem(
      deliveries_24h.dead_letter,
      `${countOf(deliveries_24h.dead_letter, 'message')} not delivered`,
      linkOptions({
        to: '/notification-deliveries',
        search: { status: 'dead_letter', since: dayBefore },
      }),
    ),
    ...problem(
      channels.failing,
      `${countOf(channels.failing, 'channel')} failing`,
      linkOptions({ to: '/notification-channels' }),
    ),
    // The counts include global jobs, which only the operator can fix. The list doesn't.
    ...kinds
      .filter((kind) => failed_jobs.some((job) => job.kind === kind))
      .map((kind) => ({
        text: describeFailing(kind, jobs[kind].failed),
        link: linkOptions({ to: jobKinds[kind].list, search: { status: 'failed', is_active: 'true' } }),
        isListed: jobs[kind].failed === failed_jobs.filter((job) => job.kind === kind).length,
      })),
    ...reference_sources.flatMap((source) => {
      const text = describeReference(source);
      return text === null ? [] : [{ text, link: null, isListed: true }];
    }),
  ];
  const ofOperator = failed_jobs.length > 0 ? 0 : kinds.reduce((sum, kind) => sum + jobs[kind].failed, 0);
  const note = [
    agents.online > 0
      ? `${countOf(agents.online, 'agent')} online`
      : agents.offline === 0 && 'no agent has connected yet',
    channels.active === 0
      ? channels.total === 0 && 'no channel yet'
      : deliveries_24h.succeeded === 0
        ? 'no messages in 24 hours'
        : `${countOf(deliveries_24h.succeeded, 'message')} delivered in 24 hours`,
    ofOperator > 0 && `${countOf(ofOperator, 'global job')} failing`,
  ];
  return { problems, note: note.filter(Boolean).join(', ') };
}

/**
 * Returns the heading of a list in which nothing needs action. Upgrades with an unknown state and failing jobs are
 * part of the heading, because an alert can be missing there.
 */
export function describeNothingToDo(
  { planned, snoozed, unknown, ok }: Schemas['UpgradeCounts'],
  jobs: Overview['jobs'],
): string {
  const doubts = [
    ...(unknown > 0
      ? [`${formatCount(unknown)} of ${formatCount(planned + snoozed + unknown + ok)} unknown`]
      : []),
    ...kinds.filter((kind) => jobs[kind].failed > 0).map((kind) => describeFailing(kind, jobs[kind].failed)),
  ];
  return doubts.length === 0 ? 'Nothing needs action' : `Nothing known needs action; ${doubts.join(', ')}`;
}

const describeFailing = (kind: keyof typeof jobNouns, count: number) =>
  `${countOf(count, jobNouns[kind].one, jobNouns[kind].many)} failing`;

function describeReference({
  label,
  as_of,
  is_old,
  waiting,
}: Overview['reference_sources'][number]): string | null {
  if (as_of === null) return `${label} not loaded`;
  if (is_old) return `${label} data is old`;
  return waiting === null ? null : `${label} data waits for confirmation`;
}
