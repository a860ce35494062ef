import { type RawBuilder, sql } from 'kysely';
import { systemOrganizationId } from '../../accounts/index.ts';
import { settingDefinitions } from '../../settings/index.ts';

/** Selects each organization with `since`: versions that were replaced before this time aren't kept. */
export function keptVersionsSince(): RawBuilder<unknown> {
  const key = 'retention.versions_days';
  return sql`
    SELECT o.id AS organization_id, pacekeeper_now()
      - coalesce(own.value, global.value, to_jsonb(${settingDefinitions[key].default}::integer))::integer * interval '1 day' AS since
    FROM organizations o
    LEFT JOIN settings own ON own.organization_id = o.id AND own.key = ${key}
    LEFT JOIN settings global ON global.organization_id = ${systemOrganizationId} AND global.key = ${key}`;
}
