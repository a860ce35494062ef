import { isReferenceDataExpired, referenceLabels } from '../../domain/rules/reference-age.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { listSources, type SourceRow } from './lifecycle-queries.ts';

type ReferenceSource = Schemas['ReferenceSource'];

/** Lists the sources that enabled rules of the organization use. */
export async function listUsedReferenceSources(
  db: Database,
  organizationId: number,
): Promise<ReferenceSource[]> {
  return (await listSources(db, organizationId, { usedOnly: true })).map(toReferenceSource);
}

export function toReferenceSource({
  now,
  as_of,
  loaded_at,
  fetched_at,
  waiting,
  ...row
}: SourceRow): ReferenceSource {
  return {
    ...row,
    label: referenceLabels[row.name],
    as_of: as_of?.toISOString() ?? null,
    loaded_at: loaded_at?.toISOString() ?? null,
    fetched_at: fetched_at?.toISOString() ?? null,
    waiting: waiting && {
      ...waiting,
      as_of: new Date(waiting.as_of).toISOString(),
      since: new Date(waiting.since).toISOString(),
    },
    is_old: as_of !== null && isReferenceDataExpired(as_of.getTime(), now.getTime()),
  };
}
