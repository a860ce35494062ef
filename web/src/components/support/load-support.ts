import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';

export type SupportEnd = Schemas['SupportEnd'];

/** Query parameter for the subject: an alert configuration or a scrape job. */
export type SupportSubject = 'alert_config_ids' | 'scrape_job_ids';

/** Maximum number of IDs per request. */
const maxIds = 200;
/** Time window for batching, so that the rows of a list share one request. */
const batchWindowMs = 20;

interface Waiting {
  ids: Set<number>;
  ends: Promise<readonly SupportEnd[]>;
}

const waiting: Partial<Record<SupportSubject, Waiting>> = {};

/** Returns the support periods for one subject, earliest end first. */
export async function loadSupport(subject: SupportSubject, id: number): Promise<readonly SupportEnd[]> {
  let batch = waiting[subject];
  if (batch === undefined || batch.ids.size >= maxIds) {
    const ids = new Set<number>();
    batch = { ids, ends: collect(subject, ids) };
    waiting[subject] = batch;
  }
  batch.ids.add(id);
  const ends = await batch.ends;
  return ends.filter((end) =>
    subject === 'scrape_job_ids' ? end.scrape_job.id === id : end.alert_config_ids.includes(id),
  );
}

async function collect(subject: SupportSubject, ids: Set<number>): Promise<readonly SupportEnd[]> {
  await new Promise((resolve) => setTimeout(resolve, batchWindowMs));
  if (waiting[subject]?.ids === ids) delete waiting[subject];
  const query = { [subject]: [...ids].join(','), limit: maxIds };
  return (await api.call('getSupport', { query })).items;
}
