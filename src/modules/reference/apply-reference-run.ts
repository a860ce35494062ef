import { sql } from 'kysely';
import { runErrorCodes } from '../../domain/runs/run-error-codes.ts';
import type { Schemas } from '../../generated/agent-api.ts';
import type { Tx } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/errors.ts';
import { type AppliedResults, type HeldRun, type RunFailure, readParts } from '../runs/index.ts';
import { collectExploitEntries } from './exploit-items.ts';
import { recordFetches } from './fetched-packages.ts';
import { collectProducts } from './lifecycle-items.ts';
import { type AppliedExploits, applyExploits } from './load-exploits.ts';
import { type AppliedLifecycles, applyLifecycles } from './load-lifecycles.ts';
import { type AppliedVulnerabilities, applyVulnerabilities } from './load-vulnerabilities.ts';
import { readVulnerabilityBatches } from './vulnerability-items.ts';
import { type ReferenceSourceName, storeWaitingLoad } from './waiting-loads.ts';

/** Loads the data that an agent fetched, or stores it until an operator confirms it. */
export async function applyReferenceRun(
  tx: Tx,
  run: HeldRun,
  leaseToken: string,
  partCount: number,
  summary: Schemas['TaskSummary'],
): Promise<AppliedResults> {
  const { source, asOfMs } = await describeRun(tx, run, summary);
  const asOf = new Date(asOfMs).toISOString();
  const { outcome, afterwards } = await apply(tx, source, asOfMs, () =>
    readParts(tx, run, leaseToken, partCount),
  );
  if (source === 'vulnerabilities') await recordFetches(tx, run, leaseToken, asOfMs);
  switch (outcome.outcome) {
    case 'no_records':
    case 'no_common_ecosystem':
      return failed('invalid_index', `${runErrorCodes.invalid_index[1]} It contains no data.`);
    case 'older':
      return failed(
        'outdated',
        `${runErrorCodes.outdated[1]} It was generated at ${asOf}, the stored data at ${new Date(outcome.storedAsOfMs).toISOString()}.`,
      );
    case 'in_future':
      return failed(
        'invalid_index',
        `The data was generated at ${asOf}, which is in the future. Check the clock of the database server.`,
      );
    case 'unconfirmed': {
      const changes = 'changes' in outcome ? outcome.changes : [];
      await storeWaitingLoad(tx, source, asOfMs, changes, { run, leaseToken });
      await recordSuccess(tx, run, summary.validators);
      const effect =
        'changes' in outcome
          ? 'would change many results'
          : `lacks ${outcome.lost} of the ${outcome.stored} stored entries and has ${outcome.added} new ones`;
      const warning = `The data ${effect}, so it waits for confirmation: pacekeeper admin confirm-reference ${source}.`;
      return { applied: { warnings: [warning, ...(summary.warnings ?? [])].slice(0, 10) } };
    }
    case 'loaded':
      await recordSuccess(tx, run, summary.validators);
      return { applied: { changed: outcome.changed }, afterwards };
  }
}

/** Applies the data with the same code that loads files. */
async function apply(
  tx: Tx,
  source: ReferenceSourceName,
  asOfMs: number,
  parts: <Item>() => AsyncIterable<Item[]>,
): Promise<
  | AppliedExploits
  | AppliedLifecycles
  | AppliedVulnerabilities
  | { outcome: { outcome: 'no_records' }; afterwards?: never }
> {
  if (source === 'epss' || source === 'known_exploited')
    return applyExploits(tx, { ...(await collectExploitEntries(source, parts)), asOfMs });
  if (source === 'vulnerabilities')
    return applyVulnerabilities(tx, {
      batches: () => readVulnerabilityBatches(parts()),
      asOfMs,
      isListed: true,
    });
  const products = await collectProducts(parts());
  if (products.length === 0) return { outcome: { outcome: 'no_records' } };
  return applyLifecycles(tx, { asOfMs, products });
}

/**
 * Returns the source of the data, and the time at which the data was current. Vulnerability data contains no time. It
 * was fetched after the start of the run, so it's at least as current as that time.
 */
async function describeRun(
  tx: Tx,
  run: HeldRun,
  { as_of: asOf }: Schemas['TaskSummary'],
): Promise<{ source: ReferenceSourceName; asOfMs: number }> {
  const { rows } = await sql<{ name: ReferenceSourceName; started_at: Date }>`
    SELECT source.name, runs.started_at FROM reference_sources source
    JOIN runs ON runs.organization_id = source.organization_id AND runs.reference_source_id = source.id
    WHERE runs.organization_id = ${run.organization_id} AND runs.id = ${run.id}`.execute(tx);
  const { name: source, started_at: startedAt } = rows[0]!;
  if (source === 'vulnerabilities') return { source, asOfMs: startedAt.getTime() };
  if (asOf === undefined)
    throw new ApiError('conflict', 'A reference task must be completed with the date of its data (as_of).');
  return { source, asOfMs: Date.parse(asOf) };
}

function failed(code: RunFailure['code'], message: string): AppliedResults {
  return { applied: {}, failure: { code, message, isRetryable: false, retryAt: null } };
}

async function recordSuccess(tx: Tx, run: HeldRun, validators: Schemas['TaskSummary']['validators']) {
  await sql`
    UPDATE reference_sources SET last_success_at = pacekeeper_now(),
      validators = ${validators && JSON.stringify(validators)}::jsonb
    WHERE organization_id = ${run.organization_id} AND id = ${run.job_id}`.execute(tx);
}

/**
 * Records a successful fetch of unchanged data. Doesn't reset the age of the data, because the source can be a mirror
 * that is no longer updated.
 */
export async function applyUnchangedReferences(tx: Tx, sourceIds: readonly number[]): Promise<void> {
  if (sourceIds.length === 0) return;
  await sql`
    UPDATE reference_sources SET last_success_at = pacekeeper_now()
    WHERE organization_id = 1 AND id = ANY(${sourceIds}::bigint[])`.execute(tx);
}
