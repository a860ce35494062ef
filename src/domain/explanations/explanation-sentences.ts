import { describeStateReason, type StateReasonTerms, stateReasons } from '../alerts/state-reasons.ts';
import type { Explanation } from '../rules/explanation.ts';
import { formatAmount, formatLag } from '../rules/format-lag.ts';
import type { LeftOutReason } from '../rules/left-out.ts';
import { countsDays } from '../rules/rule-type.ts';
import { ruleTypes } from '../rules/rule-types.ts';
import { alertSeverities } from '../rules/severity.ts';
import { dayMs, wholeDaysBetween } from '../rules/stored-lag.ts';
import { endOfDay } from '../support/support-phases.ts';
import { readableDay } from '../text/readable-time.ts';
import { exploitSentences, missedDeadlineSentence, severityAtDeadline } from './exploit-sentences.ts';
import { type DescribedLifecycle, formatEndThreshold, supportSentences } from './support-sentences.ts';
import { type DescribedVulnerabilities, vulnerabilitySentences } from './vulnerability-sentences.ts';

/**
 * An explanation as returned by the API. Fields that were added later may be missing from stored
 * explanations.
 */
export interface DescribedExplanation
  extends Omit<
    WithOptional<Explanation, 'continued_by' | 'jump'>,
    'deployed' | 'candidates' | 'lifecycle' | 'vulnerabilities' | 'is_archived' | 'release_moves'
  > {
  readonly deployed: DescribedDeployed;
  readonly candidates: WithOptional<Explanation['candidates'], 'counted'>;
  readonly lifecycle?: DescribedLifecycle | null;
  readonly vulnerabilities?: DescribedVulnerabilities | null;
  readonly is_archived?: boolean;
  readonly release_moves?: DescribedMoves;
}

type DescribedMoves = NonNullable<Explanation['release_moves']>;
type DescribedDeployed = WithOptional<Explanation['deployed'], 'adopted_line'>;
type WithOptional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

/**
 * Explains the state of an alert configuration in sentences.
 *
 * @param nowMs The time until which days are counted.
 * @param terms The names for resources: those of the UI or those of the API.
 */
export function explainInSentences(
  explanation: DescribedExplanation,
  nowMs: number,
  terms: StateReasonTerms,
): string[] {
  return [
    ...deployedSentences(listedIn(explanation)),
    ...numberingSentence(explanation),
    ...measuredSentences(explanation, nowMs, terms),
    verdictSentence(explanation, terms),
    ...nextSentence(explanation, nowMs),
  ];
}

function measuredSentences(
  explanation: DescribedExplanation,
  nowMs: number,
  terms: StateReasonTerms,
): string[] {
  const { lifecycle, vulnerabilities, release_moves: moves } = explanation;
  switch (ruleTypes[explanation.rule.rule_type].kind) {
    case 'support':
      return lifecycle == null ? [] : supportSentences(lifecycle, nowMs);
    case 'vulnerabilities':
      return [
        ...(vulnerabilities == null ? [] : vulnerabilitySentences(vulnerabilities, nowMs)),
        ...fixAgeSentences(explanation, nowMs),
        ...(vulnerabilities == null ? [] : exploitSentences(vulnerabilities, explanation.rule)),
      ];
    case 'release_moves':
      return moves === undefined ? [] : moveSentences(moves);
    case 'version_count':
    case 'version_age':
    case 'upstream_activity':
      return explanation.deployed.match === 'no_releases'
        ? []
        : [
            ...candidateSentences(explanation, terms),
            ...archivedSentence(explanation),
            ...lagSentences(explanation, nowMs),
          ];
  }
}

/** States how long a fix has been available, for rules that count days. */
function fixAgeSentences({ date_used, rule }: DescribedExplanation, nowMs: number): string[] {
  if (date_used?.of !== 'fix_release') return [];
  const days = wholeDaysBetween(Date.parse(date_used.at), nowMs);
  return [
    `${date_used.version} fixes a vulnerability that has been public, with a fix available, since ${readableDay(date_used.at)}: ${formatAmount(days, rule.rule_type)}.`,
    ...estimateSentence(date_used),
  ];
}

