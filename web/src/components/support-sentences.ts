import { formatAmount } from '../../../src/domain/rules/format-lag.ts';
import { describeReferenceAge } from '../../../src/domain/verdicts/reference-age.ts';
import { endOfDay, type SupportPhase } from '../../../src/domain/verdicts/support-phases.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatDay } from '../ui/format.ts';

type Explanation = Schemas['EvaluationExplanation'];
type Lifecycle = NonNullable<Explanation['lifecycle']>;

export const supportPhaseLabels: Record<SupportPhase, string> = {
  active_support: 'Active support',
  end_of_life: 'End of life',
  extended_support: 'Extended support',
};

const ofPhase: Record<SupportPhase, string> = {
  active_support: ' by active support',
  end_of_life: '',
  extended_support: ' by extended support',
};

const onDay = (day: string) => formatDay(new Date(`${day}T00:00:00Z`));

/** "PostgreSQL 14 ended on Nov 12, 2026; 18 is supported until Nov 14, 2030." */
export function supportSentences(lifecycle: Lifecycle, now: number): string[] {
  return [lineSentence(lifecycle, now), ...ageSentence(lifecycle, now)];
}

function lineSentence({ label, version, line, newest, ...end }: Lifecycle, now: number): string {
  if (version === null) return `The release doesn't name the version of its application, ${label}.`;
  const other = newest === null || newest.line === line ? '' : `; ${newestText(newest)}`;
  if (line === null) return `No release line of ${label} is known for ${version}${other}.`;
  return `${label} ${line} ${endText(end, now)}${other}.`;
}

function endText(
  { phase, ends_on, has_ended, is_paid }: Pick<Lifecycle, 'phase' | 'ends_on' | 'has_ended' | 'is_paid'>,
  now: number,
): string {
  const by = phase === null ? '' : ofPhase[phase];
  const bought = is_paid ? ' (paid support)' : '';
  if (ends_on === null) {
    if (has_ended === null) return 'has no known end of support';
    return has_ended ? `is no longer supported${by}` : `is supported${by}, with no known end`;
  }
  return (endOfDay(ends_on) ?? 0) <= now
    ? `ended on ${onDay(ends_on)}${bought}`
    : `is supported${by} until ${onDay(ends_on)}${bought}`;
}

function newestText({ line, ends_on }: NonNullable<Lifecycle['newest']>): string {
  return ends_on === null ? `${line} is supported` : `${line} is supported until ${onDay(ends_on)}`;
}

function ageSentence({ fetched_at, source }: Lifecycle, now: number): string[] {
  if (fetched_at == null) return [];
  const problem = describeReferenceAge(source, Date.parse(fetched_at), now, {
    configs: 'monitors',
    formatDay,
  });
  return problem === null ? [] : [problem];
}

/** "60 days before the end", "at the end", "30 days after the end". */
export function formatEndThreshold(days: number): string {
  if (days === 0) return 'at the end';
  return `${formatAmount(Math.abs(days), 'end_of_life')} ${days > 0 ? 'before' : 'after'} the end`;
}
