import {
  deployedSentences,
  formatExcluded,
} from '../../../../src/domain/explanations/explanation-sentences.ts';
import { formatLag } from '../../../../src/domain/rules/format-lag.ts';
import { ruleTypeIds, ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

type Preview = Schemas['PreviewGatherJobResponse'];
type Line = Preview['lines'][number];

/**
 * Returns the sentences shown with the table of a preview.
 * @param deployedVersion The deployed version in the request, if any.
 */
export function previewSentences(preview: Preview, deployedVersion: string | null): string[] {
  return [
    ...latestSentences(preview),
    ...comparisonSentences(preview, deployedVersion),
    ...unmatchedSentences(preview),
    ...leftOutSentences(preview),
    ...(preview.is_complete
      ? []
      : ['Only the highest 10,000 releases are shown here. Monitors use all of them.']),
  ];
}

/**
 * Returns text such as "releases without a name or variant", "releases named cli", or "releases of the
 * variant alpine".
 */
function describeLine({ line, variant }: Line): string {
  const name = line === '' ? '' : ` named ${line}`;
  if (variant !== '') return `releases${name} of the variant ${variant}`;
  return line === '' ? 'releases without a name or variant' : `releases${name}`;
}

/**
 * Returns the noun for the highest release. It isn't called the latest if newer releases might be missing from
 * the list.
 */
function latestNoun({ list_doubt }: Preview): string {
  if (list_doubt === 'mirror_only') return 'The newest release in your mirror';
  return list_doubt === null ? 'The latest release' : 'The newest release in the list, which is incomplete,';
}

function latestSentences(preview: Preview): string[] {
  const { latest, lines, deployed } = preview;
  if (latest === null) return ['No release has a version that can be compared.'];
  const [own] = lines;
  const noun = latestNoun(preview);
  if (deployed !== null || own === undefined) return [`${noun} is ${latest.version}.`];
  return [
    `${noun} is ${latest.version}, considering only ${describeLine(own)}.${preferenceReason(own, lines)}`,
  ];
}

/**
 * Returns the reason that this line is preferred over the others, or an empty string if it's the only line.
 */
function preferenceReason(own: Line, lines: readonly Line[]): string {
  const others = lines.filter(({ line }) => line !== own.line);
  if (others.length === 0) return '';
  if (own.line === '') return ' These are preferred over releases with a name.';
  return others.some(({ line }) => line === '')
    ? ' These are preferred because releases without a name are more than a year older.'
    : ' These are preferred because they were the most frequent in the last two years.';
}

function comparisonSentences({ deployed, lines, list_doubt }: Preview, version: string | null): string[] {
  if (deployed === null) return [];
  const { match, release, adopted_line, latest, behind_by } = deployed;
  const compared = lines.find(({ is_compared }) => is_compared);
  const types = ruleTypeIds.filter((type) => {
    const { kind } = ruleTypes[type];
    return kind === 'version_count' || kind === 'version_age';
  });
  const known = types.flatMap((type) => {
    const lag = behind_by[type];
    return lag == null ? [] : [{ lag, text: formatLag(lag, type) }];
  });
  // All lags can be 0 although a newer release exists, such as a patch of the last few hours.
  const isLatest = (release ?? version) === latest;
  const lags = known.some(({ lag }) => lag > 0) ? known.filter(({ lag }) => lag > 0) : isLatest ? [] : known;
  return [
    ...deployedSentences({ version, match, release, adopted_line }),
    ...(compared && adopted_line === null ? [`It's compared with ${describeLine(compared)}.`] : []),
    ...(latest === null || known.length === 0
      ? []
      : [
          `Compared with ${latest}: ${lags.length === 0 ? noLag(list_doubt) : lags.map(({ text }) => text).join(', ')}.`,
        ]),
  ];
}

function noLag(doubt: Preview['list_doubt']): string {
  if (doubt === 'mirror_only') return 'nothing newer in your mirror';
  return doubt === null ? 'up to date' : 'nothing newer in the incomplete list';
}

function unmatchedSentences({ unmatched: { count, examples } }: Preview): string[] {
  if (count === 0) return [];
  const tags = count === 1 ? "1 tag doesn't match" : `${count.toLocaleString('en')} tags don't match`;
  return [`${tags} the version pattern (${listOf(examples, count)}).`];
}

function leftOutSentences({ left_out }: Preview): string[] {
  if (left_out.length === 0) return [];
  const parts = left_out.map(
    ({ reason, count, examples }) => `${formatExcluded(reason, count, 0)} (${listOf(examples, count)})`,
  );
  return [`Never the latest: ${parts.join('; ')}.`];
}

function listOf(examples: readonly string[], count: number): string {
  return `${examples.join(', ')}${count > examples.length ? ', …' : ''}`;
}
