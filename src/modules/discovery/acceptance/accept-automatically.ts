import { sql } from 'kysely';
import { systemActor } from '../../../domain/audit/actor.ts';
import type { Tx } from '../../../platform/database/index.ts';
import type { EditContext } from '../../../platform/http/index.ts';
import { accept, isAcceptable, readAcceptOptions, readAndPlanAcceptance } from './accept-items.ts';
import { lockItems, maxAcceptedItems } from './acceptance-queries.ts';

/**
 * Maximum number of known items accepted at a time, because one commit can add 100,000 images. Items beyond
 * this limit stay new.
 */
const maxKnownItems = 50;

/**
 * Accepts new items according to `accept` of their discovery job: either all items, or items whose upstream
 * is certain. In the latter case, the upstream must also require no host, or be on a host that the
 * organization already uses. The transaction must hold the lock of the job.
 *
 * @returns The number of created scrape jobs.
 */
export async function acceptAutomatically(
  tx: Tx,
  organizationId: number,
  discoveryJobId: number,
): Promise<number> {
  const { rows } = await sql<{
    accept: 'ask' | 'known' | 'all';
    source_credentials: { host: string }[];
  }>`
    SELECT accept, source_credentials FROM discovery_jobs
    WHERE organization_id = ${organizationId} AND id = ${discoveryJobId}`.execute(tx);
  const [job] = rows;
  if (job === undefined || job.accept === 'ask') return 0;
  const isKnown = job.accept === 'known';
  const hosts = isKnown ? await listKnownHosts(tx, organizationId, job.source_credentials) : undefined;
  const filter = {
    discovery_job_id: discoveryJobId,
    ...(isKnown && ({ confidence: 'certain', hosts } as const)),
  };
  const options = await readAcceptOptions(tx, organizationId, { ruleId: undefined, labels: {} });
  // Items that can't be accepted stay new and must not block others in every scan. A job has at most 100,000
  // items, so skipping them takes at most 100 steps.
  let afterId = 0;
  for (;;) {
    const { items: candidates, remaining } = await lockItems(tx, organizationId, {
      filter: { ...filter, after_id: afterId },
    });
    const items = candidates
      .filter((item) => isAcceptable(item, options))
      .slice(0, isKnown ? maxKnownItems : maxAcceptedItems);
    if (items.length > 0) {
      const acceptance = await readAndPlanAcceptance(tx, organizationId, items, options);
      const accepted = await accept(tx, systemContext(organizationId), items, options, acceptance);
      return accepted.created.scrape_jobs;
    }
    if (remaining === 0) return 0;
    afterId = candidates.at(-1)!.id;
  }
}

/**
 * Lists the hosts of the organization's own gather jobs, and those that the discovery job has a credential
 * for.
 */
async function listKnownHosts(
  tx: Tx,
  organizationId: number,
  credentials: readonly { host: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    SELECT DISTINCT split_part(regexp_replace(artifact_name, '^[a-z]+://', ''), '/', 1) AS host FROM gather_jobs
    WHERE organization_id = ${organizationId}`.execute(tx);
  return [...new Set([...rows, ...credentials].map(({ host }) => host.toLowerCase()))];
}

/** Returns the context of edits that Pacekeeper makes without a request. */
export function systemContext(organizationId: number): EditContext {
  return {
    caller: {
      organizationId,
      via: 'api_key',
      role: 'member',
      actor: systemActor,
      userId: null,
      apiKeyId: null,
      loginId: null,
      isSystem: false,
      isTwoFactorMissing: false,
    },
    requestId: null,
    ifMatch: null,
  };
}