function moveSentences({ count, latest }: DescribedMoves): string[] {
  if (latest === null) return ['No change of its commit or digest has been noticed, except by habit.'];
  const times = count === 1 ? 'once' : `${count.toLocaleString('en')} times`;
  const kind = latest.to.startsWith('sha') ? 'digest' : 'commit';
  return [
    `Its commit or digest has changed ${times} since it was published.`,
    `The newest change was noticed on ${readableDay(latest.noticed_at)}: the ${kind} ${latest.from} became ${latest.to}.`,
  ];
}

/**
 * Changes the match to `no_releases` if the source has no releases. Otherwise, the sentence would state that
 * the deployed version is missing from an existing list.
 */
function listedIn({ deployed, state_reason }: DescribedExplanation): DescribedDeployed {
  return deployed.match === 'none' && state_reason === 'no_release'
    ? { ...deployed, match: 'no_releases' }
    : deployed;
}

function isAboutSupport({ rule }: DescribedExplanation): boolean {
  return ruleTypes[rule.rule_type].kind === 'support';
}

const unconfirmedReasons = {
  file_unread: "its file can't be read",
  not_found: "scans haven't found it in its place",
  version_unknown: 'its file contains no version that can be compared',
  overridden: 'an overlay replaces the version in its file',
  not_installed: 'the repository shows that nothing deploys it',
} as const;

/** States that a deployed version is only the last known one, and why discovery can't confirm it. */
export function unconfirmedSentence({
  reason,
  since,
}: {
  reason: keyof typeof unconfirmedReasons;
  since: string;
}) {
  return `The deployed version is the last known one: since ${readableDay(since)}, ${unconfirmedReasons[reason]}.`;
}

/**
 * Returns a warning about an unusual jump to the latest release, or `null` if the releases have no such jump.
 */
export function jumpSentence(
  { jump }: Pick<DescribedExplanation, 'jump'>,
  where: 'here' | 'in monitors' = 'here',
): string | null {
  const [latest] = jump?.above ?? [];
  if (!jump || latest === undefined) return null;
  const which =
    jump.above.length === 1
      ? `${latest} is`
      : `The latest ${jump.above.length.toLocaleString('en')} versions (${jump.above.join(', ')}) are`;
  return `${which} far above ${jump.from}, the next lower version. This can be a new numbering or a mistake. If it's a mistake, ignore ${jump.above.length === 1 ? 'the release' : 'the releases'}${where === 'here' ? '' : ' in the monitors that use this source'}.`;
}

export function deployedSentences(deployed: DescribedDeployed): string[] {
  const line = deployed.adopted_line;
  if (line === null || line === undefined) return [deployedSentence(deployed)];
  const releases = line === '' ? 'releases without a name' : `releases named ${line}`;
  return [deployedSentence(deployed), `It's compared with the ${releases}.`];
}

/**
 * Returns a sentence about an ended numbering for alerts. In other states, the text of the state reason contains this
 * information.
 */
function numberingSentence({ state, continued_by, deployed }: DescribedExplanation): string[] {
  if (state !== 'alerting' || !continued_by) return [];
  return [
    `${deployed.version} has a number that upstream no longer uses. Its releases continue with ${continued_by}.`,
  ];
}

function deployedSentence({ version, match, release }: DescribedDeployed): string {
  switch (match) {
    case 'no_version':
      return 'No deployed version yet.';
    case 'exact':
      return `${version} is deployed and matches an upstream release.`;
    case 'same_version':
      return `${version} is deployed. Upstream lists it as ${release}.`;
    case 'moving_tag':
      return `${version} is deployed. This tag moves: it's ${release} now.`;
    case 'platform_tag':
      return `${version} is deployed. This tag names a platform and no version, so only its date is compared.`;
    case 'nearest_lower':
      return `${version} is deployed but isn't listed upstream. The closest earlier release is ${release}.`;
    case 'no_releases':
      return `${version} is deployed.`;
    case 'none':
      return `${version} is deployed but isn't listed upstream. If that's unexpected, check the deployed version for a typo.`;
    case 'unparseable':
      return `${version} is deployed, but it isn't a version Pacekeeper can compare.`;
  }
}

