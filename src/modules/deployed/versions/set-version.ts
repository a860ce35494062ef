import { incomparableVersionWarning } from '../../../domain/versions/incomparable-version.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { transaction } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import { changeInTurn, type TurnDeps } from '../../monitoring/index.ts';
import {
  type FoundVersion,
  type RecordedVersion,
  recordVersion,
  recordVersionInOneStatement,
} from './record-version.ts';
import { hasScrapeJob } from './version-queries.ts';

/** Stores a version that a person or a pipeline sets for a manual scrape job. */
export async function setVersion(
  deps: TurnDeps,
  organizationId: number,
  scrapeJobId: number,
  version: string,
): Promise<Schemas['Version']> {
  const { db } = deps;
  const found: FoundVersion = { organizationId, scrapeJobId, rawVersion: version, commitSha: null };
  const record = () => transaction(db, (tx) => recordVersion(tx, 'manual', found));
  const recorded =
    (await recordVersionInOneStatement(db, 'manual', found)) ??
    (await changeInTurn(deps, organizationId, { scrapeJobId }, record));
  if (recorded) return toVersion(scrapeJobId, recorded);
  if (!(await hasScrapeJob(db, organizationId, scrapeJobId))) throw notFound();
  throw new ApiError(
    'conflict',
    "You can set the version of manual scrape jobs only. This job's versions come from its source.",
  );
}

function toVersion(scrapeJobId: number, recorded: RecordedVersion): Schemas['Version'] {
  const at = recorded.discovered_at.toISOString();
  return {
    ...recorded,
    previous_version: recorded.is_change ? recorded.previous_version : null,
    warning: incomparableVersionWarning(recorded.version),
    scrape_job_id: scrapeJobId,
    source: 'manual',
    commit_sha: null,
    discovered_at: at,
    created_at: at,
    updated_at: at,
  };
}
