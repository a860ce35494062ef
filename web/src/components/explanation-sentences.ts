import type { Schemas } from '../../../src/generated/client-api.ts';
import { formatLongDay } from '../ui/format.ts';
import { behindInWords } from './behind-by.ts';
import { reasonWords } from './state-words.ts';

type Explanation = Schemas['EvaluationExplanation'];
type LeftOutReason = Explanation['left_out'][number]['reason'];

const dayMs = 86_400_000;
const onDate = (at: string) => formatLongDay(new Date(at));

/** Why a configuration stands where it stands, in sentences for people. @param now of the page, in milliseconds. */
export function explainInSentences(explanation: Explanation, now: number): string[] {
  return [
    deployedSentence(explanation.deployed),
    ...candidateSentences(explanation),
    ...lagSentences(explanation, now),
    verdictSentence(explanation),
    ...nextSentence(explanation, now),
  ];
}

function deployedSentence({ version, match, release }: Explanation['deployed']): string {
  switch (match) {
    case 'no_version':
      return 'No deployed version is known yet.';
    case 'exact':
      return `${version} is deployed, and upstream has released it.`;
    case 'same_version':
      return `${version} is deployed; upstream calls it ${release}.`;
    case 'nearest_lower':
      return `${version} is deployed. Upstream does not list it; the next release below it is ${release}.`;
    case 'none':
      return `${version} is deployed. Upstream lists neither it nor anything below it.`;
    case 'unparseable':
      return `${version} is deployed, which is not a version that can be compared.`;
  }
}

function candidateSentences({ latest, candidates, left_out, rule }: Explanation): string[] {
  const sentences: string[] = [];
  if (latest === null) {
    sentences.push('No release is left to compare it with.');
  } else {
    const known = latest.date_source === 'released_at' ? 'released on' : 'first seen on';
    const releases =
      candidates.count === 1
        ? 'One release counts'
        : `${candidates.count.toLocaleString('en')} releases count`;
    sentences.push(`${releases}; the highest is ${latest.version}, ${known} ${onDate(latest.date)}.`);
    if (candidates.variant_rule === 'without_suffix')
      sentences.push(
        'None of them has the suffix of the deployed version, so those without a suffix are compared.',
      );
    if (candidates.variant_rule === 'all')
      sentences.push('None of them has the form of the deployed version, so all are compared.');
  }
  if (left_out.length > 0) {
    const parts = left_out.map(({ reason, count, examples }) => {
      const more =
        examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`;
      return `${leftOutInWords(reason, count, rule.min_release_age_days)}${more}`;
    });
    sentences.push(`Left out: ${parts.join('; ')}.`);
  }
  return sentences;
}

function leftOutInWords(reason: LeftOutReason, count: number, minReleaseAgeDays: number): string {
  const releases = count === 1 ? 'release' : 'releases';
  const n = count.toLocaleString('en');
  switch (reason) {
    case 'withdrawn':
      return `${n} ${releases} that upstream no longer lists`;
    case 'yanked':
      return `${n} ${releases} that upstream took back`;
    case 'prerelease':
      return `${n} ${count === 1 ? 'pre-release' : 'pre-releases'}`;
    case 'ignored':
      return `${n} ignored ${releases}`;
    case 'candidate_pattern':
      return `${n} ${releases} that the pattern of the configuration does not match`;
    case 'not_a_version':
      return `${n} ${count === 1 ? 'tag that is no version' : 'tags that are no versions'}`;
    case 'other_variant':
      return `${n} ${releases} of another variant`;
    case 'too_young':
      return `${n} ${releases} younger than ${minReleaseAgeDays} days`;
  }
}

function lagSentences(
  { date_used, behind_by, behind_since, rule, state }: Explanation,
  now: number,
): string[] {
  if (date_used !== null && behind_since !== null) {
    const days = Math.max(0, Math.floor((now - Date.parse(behind_since)) / dayMs));
    const known = date_used.source === 'released_at' ? 'was released' : 'was first seen';
    const whose = {
      deployed_release: `when ${date_used.version}, the deployed one, ${known}`,
      nearest_lower_release: `when ${date_used.version}, the next release below it, ${known}`,
      first_newer_release: `when ${date_used.version}, the first release above it, ${known}`,
    }[date_used.of];
    return [
      `Days count from ${onDate(date_used.at)}, ${whose}: ${behindInWords(days, rule.rule_type)} by now.`,
      ...(date_used.is_estimate ? ['That date is an estimate, because the real one is not known.'] : []),
    ];
  }
  if (behind_by === 0 && rule.rule_type === 'days_behind')
    return ['Nothing above it counts: it is up to date.'];
  if (behind_by !== null) return [`It is ${behindInWords(behind_by, rule.rule_type)} behind.`];
  return state === 'ok' ? ['Nothing above it counts: it is up to date.'] : [];
}

function verdictSentence({ state, state_reason, severity, reason, rule }: Explanation): string {
  const known = state_reason !== null && Object.hasOwn(reasonWords, state_reason);
  const words = known ? reasonWords[state_reason as keyof typeof reasonWords] : null;
  if (state === 'no_data')
    return words === null ? 'So nothing can be said yet.' : `${words.about} ${words.remedy}`;
  const steps = (['moderate', 'high', 'critical'] as const).flatMap((step) => {
    const from = rule.thresholds[step];
    return from === null ? [] : [`${step} from ${behindInWords(from, rule.rule_type)}`];
  });
  if (state === 'ok') {
    const ahead = words === null ? '' : ` ${words.about} ${words.remedy}`;
    return `The rule says ${steps.join(', ')}: no alert.${ahead}`;
  }
  if (reason === 'version_not_found' || reason === 'version_unparseable') {
    return `${reasonWords[reason].about} That is taken as seriously as the rule can say: ${severity}.`;
  }
  return `The rule says ${steps.join(', ')}: ${severity}.`;
}

function nextSentence({ next_change_at }: Explanation, now: number): string[] {
  if (next_change_at === null || Date.parse(next_change_at) <= now) return [];
  return [`If nothing else happens, this changes on ${onDate(next_change_at)}.`];
}
