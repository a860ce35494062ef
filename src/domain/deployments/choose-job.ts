import { ownValue } from '../json/own-value.ts';

type Labels = Readonly<Record<string, string>>;

export interface LabeledJob {
  readonly id: number;
  readonly labels: Labels;
}

/** Chosen job, or null if a new one is needed. `ambiguous` lists the jobs if the labels don't show which one is meant. */
export type ChosenJob<Job> = { readonly job: Job | null } | { readonly ambiguous: readonly Job[] };

/**
 * Chooses the scrape job of a report among those of the same service and environment. If a job and the report
 * have different values for the same label, the job is for another place, such as another cluster, and isn't
 * chosen. If several jobs remain, the one that has all labels of the report is chosen.
 */
export function chooseJob<Job extends LabeledJob>(jobs: readonly Job[], labels: Labels): ChosenJob<Job> {
  const reported = Object.entries(labels);
  const fitting = jobs.filter((job) =>
    reported.every(([key, value]) => (ownValue(job.labels, key) ?? value) === value),
  );
  if (fitting.length <= 1) return { job: fitting[0] ?? null };
  const exact = fitting.filter((job) =>
    reported.every(([key, value]) => ownValue(job.labels, key) === value),
  );
  return exact.length === 1 ? { job: exact[0]! } : { ambiguous: exact.length === 0 ? fitting : exact };
}

/** Returns the possible names of a new scrape job, from short to long. */
export function jobNames(
  { service, component, environment }: { service: string; component: string; environment: string },
  otherLabels: Labels,
): string[] {
  const what = component === '' ? service : `${service}: ${component}`;
  const name = `${what} (${environment})`;
  const values = Object.values(otherLabels).filter((value) => value !== '');
  return values.length === 0 ? [name] : [name, `${what} (${[environment, ...values].join(', ')})`];
}
