import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { type SettingKey, settingDefinitions } from '../settings/index.ts';

const key = 'calendars.enabled' satisfies SettingKey;

/** True if the organization allows calendar URLs. */
export async function areCalendarsEnabled(db: Database, organizationId: number): Promise<boolean> {
  const setting = (of: number) =>
    sql`(SELECT value FROM settings WHERE organization_id = ${of} AND key = ${key})`;
  const { rows } = await sql<{ is_enabled: boolean }>`
    SELECT coalesce(${setting(organizationId)}, ${setting(systemOrganizationId)},
      ${JSON.stringify(settingDefinitions[key].default)}::jsonb) = 'true' AS is_enabled`.execute(db);
  return rows[0]!.is_enabled;
}
