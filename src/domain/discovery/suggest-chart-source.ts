import type { SourceTypeId } from '../source-types/source-types.ts';

/** A chart of a Helm release, which doesn't say where the chart is published. */
export interface ReleasedChart {
  readonly version: string | null;
  /** The source repository of its software, from its metadata. Null: unknown. */
  readonly projectUrl: string | null;
}

/** An item or a job of the organization that names a repository with a chart of this name. */
export interface ChartEvidence {
  readonly source_type: SourceTypeId;
  readonly artifact_name: string;
  readonly source_options: object;
  /** Items that were deployed from the repository, or a job that lists its charts. */
  readonly by: 'item' | 'job';
  /** Versions that items deploy, with the name of one such item; or versions that a job lists, with empty names. */
  readonly versions: ReadonlyMap<string, string>;
  /** One of the items. Null for jobs. */
  readonly item: string | null;
  /** Whether an item's file names the repository, or a person chose it. */
  readonly isCertain: boolean;
  /** The source repository of the software in the chart that a job lists. Null: unknown. */
  readonly projectUrl: string | null;
}

export interface ChartCandidate {
  source_type: SourceTypeId;
  artifact_name: string;
  source_options: object;
  confidence: 'likely' | 'none';
  /** Why the repository is a candidate. */
  why: string;
}

export interface ChartSuggestion {
  /** Null: no repository fits, or several fit equally well. */
  suggestion: (Omit<ChartCandidate, 'confidence'> & { confidence: 'certain' | 'likely' }) | null;
  /** Best first. */
  candidates: ChartCandidate[];
}

export const maxCandidates = 5;

/** How well a repository fits. If two share the highest rank, a person has to choose. */
const ranks = { otherProject: 0, nameOnly: 1, listed: 2, listedWithProject: 3, used: 4, usedWithVersion: 5 };

interface Ranked extends ChartCandidate {
  rank: number;
  isCertain: boolean;
  /** Whether a cluster or an item that a person accepted or corrected uses it, for any version. */
  isTrusted: boolean;
}

/**
 * Suggests the repository of a chart. A matching name isn't enough, because different publishers use the same names: another
 * item must use the repository, or the repository must list the version. It's certain only if no other repository fits and
 * another item deploys the same version from it. Trusted repositories come first, because anyone who can write to a scanned
 * repository can name any number of others.
 */
export function suggestChartSource(
  chart: ReleasedChart,
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

/** @param same the evidence for one repository */
function rank({ version, projectUrl }: ReleasedChart, same: readonly ChartEvidence[]): Ranked {
  const [{ source_type, artifact_name, source_options }] = same as [ChartEvidence, ...ChartEvidence[]];
  const as = (place: keyof typeof ranks, why: string, isCertain = false): Ranked => ({
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
    return as('otherProject', `lists a chart from another project, ${projects[0]}`);
  const items = same.filter(({ by }) => by === 'item');
  const withVersion =
    version === null ? [] : same.filter(({ versions }) => versions.has(version)).toSorted(certainFirst);
  const using = withVersion.find(({ by }) => by === 'item');
  if (using)
    return as(
      'usedWithVersion',
      `used by ${using.versions.get(version!)} with this version`,
      using.isCertain,
    );
  if (items[0]) return as('used', `used by ${items[0].item}`);
  if (withVersion.length === 0) return as('nameOnly', "lists the chart, but this version wasn't found");
  return isSameProject
    ? as('listedWithProject', 'lists this version and belongs to the same project')
    : as('listed', 'lists this version');
}

function certainFirst(a: ChartEvidence, b: ChartEvidence): number {
  return Number(b.isCertain) - Number(a.isCertain);
}
