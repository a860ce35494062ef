import type { SourceTypeId } from '../source-types/source-types.ts';

/** A chart of a Helm release, which doesn't record where the chart is published. */
export interface InstalledChart {
  readonly version: string | null;
  /** Source repository of the software, from the metadata of the chart. Null if unknown. */
  readonly projectUrl: string | null;
}

/** An item or job of the organization whose repository contains a chart with this name. */
export interface ChartEvidence {
  readonly source_type: SourceTypeId;
  readonly artifact_name: string;
  readonly source_options: object;
  /** Type of the evidence: items that were deployed from the repository, or a job that lists its charts. */
  readonly by: 'item' | 'job';
  /**
   * Versions that items deploy, each with the name of one of these items, or versions that a job lists, with
   * empty names.
   */
  readonly versions: ReadonlyMap<string, string>;
  /** Name of one of the items. Null for jobs. */
  readonly item: string | null;
  /** True if the repository is specified in the file of an item or was chosen by a user. */
  readonly isCertain: boolean;
  /** Source repository of the software in the chart that a job lists. Null if unknown. */
  readonly projectUrl: string | null;
}

export interface ChartCandidate {
  source_type: SourceTypeId;
  artifact_name: string;
  source_options: object;
  confidence: 'likely' | 'none';
  /** Reason why the repository is a candidate. */
  why: string;
}

export interface ChartSuggestion {
  /** Null if no repository fits or several fit equally well. */
  suggestion: (Omit<ChartCandidate, 'confidence'> & { confidence: 'certain' | 'likely' }) | null;
  /** Candidates, best first. */
  candidates: ChartCandidate[];
}

export const maxCandidates = 5;

/**
 * Ranks of repositories, from worst to best fit. If two repositories share the highest rank, a user must
 * choose.
 */
const ranks = { otherProject: 0, nameOnly: 1, listed: 2, listedWithProject: 3, used: 4, usedWithVersion: 5 };

interface Ranked extends ChartCandidate {
  rank: number;
  isCertain: boolean;
  /**
   * True if the repository is used, for any version, by a cluster or by an item that a user accepted or
   * corrected.
   */
  isTrusted: boolean;
}

/**
 * Suggests the repository of a chart. Different publishers use the same chart names, so a matching name isn't
 * enough: another item must use the repository, or the repository must list the version. A suggestion is
 * certain only if no other repository fits, and another item deploys the same version from the suggested one.
 * Anyone who can write to a scanned repository can add references to any number of chart repositories, so
 * trusted ones take precedence.
 */
export function suggestChartSource(
  chart: InstalledChart,
  evidence: readonly ChartEvidence[],
): ChartSuggestion {
  const byAddress = Map.groupBy(
    evidence,
    ({ source_type, artifact_name }) => `${source_type} ${artifact_name.toLowerCase()}`,
  );
  const ranked = [...byAddress.values()]
    .map((same) => rank(chart, same))
    .toSorted(
      (a, b) =>
        Number(b.isTrusted) - Number(a.isTrusted) ||
        b.rank - a.rank ||
        (a.artifact_name < b.artifact_name ? -1 : 1),
    );
  const [best, second] = ranked;
  const fitting = ranked.filter(({ confidence }) => confidence === 'likely');
  const candidates = ranked
    .slice(0, maxCandidates)
    .map(({ rank: _rank, isCertain: _isCertain, isTrusted: _isTrusted, ...candidate }) => candidate);
  const isTied = best?.rank === second?.rank && best?.isTrusted === second?.isTrusted;
  if (!best || best.confidence === 'none' || isTied) return { suggestion: null, candidates };
  const { source_type, artifact_name, source_options, why } = best;
  const confidence = fitting.length === 1 && best.isCertain ? 'certain' : 'likely';
  return { suggestion: { source_type, artifact_name, source_options, why, confidence }, candidates };
}

/**
 * Ranks one repository.
 *
 * @param same The evidence for the repository.
 */
function rank({ version, projectUrl }: InstalledChart, same: readonly ChartEvidence[]): Ranked {
  const [{ source_type, artifact_name, source_options }] = same as [ChartEvidence, ...ChartEvidence[]];
  const toRanked = (place: keyof typeof ranks, why: string, isCertain = false): Ranked => ({
    source_type,
    artifact_name,
    source_options,
    why,
    rank: ranks[place],
    isCertain,
    confidence: ranks[place] > ranks.nameOnly ? 'likely' : 'none',
    isTrusted: ranks[place] > ranks.nameOnly && same.some((each) => each.isCertain),
  });
  const jobs = same.filter(({ by }) => by === 'job');
  const projects = jobs.flatMap((job) => job.projectUrl ?? []);
  const isSameProject = projects.some((url) => url.toLowerCase() === projectUrl?.toLowerCase());
  if (projectUrl !== null && projects.length > 0 && !isSameProject)
    return toRanked('otherProject', `lists a chart from another project, ${projects[0]}`);
  const items = same.filter(({ by }) => by === 'item');
  const withVersion =
    version === null ? [] : same.filter(({ versions }) => versions.has(version)).toSorted(certainFirst);
  const using = withVersion.find(({ by }) => by === 'item');
  if (using)
    return toRanked(
      'usedWithVersion',
      `used by ${using.versions.get(version!)} with this version`,
      using.isCertain,
    );
  if (items[0]) return toRanked('used', `used by ${items[0].item}`);
  if (withVersion.length === 0) return toRanked('nameOnly', "lists the chart, but this version wasn't found");
  return isSameProject
    ? toRanked('listedWithProject', 'lists this version and belongs to the same project')
    : toRanked('listed', 'lists this version');
}

function certainFirst(a: ChartEvidence, b: ChartEvidence): number {
  return Number(b.isCertain) - Number(a.isCertain);
}
