import { patternForMajorVersion, patternForSameFormat } from '../../../src/domain/patterns/pattern-like.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

type Explanation = Schemas['EvaluationExplanation'];
type Changed = 'candidate_pattern' | 'ignored_versions' | 'counted_versions';
type Config = Pick<Schemas['AlertConfig'], 'name' | Changed>;
/** Change of exactly one field. */
type Changes = { [Field in Changed]: Pick<Schemas['AlertConfig'], Field> }[Changed];

type ChangedOfJob = 'ignored_versions' | 'counted_versions';
type Job = Pick<Schemas['GatherJob'], 'name' | ChangedOfJob>;
type JobChanges = { [Field in ChangedOfJob]: Pick<Schemas['GatherJob'], Field> }[ChangedOfJob];

/** One-click change to the releases that a monitor is compared with. */
export type ComparisonChange = Change<Config, Changes>;
/** One-click change that applies to all monitors of an upstream source. */
export type JobChange = Change<Job, JobChanges>;

export interface Change<Target, Body> {
  /** Label of the button, such as "Ignore 2024.1". */
  label: string;
  /** Title of the confirmation. */
  title: string;
  confirm: string;
  /** Returns the text of the confirmation, which describes the effect of the change. */
  describe(target: Target): string;
  /** Text of the toast. */
  done: string;
  changes(target: Target): Body;
}

/** Returns the change that undoes another one by restoring the previous value of the field. */
export function invertChange(config: Config, changes: Changes): Changes {
  if ('candidate_pattern' in changes) return { candidate_pattern: config.candidate_pattern };
  if ('ignored_versions' in changes) return { ignored_versions: config.ignored_versions };
  return { counted_versions: config.counted_versions };
}

export function invertJobChange(job: Job, changes: JobChanges): JobChanges {
  return 'ignored_versions' in changes
    ? { ignored_versions: job.ignored_versions }
    : { counted_versions: job.counted_versions };
}

/**
 * Maximum number of ignored versions, and of counted versions, that get a button. The form lists all of them.
 */
const maxReverted = 3;

/** Returns the change offered for a version jump: ignore all releases above it. */
export function changesForVersionJump({ jump }: Explanation): ComparisonChange[] {
  const [latest, ...others] = jump?.above ?? [];
  return latest === undefined ? [] : [ignoring([latest, ...others])];
}

/** Returns the changes that an explanation offers, except the one for a version jump, most likely first. */
export function changesFromExplanation(explanation: Explanation, config: Config): ComparisonChange[] {
  const { latest, continued_by, jump, date_used, behind_by, left_out } = explanation;
  const outliers = left_out.find(({ reason }) => reason === 'outlier')?.examples ?? [];
  const isBehind = hasNewerRelease({ date_used, behind_by });
  return [
    ...(isBehind && latest !== null && !jump ? [ignoring([latest.version])] : []),
    ...(isBehind ? stayingOnMajor(explanation, config) : []),
    ...(continued_by ? [following(continued_by)] : []),
    ...outliers.filter((version) => !config.counted_versions.includes(version)).map(counting),
    ...config.ignored_versions.slice(-maxReverted).map(stopIgnoring),
    ...config.counted_versions.slice(-maxReverted).map(stopCounting),
    ...(config.candidate_pattern === null ? [] : [removeFilter]),
  ];
}

/**
 * Returns true if a newer release exists that could be ignored. Returns false for rules that check only
 * upstream, because they use the date of the newest release.
 */
function hasNewerRelease({ date_used, behind_by }: Pick<Explanation, 'date_used' | 'behind_by'>): boolean {
  return date_used === null ? (behind_by ?? 0) > 0 : date_used.of !== 'newest_release';
}

/**
 * Returns the changes that an explanation offers for all monitors of the upstream source: ignore the releases
 * above a version jump, or else the latest release.
 */
