import { type RawBuilder, sql } from 'kysely';
import type { Schemas } from '../../generated/client-api.ts';
import { toApiTimestamp } from '../../platform/database/index.ts';

/** A mirror in the API, with times as the database writes them in JSON. */
export type MirrorRow = Schemas['Mirror'];

/** Selects the gather job `m`, which reads a mirror, as a `MirrorRow`. */
export function mirrorColumns(version: RawBuilder<string | null>): RawBuilder<MirrorRow> {
  return sql`jsonb_build_object('gather_job_id', m.id, 'name', m.name, 'artifact_name', m.artifact_name,
    'version', ${version}, 'last_success_at', m.last_success_at, 'failing_since', m.failing_since)`;
}

export function toMirror(row: MirrorRow | null): Schemas['Mirror'] | null {
  if (row === null) return null;
  const at = (time: string | null) => time && toApiTimestamp(time);
  return { ...row, last_success_at: at(row.last_success_at), failing_since: at(row.failing_since) };
}
