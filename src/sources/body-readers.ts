import { lightReaders } from './light-readers.ts';
import { readChangelog } from './read-changelog.ts';
import { readEpssScores } from './read-epss-scores.ts';
import { readHelmChart } from './read-helm-chart.ts';
import { readHelmCharts } from './read-helm-charts.ts';
import { readKnownExploited } from './read-known-exploited.ts';
import { readLifecycleData } from './read-lifecycle-data.ts';
import { listOsvArchive, readOsvArchive } from './read-osv-archive.ts';
import { readOsvMatches } from './read-osv-matches.ts';
import { readOsvRecords } from './read-osv-records.ts';

/**
 * All readers. The light readers are cheap. The ones listed here by name are expensive: parsing YAML takes
 * many times the memory of its text, changelogs are split with patterns, and archives are decompressed.
 */
export const bodyReaders = {
  ...lightReaders,
  changelog: readChangelog,
  epss_scores: readEpssScores,
  helm_chart: readHelmChart,
  helm_charts: readHelmCharts,
  known_exploited: readKnownExploited,
  lifecycle_data: readLifecycleData,
  osv_archive_list: listOsvArchive,
  osv_archive_records: readOsvArchive,
  osv_matches: readOsvMatches,
  osv_records: readOsvRecords,
};

export type BodyReaders = typeof bodyReaders;