export function jobChangesFromExplanation({ latest, jump, date_used, behind_by }: Explanation): JobChange[] {
  const [first, ...others] = jump?.above ?? [];
  if (first !== undefined) return [ignoringInJob([first, ...others])];
  const isBehind = hasNewerRelease({ date_used, behind_by });
  return isBehind && latest !== null ? [ignoringInJob([latest.version])] : [];
}

/** Returns the changes offered on the page of an upstream source. */
export function jobChangesFromPreview(
  { latest, jump, left_out }: Pick<Schemas['PreviewGatherJobResponse'], 'latest' | 'jump' | 'left_out'>,
  job: Job,
): JobChange[] {
  const outliers = left_out.find(({ reason }) => reason === 'outlier')?.examples ?? [];
  const [first, ...others] = jump?.above ?? (latest === null ? [] : [latest.version]);
  return [
    ...outliers.map(countingInJob),
    ...(first === undefined ? [] : [ignoringInJob([first, ...others])]),
    ...job.ignored_versions.slice(-maxReverted).map(stopIgnoringInJob),
    ...job.counted_versions.slice(-maxReverted).map(stopCountingInJob),
  ];
}

/** Returns changes that make a monitor follow another line or variant, one change per pattern. */
export function changesToFollowOthers(
  { left_out, continued_by }: Explanation,
  config: Config,
): ComparisonChange[] {
  const examples = left_out.flatMap(({ reason, examples }) =>
    reason === 'other_variant' || reason === 'other_line' || reason === 'candidate_pattern' ? examples : [],
  );
  const offered = new Set([
    config.candidate_pattern,
    continued_by ? patternForSameFormat(continued_by) : null,
  ]);
  return examples.flatMap((example) => {
    const pattern = patternForSameFormat(example);
    if (offered.has(pattern)) return [];
    offered.add(pattern);
    return [following(example)];
  });
}

function ignoring(versions: readonly [string, ...string[]]): ComparisonChange {
  const [latest, ...others] = versions;
  const all = listOf(versions);
  return {
    label: others.length === 0 ? `Ignore ${latest}` : `Ignore these ${versions.length} releases`,
    title: `Ignore ${all}?`,
    confirm: 'Ignore',
    describe: ({ name }) =>
      `"${name}" won't be compared with ${all}. ${others.length === 0 ? 'The version is' : 'The versions are'} added to its ignored versions.`,
    done: `${all} ignored`,
    changes: ({ ignored_versions }) => ({
      ignored_versions: [...new Set([...ignored_versions, ...versions])],
    }),
  };
}

function stopIgnoring(version: string): ComparisonChange {
  return {
    label: `Stop ignoring ${version}`,
    title: `Stop ignoring ${version}?`,
    confirm: 'Stop ignoring',
    describe: ({ name }) =>
      `"${name}" will be compared with ${version} again. The version is removed from its ignored versions.`,
    done: `${version} no longer ignored`,
    changes: ({ ignored_versions }) => ({
      ignored_versions: ignored_versions.filter((ignored) => ignored !== version),
    }),
  };
}

function counting(version: string): ComparisonChange {
  return {
    label: `Count ${version}`,
    title: `Count ${version}?`,
    confirm: 'Count',
    describe: ({ name }) =>
      `"${name}" will be compared with ${version} even though it doesn't fit the other releases. The version is added to its counted versions, and days behind are counted from now.`,
    done: `${version} counted`,
    changes: ({ counted_versions }) => ({ counted_versions: [...counted_versions, version] }),
  };
}

function stopCounting(version: string): ComparisonChange {
  return {
    label: `Stop counting ${version}`,
    title: `Stop counting ${version}?`,
    confirm: 'Stop counting',
    describe: ({ name }) =>
      `"${name}" won't be compared with ${version} unless it fits the other releases. The version is removed from its counted versions.`,
    done: `${version} no longer counted`,
    changes: ({ counted_versions }) => ({
      counted_versions: counted_versions.filter((counted) => counted !== version),
    }),
  };
}

