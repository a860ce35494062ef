import type { SourceTypeId } from '../source-types/source-types.ts';

/** A chart of a Helm release, which doesn't say where the chart is published. */
export interface ReleasedChart {
  readonly version: string | null;
  /** The repository of its software, from its metadata. Null: unknown. */
  readonly projectUrl: string | null;
}

/** Something of the organization that names a repository of charts with this name. */
export interface ChartEvidence {
  readonly source_type: SourceTypeId;
  readonly artifact_name: string;
  readonly source_options: object;
  /** An item that was deployed from there, or a job that lists the charts there. */
  readonly by: 'item' | 'job';
  /** The items, by the versions that they deploy; the jobs have each version that they list, without a name. */
  readonly versions: ReadonlyMap<string, string>;
  /** One of the items. Null for jobs. */
  readonly item: string | null;
  /** Whether the item itself says where it comes from, or a person. */
  readonly isCertain: boolean;
  /** The repository of the software of the chart that a job lists. Null: unknown. */
  readonly projectUrl: string | null;
}

export interface ChartCandidate {
  source_type: SourceTypeId;
  artifact_name: string;
  source_options: object;
  confidence: 'likely' | 'none';
  /** What is said of the repository. */
  why: string;
}

export interface ChartSuggestion {
  /** Null: nothing fits, or several do and nothing says which. */
  suggestion: (Omit<ChartCandidate, 'confidence'> & { confidence: 'certain' | 'likely' }) | null;
  /** Best first. */
  candidates: ChartCandidate[];
}

export const maxCandidates = 5;

/** How well a repository fits. Only equal ranks leave the choice to a person. */
const ranks = { otherProject: 0, nameOnly: 1, listed: 2, listedWithProject: 3, used: 4, usedWithVersion: 5 };

interface Ranked extends ChartCandidate {
  rank: number;
  isCertain: boolean;
}

/**
 * Suggests the repository of a chart. A name alone proves nothing, because others publish charts with the same name: the
 * repository must be used by another item, or list the version. It's certain only if it is the only one that fits, and
 * another item deploys the same version from it.
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
    .toSorted((a, b) => b.rank - a.rank || (a.artifact_name < b.artifact_name ? -1 : 1));
  const [best, second] = ranked;
  const fitting = ranked.filter(({ confidence }) => confidence === 'likely');
  const candidates = ranked
    .slice(0, maxCandidates)
    .map(({ rank: _rank, isCertain: _isCertain, ...candidate }) => candidate);
  if (!best || best.confidence === 'none' || best.rank === second?.rank)
    return { suggestion: null, candidates };
  const { source_type, artifact_name, source_options, why } = best;
  const confidence = fitting.length === 1 && best.isCertain ? 'certain' : 'likely';
  return { suggestion: { source_type, artifact_name, source_options, why, confidence }, candidates };
}

/** @param same what names one repository */
function rank({ version, projectUrl }: ReleasedChart, same: readonly ChartEvidence[]): Ranked {
  const [{ source_type, artifact_name, source_options }] = same as [ChartEvidence, ...ChartEvidence[]];
  const as = (place: keyof typeof ranks, why: string, isCertain = false): Ranked => ({
    ...{ source_type, artifact_name, source_options, why, rank: ranks[place], isCertain },
    confidence: ranks[place] > ranks.nameOnly ? 'likely' : 'none',
  });
  const jobs = same.filter(({ by }) => by === 'job');
  const projects = jobs.flatMap((job) => job.projectUrl ?? []);
  const isSameProject = projects.some((url) => url.toLowerCase() === projectUrl?.toLowerCase());
  if (projectUrl !== null && projects.length > 0 && !isSameProject)
    return as('otherProject', `lists a chart of another project, ${projects[0]}`);
  const items = same.filter(({ by }) => by === 'item');
  const withVersion =
    version === null ? [] : same.filter(({ versions }) => versions.has(version)).toSorted(certainFirst);
  const using = withVersion.find(({ by }) => by === 'item');
  if (using)
    return as(
      'usedWithVersion',
      `used with this version by ${using.versions.get(version!)}`,
      using.isCertain,
    );
  if (items[0]) return as('used', `used by ${items[0].item}`);
  if (withVersion.length === 0) return as('nameOnly', "lists the chart, but this version isn't known");
  return isSameProject
    ? as('listedWithProject', 'lists this version, of the same project')
    : as('listed', 'lists this version');
}

function certainFirst(a: ChartEvidence, b: ChartEvidence): number {
  return Number(b.isCertain) - Number(a.isCertain);
}
