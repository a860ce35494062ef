import type { Explanation } from '../rules/explanation.ts';
import { formatAmount } from '../rules/format-lag.ts';
import { ageSentences } from '../rules/reference-age.ts';
import { endOfDay, type SupportPhase } from '../support/support-phases.ts';
import { readableDay } from '../text/readable-time.ts';

/** The support of a deployed version, as the API returns it. */
export type DescribedLifecycle = NonNullable<Explanation['lifecycle']> & {
  readonly fetched_at?: string | null;
};

interface PhaseLabels {
  in: string;
  ended: string;
}

const wholeSupport: PhaseLabels = { in: 'supported', ended: 'reached end of support' };
const phaseWords: Record<SupportPhase, PhaseLabels> = {
  active_support: { in: 'in active support', ended: 'left active support' },
  end_of_life: wholeSupport,
  extended_support: { in: 'in extended support', ended: 'left extended support' },
};

/**
 * Returns sentences such as "PostgreSQL 14 reached end of support on Nov 12, 2026; 18 is supported until Nov
 * 14, 2030."
 */
export function supportSentences(lifecycle: DescribedLifecycle, now: number): string[] {
  const { source, fetched_at } = lifecycle;
  return [lineSentence(lifecycle, now), ...ageSentences(source, fetched_at, now)];
}

function lineSentence({ label, version, line, newest, ...end }: DescribedLifecycle, now: number): string {
  if (version === null) return `The release doesn't name the version of its application, ${label}.`;
  const other = newest === null || newest.line === line ? '' : `; ${newestText(newest)}`;
  if (line === null && end.ends_on === null)
    return `No release line of ${label} is known for ${version}${other}.`;
  return `${label} ${line ?? version} ${endText(end, now)}${other}.`;
}

function endText(
  {
    phase,
    ends_on,
    has_ended,
    is_paid,
  }: Pick<DescribedLifecycle, 'phase' | 'ends_on' | 'has_ended' | 'is_paid'>,
  now: number,
): string {
  const words = phase === null ? wholeSupport : phaseWords[phase];
  const bought = is_paid ? ' (paid support)' : '';
  if (ends_on === null) {
    if (has_ended === null) return 'has no known end of support';
    return has_ended ? `is no longer ${words.in}` : `is ${words.in}, with no known end`;
  }
  return (endOfDay(ends_on) ?? 0) <= now
    ? `${words.ended} on ${readableDay(ends_on)}${bought}`
    : `is ${words.in} until ${readableDay(ends_on)}${bought}`;
}

function newestText({ line, ends_on }: NonNullable<DescribedLifecycle['newest']>): string {
  return ends_on === null ? `${line} is supported` : `${line} is supported until ${readableDay(ends_on)}`;
}

/** Formats a threshold as "60 days before the end", "at the end", or "30 days after the end". */
export function formatEndThreshold(days: number): string {
  if (days === 0) return 'at the end';
  return `${formatAmount(Math.abs(days), 'end_of_life')} ${days > 0 ? 'before' : 'after'} the end`;
}
