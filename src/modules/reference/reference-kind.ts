import { sql } from 'kysely';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { type ClaimedRun, isJobOfRuns, type JobKind, jobKey, type TaskBody } from '../runs/index.ts';
import { applyReferenceRun, applyUnchangedReferences } from './apply-reference-run.ts';
import { referenceSources, startReferenceLoop } from './start-reference-loop.ts';

/** Sources of reference data, which operators configure. Their failures concern operators, not organizations. */
export const referenceKind: JobKind = {
  ...referenceSources,
  resultFields: ['product', 'package', 'osv_id', 'cve'],
  wholeResult: null,
  ofOrganizations: null,
  startSchedules: startReferenceLoop,
  describe,
  applyParts: (tx, _deps, run, { leaseToken, partCount, summary }) =>
    applyReferenceRun(tx, run, leaseToken, partCount, summary),

  async applyTogether(tx, _deps, tasks) {
    await applyUnchangedReferences(
      tx,
      tasks.map(({ run }) => run.job_id),
    );
    return tasks.map(() => ({ applied: {} }));
  },
};

async function describe(db: Database, runs: readonly ClaimedRun[]): Promise<Map<string, TaskBody>> {
  const { rows } = await sql<Schemas['ReferenceTaskSpec'] & { organization_id: number; id: number }>`
    SELECT organization_id, id, name AS source, url, validators FROM reference_sources
    WHERE url IS NOT NULL AND ${isJobOfRuns(runs)}`.execute(db);
  return new Map(
    rows.map(({ organization_id, id, ...spec }) => [
      jobKey(organization_id, id),
      { kind: 'reference', spec },
    ]),
  );
}