function candidateSentences(
  { latest, candidates, left_out, rule }: DescribedExplanation,
  terms: StateReasonTerms,
): string[] {
  const sentences: string[] = [];
  if (latest === null) {
    sentences.push('No releases qualify for comparison.');
  } else {
    const known = {
      released_at: 'released on',
      discovered_at: 'first seen on',
      counted_at: 'first seen on',
      listed_at: 'listed on',
    }[latest.date_source];
    const which =
      candidates.count === 1
        ? '1 release qualifies:'
        : `${candidates.count.toLocaleString('en')} releases qualify. The latest is`;
    sentences.push(`${which} ${latest.version}, ${known} ${readableDay(latest.date)}.`);
    if (candidates.variant_rule === 'without_suffix')
      sentences.push(
        "No release has the deployed version's suffix, so releases without a suffix are compared.",
      );
    if (candidates.variant_rule === 'all')
      sentences.push("No release has the deployed version's format, so all releases are compared.");
  }
  const { counted = [] } = candidates;
  if (counted.length > 0) {
    const isOne = counted.length === 1;
    const config = terms === 'ui' ? 'monitor' : 'alert configuration';
    sentences.push(
      isOne
        ? `${counted[0]} doesn't fit the others, but this ${config} counts it.`
        : `${counted.join(', ')} don't fit the others, but this ${config} counts them.`,
    );
  }
  if (left_out.length > 0) {
    const parts = left_out.map(({ reason, count, examples }) => {
      const more =
        examples.length === 0 ? '' : ` (${examples.join(', ')}${count > examples.length ? ', …' : ''})`;
      return `${formatExcluded(reason, count, rule.min_release_age_days)}${more}`;
    });
    sentences.push(`Excluded: ${parts.join('; ')}.`);
  }
  return sentences;
}

export function formatExcluded(reason: LeftOutReason, count: number, minReleaseAgeDays: number): string {
  const releases = count === 1 ? 'release' : 'releases';
  const n = count.toLocaleString('en');
  switch (reason) {
    case 'withdrawn':
      return `${n} ${releases} removed upstream`;
    case 'yanked':
      return `${n} yanked ${releases}`;
    case 'prerelease':
      return `${n} ${count === 1 ? 'pre-release' : 'pre-releases'}`;
    case 'ignored':
      return `${n} ignored ${releases}`;
    case 'candidate_pattern':
      return `${n} ${releases} outside the version filter`;
    case 'not_a_version':
      return `${n} ${count === 1 ? "tag that isn't a version" : "tags that aren't versions"}`;
    case 'other_line':
      return `${n} ${releases} with another name`;
    case 'platform_tag':
      return `${n} ${count === 1 ? 'tag that names' : 'tags that name'} a platform only`;
    case 'moving_tag':
      return `${n} ${count === 1 ? 'tag that moves' : 'tags that move'}`;
    case 'outlier':
      return `${n} ${count === 1 ? `release that doesn't` : `releases that don't`} fit the others`;
    case 'other_variant':
      return `${n} ${releases} of other variants`;
    case 'too_young':
      return `${n} ${releases} in the ${minReleaseAgeDays}-day grace period`;
  }
}

function lagSentences(
  { date_used, behind_by, behind_since, rule, state }: DescribedExplanation,
  nowMs: number,
): string[] {
  if (date_used !== null && behind_since !== null) {
    const days = wholeDaysBetween(Date.parse(behind_since), nowMs);
    const known = {
      released_at: 'was released',
      discovered_at: 'was first seen',
      listed_at: 'was first listed',
      counted_at: 'was added to the counted versions',
    }[date_used.source];
    if (date_used.of === 'newest_release') {
      const when = `${known} on ${readableDay(date_used.at)}, ${formatAmount(days, rule.rule_type)} ago`;
      return [`The newest release, ${date_used.version}, ${when}.`, ...estimateSentence(date_used)];
    }
    const whose = {
      deployed_release: `when ${date_used.version} (the deployed version) ${known}`,
      nearest_lower_release: `when ${date_used.version} (the closest earlier release) ${known}`,
      first_newer_release: `when ${date_used.version} (the first newer release) ${known}`,
      fix_release: `when ${date_used.version} (a release with a fix) ${known}`,
    }[date_used.of];
    return [
      `${formatLag(days, rule.rule_type)}, counted from ${readableDay(date_used.at)}, ${whose}.`,
      ...estimateSentence(date_used),
    ];
  }
  if (behind_by === 0 && !countsDays(ruleTypes[rule.rule_type]))
    return [`No newer ${ruleTypes[rule.rule_type].unit[0]} is available.`];
  if (behind_by !== null && behind_by > 0)
    return [`The deployed version is ${formatLag(behind_by, rule.rule_type)}.`];
  return behind_by === 0 || state === 'ok'
    ? ["No newer release qualifies, so the deployed version isn't behind."]
    : [];
}