function ignoringInJob(versions: readonly [string, ...string[]]): JobChange {
  const all = listOf(versions);
  return {
    label: `Ignore ${all} in all monitors`,
    title: `Ignore ${all} in all monitors?`,
    confirm: 'Ignore',
    describe: ({ name }) =>
      `Monitors that use "${name}" won't be compared with ${all}. ${versions.length === 1 ? 'The version is' : 'The versions are'} added to the ignored versions of the upstream source.`,
    done: `${all} ignored in all monitors`,
    changes: ({ ignored_versions }) => ({
      ignored_versions: [...new Set([...ignored_versions, ...versions])],
    }),
  };
}

function stopIgnoringInJob(version: string): JobChange {
  return {
    label: `Stop ignoring in all monitors: ${version}`,
    title: `Stop ignoring ${version}?`,
    confirm: 'Stop ignoring',
    describe: ({ name }) =>
      `Monitors that use "${name}" will be compared with ${version} again, unless they ignore it themselves. The version is removed from the ignored versions of the upstream source.`,
    done: `${version} no longer ignored`,
    changes: ({ ignored_versions }) => ({
      ignored_versions: ignored_versions.filter((ignored) => ignored !== version),
    }),
  };
}

function countingInJob(version: string): JobChange {
  return {
    label: `Count in all monitors: ${version}`,
    title: `Count ${version}?`,
    confirm: 'Count',
    describe: ({ name }) =>
      `Monitors that use "${name}" will be compared with ${version} even though it doesn't fit the other releases. The version is added to the counted versions of the upstream source, and days behind are counted from now.`,
    done: `${version} counted`,
    changes: ({ counted_versions }) => ({ counted_versions: [...counted_versions, version] }),
  };
}

function stopCountingInJob(version: string): JobChange {
  return {
    label: `Stop counting in all monitors: ${version}`,
    title: `Stop counting ${version}?`,
    confirm: 'Stop counting',
    describe: ({ name }) =>
      `Monitors that use "${name}" won't be compared with ${version} unless it fits the other releases or they count it themselves. The version is removed from the counted versions of the upstream source.`,
    done: `${version} no longer counted`,
    changes: ({ counted_versions }) => ({
      counted_versions: counted_versions.filter((counted) => counted !== version),
    }),
  };
}

function listOf(versions: readonly string[]): string {
  if (versions.length < 2) return versions.join();
  return `${versions.slice(0, -1).join(', ')} and ${versions.at(-1) ?? ''}`;
}

/** Returns a change only if the major version of the latest release differs from the deployed one. */
function stayingOnMajor({ deployed, latest }: Explanation, config: Config): ComparisonChange[] {
  const own = patternForMajorVersion(deployed.release ?? deployed.version ?? '');
  const newest = patternForMajorVersion(latest?.version ?? '');
  const isOffered = own && newest && own.major !== newest.major && own.pattern !== config.candidate_pattern;
  return isOffered ? [filtering(`Stay on ${own.major}.x`, own.pattern, 'Stay')] : [];
}

function following(example: string): ComparisonChange {
  return filtering(`Follow releases like ${example}`, patternForSameFormat(example), 'Follow');
}

function filtering(label: string, pattern: string, confirm: string): ComparisonChange {
  return {
    label,
    title: `${label}?`,
    confirm,
    describe: ({ name, candidate_pattern }) =>
      `"${name}" will only be compared with releases that match ${pattern}. ${candidate_pattern === null ? 'The pattern becomes its version filter.' : `The pattern replaces its version filter ${candidate_pattern}.`}`,
    done: `Version filter set to ${pattern}`,
    changes: () => ({ candidate_pattern: pattern }),
  };
}

const removeFilter: ComparisonChange = {
  label: 'Remove version filter',
  title: 'Remove the version filter?',
  confirm: 'Remove',
  describe: ({ name, candidate_pattern }) =>
    `"${name}" is only compared with releases that match ${candidate_pattern ?? ''}. Without the filter, it's compared with all releases of its variant.`,
  done: 'Version filter removed',
  changes: () => ({ candidate_pattern: null }),
};
