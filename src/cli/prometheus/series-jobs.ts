import { ownValue } from '../../domain/json/own-value.ts';
import { createVersionPicker, formatSeries, type Series } from '../../domain/prometheus/prometheus-series.ts';
import type { Item } from '../call-operation.ts';

export interface SeriesJobsOptions {
  url: string;
  query: string;
  label: string;
  /** Labels whose values distinguish the jobs. */
  by: readonly string[];
  credentialName: string | undefined;
}

export interface SeriesJobs {
  jobs: Item[];
  /** Notes about series that have no job, and about jobs that don't find a version yet. */
  notes: string[];
}

/** Creates a scrape job for each combination of values of the labels in `by`. All jobs share one query. */
export function toSeriesJobs(all: readonly Series[], options: SeriesJobsOptions): SeriesJobs {
  const { url, query, label, by, credentialName } = options;
  const notes: string[] = [];
  const complete = all.filter((series) => by.every((name) => (ownValue(series, name) ?? '') !== ''));
  const missing = all.length - complete.length;
  if (missing > 0)
    notes.push(
      `${missing} of ${all.length} series have no label ${by.join(' or ')}; choose other labels with --by`,
    );
  const groups = Map.groupBy(complete, (series) => JSON.stringify(by.map((name) => series[name])));
  const pick = createVersionPicker(all);
  const jobs = [...groups.values()].map(([first]): Item => {
    const series = Object.fromEntries(by.map((name) => [name, first![name]!]));
    const picked = pick({ label, series });
    if (!picked.ok) notes.push(`${formatSeries(series)}: ${picked.message}`);
    return {
      name: Object.values(series).join('/').slice(0, 200),
      parser_type: 'regex',
      source: 'prometheus',
      url,
      query,
      label,
      series,
      ...(credentialName !== undefined && { credential_name: credentialName }),
      cron_expression: '*/15 * * * *',
    };
  });
  return { jobs: jobs.toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)), notes };
}