function archivedSentence({ is_archived = false }: DescribedExplanation): string[] {
  return is_archived ? ['The repository is archived, so upstream has ended the project.'] : [];
}

function estimateSentence({ is_estimate, source }: NonNullable<Explanation['date_used']>): string[] {
  if (source === 'discovered_at')
    return [
      'The release has no date, so days count from when Pacekeeper first saw it. The actual time can be longer.',
    ];
  return is_estimate ? ["This date is an estimate because the actual release date isn't known."] : [];
}

function verdictSentence(explanation: DescribedExplanation, terms: StateReasonTerms): string {
  const { state, state_reason, severity, reason, rule, continued_by } = explanation;
  const isKnown = state_reason !== null && Object.hasOwn(stateReasons, state_reason);
  // The API text of the reason refers to the explanation for the name of the release. But this sentence is
  // part of the explanation and contains that name, so use the UI text.
  const reasonTerms = continued_by ? 'ui' : terms;
  const reasons = isKnown
    ? describeStateReason(state_reason as keyof typeof stateReasons, reasonTerms)
    : null;
  if (state === 'no_data') return reasons ?? "There isn't enough data to evaluate yet.";
  const steps = alertSeverities
    .flatMap((step) => {
      const from = rule.thresholds[step];
      if (from === null) return [];
      return isAboutSupport(explanation)
        ? [`${step} ${formatEndThreshold(from)}`]
        : [`${step} at ${formatAmount(from, rule.rule_type)}`];
    })
    .join(', ');
  if (state === 'ok') {
    const next = continued_by ? ` The latest there is ${continued_by}.` : '';
    const ahead = reasons === null ? '' : ` ${reasons}${next}`;
    const isBefore = isAboutSupport(explanation) ? 'Before' : 'Below';
    return `${isBefore} every threshold (${steps}), so there's no alert.${ahead}`;
  }
  // The first sentence of the explanation already states that the version wasn't found or can't be compared. These
  // sentences add the severity.
  if (reason === 'version_not_found')
    return `Versions that don't exist upstream always get the rule's highest severity: ${severity}.`;
  if (reason === 'version_unparseable')
    return `Values that can't be compared always get the rule's highest severity: ${severity}.`;
  if (explanation.is_archived) return `This always gets the rule's highest severity: ${severity}.`;
  return (
    missedDeadlineSentence(explanation.vulnerabilities, severity) ??
    `This meets the ${severity} threshold (${steps}).`
  );
}

function nextSentence(explanation: DescribedExplanation, nowMs: number): string[] {
  const { next_change_at } = explanation;
  if (next_change_at === null || Date.parse(next_change_at) <= nowMs) return [];
  const severity = severityThen(explanation, Date.parse(next_change_at));
  return [
    severity === null
      ? `If nothing else changes, this result changes on ${readableDay(next_change_at)}.`
      : `If nothing else changes, the severity becomes ${severity} on ${readableDay(next_change_at)}.`,
  ];
}

/**
 * Returns the severity whose threshold in days is reached at a given time. Returns `null` if something other
 * than the severity changes at that time, such as the latest release.
 */
function severityThen(
  { rule, date_used, lifecycle, severity, vulnerabilities }: DescribedExplanation,
  at: number,
) {
  const atDeadline = severityAtDeadline(vulnerabilities, rule, at);
  if (atDeadline !== null && atDeadline !== severity) return atDeadline;
  const endsAt = lifecycle?.ends_on == null ? null : endOfDay(lifecycle.ends_on);
  const since = date_used === null ? null : Date.parse(date_used.at);
  if (since === null && endsAt === null) return null;
  const reached = alertSeverities.findLast((step) => {
    const from = rule.thresholds[step];
    if (from === null) return false;
    return since === null ? endsAt! - from * dayMs === at : since + from * dayMs === at;
  });
  return reached === undefined || reached === severity ? null : reached;
}
