import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import {
  builtInSettings,
  type InstallationDefaults,
  isSettingKey,
  type SettingKey,
  type SettingValues,
  settingDefinitions,
  settingKeyNames,
} from './setting-keys.ts';

/**
 * Returns the effective settings of an organization: its override, otherwise the global value, otherwise the
 * built-in default.
 */
export async function readSettings(
  db: Database | Tx,
  organizationId: number,
  defaults: InstallationDefaults = {},
): Promise<SettingValues> {
  const settings = await readSettingsAcrossOrganizations(db, [organizationId], defaults);
  return settings.get(organizationId)!;
}

/** Returns the effective settings of several organizations in one statement. */
export async function readSettingsAcrossOrganizations(
  db: Database | Tx,
  organizationIds: readonly number[],
  defaults: InstallationDefaults = {},
): Promise<Map<number, SettingValues>> {
  const rows = await db
    .selectFrom('settings')
    .select(['organization_id', 'key', 'value'])
    .where(sql<boolean>`organization_id = ANY(${[systemOrganizationId, ...organizationIds]}::bigint[])`)
    .execute();
  return toSettings(rows, organizationIds, defaults);
}

/**
 * Selects the stored values of an organization and the global values as JSON, for use in a larger statement.
 */
export function storedSettingsSql(organizationId: number): RawBuilder<StoredSetting[]> {
  return sql`(
    SELECT coalesce(jsonb_agg(jsonb_build_object('organization_id', organization_id, 'key', key, 'value', value)), '[]')
    FROM settings WHERE organization_id IN (${organizationId}, ${systemOrganizationId}))`;
}

/**
 * Selects the stored value of one setting as JSON: the override of the organization, otherwise the global
 * value. Null if only the built-in default applies.
 */
export function storedSettingSql(
  organizationId: number | RawBuilder<unknown>,
  key: SettingKey,
): RawBuilder<unknown> {
  return sql`(
    SELECT settings.value FROM settings
    WHERE settings.organization_id IN (${organizationId}, ${systemOrganizationId}) AND settings.key = ${key}
    ORDER BY settings.organization_id = ${systemOrganizationId} LIMIT 1)`;
}

/** Settings that limit organizations and that only the operator can change. */
export type LimitKey = Extract<SettingKey, `limits.${string}`>;

/** Selects a limit of the installation, for use in a larger statement. */
export function limitValueSql(key: LimitKey): RawBuilder<number> {
  return sql<number>`coalesce((
    SELECT value FROM settings WHERE organization_id = ${systemOrganizationId} AND key = ${key}
  ), to_jsonb(${settingDefinitions[key].default}::integer))::integer`;
}

/** Returns a limit of the installation. */
export async function readLimit(db: Database | Tx, key: LimitKey): Promise<number> {
  const { rows } = await sql<{ value: number }>`SELECT ${limitValueSql(key)} AS value`.execute(db);
  return rows[0]!.value;
}

/** Returns the effective settings of organizations from stored overrides and global values. */
export function toSettings(
  rows: readonly StoredSetting[],
  organizationIds: readonly number[],
  defaults: InstallationDefaults = {},
): Map<number, SettingValues> {
  const stored = byOrganization(rows);
  const base = { ...builtInSettings(defaults), ...valuesOf(stored.get(systemOrganizationId)) };
  return new Map(organizationIds.map((id) => [id, { ...base, ...valuesOf(stored.get(id)) }]));
}

/** A setting and the origin of its value. */
export interface SettingState {
  key: SettingKey;
  value: unknown;
  /** Value that applies without the override. */
  globalValue: unknown;
  isOverridden: boolean;
  /** Time of the last change to the override, or null without an override. */
  overriddenAt: Date | null;
  /** Number of changes by the organization. */
  revision: number;
}

/** Returns all settings of an organization in the order of `settingDefinitions`, in one statement. */
export async function readSettingStates(
  db: Database | Tx,
  organizationId: number,
  defaults: InstallationDefaults = {},
): Promise<SettingState[]> {
  const { stored, revisions } = await readWithRevisions(db, organizationId);
  const base = { ...builtInSettings(defaults), ...valuesOf(stored.get(systemOrganizationId)) };
  // The global organization has global values and no overrides.
  const overrides = organizationId === systemOrganizationId ? undefined : stored.get(organizationId);
  return settingKeyNames.map((key) => {
    const override = overrides?.get(key);
    return {
      key,
      value: override ? override.value : base[key],
      globalValue: base[key],
      isOverridden: override !== undefined,
      overriddenAt: override?.updated_at ?? null,
      revision: revisions.get(key) ?? 0,
    };
  });
}

/**
 * Locks settings for a change and returns their combined revision. Until the transaction ends, no one else can change
 * them, with or without an override.
 */
export async function lockRevision(
  tx: Tx,
  organizationId: number,
  keys: readonly SettingKey[],
): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    INSERT INTO setting_revisions (organization_id, key, revision)
    SELECT ${organizationId}, key, 0 FROM unnest(${keys}::text[]) AS key ORDER BY key
    ON CONFLICT (organization_id, key) DO UPDATE SET revision = setting_revisions.revision
    RETURNING revision`.execute(tx);
  return rows.reduce((sum, { revision }) => sum + revision, 0);
}

async function incrementRevision(tx: Tx, organizationId: number, key: SettingKey): Promise<void> {
  await sql`
    INSERT INTO setting_revisions (organization_id, key, revision) VALUES (${organizationId}, ${key}, 1)
    ON CONFLICT (organization_id, key) DO UPDATE SET revision = setting_revisions.revision + 1`.execute(tx);
}

/**
 * Writes a value and returns the previous one, which is null if no value was stored. Returns undefined if the
 * value is unchanged.
 */
export async function upsertSetting(
  tx: Tx,
  organizationId: number,
  key: SettingKey,
  value: unknown,
): Promise<{ previous: unknown } | undefined> {
  const { rows } = await sql<{ previous: unknown }>`
    WITH before AS (SELECT value FROM settings WHERE organization_id = ${organizationId} AND key = ${key})
    INSERT INTO settings (organization_id, key, value) VALUES (${organizationId}, ${key}, ${JSON.stringify(value)}::jsonb)
    ON CONFLICT (organization_id, key) DO UPDATE SET value = excluded.value, updated_at = pacekeeper_now()
    WHERE settings.value IS DISTINCT FROM excluded.value
    RETURNING (SELECT value FROM before) AS previous`.execute(tx);
  if (rows[0]) await incrementRevision(tx, organizationId, key);
  return rows[0];
}

/** Deletes a value and returns it, or undefined if no value was stored. */
export async function deleteSetting(
  tx: Tx,
  organizationId: number,
  key: SettingKey,
): Promise<{ previous: unknown } | undefined> {
  const { rows } = await sql<{ previous: unknown }>`
    DELETE FROM settings WHERE organization_id = ${organizationId} AND key = ${key}
    RETURNING value AS previous`.execute(tx);
  if (rows[0]) await incrementRevision(tx, organizationId, key);
  return rows[0];
}

/**
 * Records the time of the change for all affected organizations, so that their gather jobs are processed
 * again with the new platform words.
 */
export async function markPlatformWordsChanged(tx: Tx, organizationId: number): Promise<void> {
  const key: SettingKey = 'versions.platform_words';
  await sql`
    UPDATE organizations SET platform_words_changed_at = pacekeeper_now()
    WHERE ${
      organizationId === systemOrganizationId
        ? sql`NOT EXISTS (
            SELECT FROM settings
            WHERE settings.organization_id = organizations.id AND key = ${key}
              AND settings.organization_id <> ${organizationId})`
        : sql`id = ${organizationId}`
    }`.execute(tx);
}

/**
 * Makes the next list of each affected repository group scan all repositories, because a list otherwise scans
 * only those with a push. Locks the jobs in the same order as other changes to many jobs.
 */
export async function markCustomExtractorsChanged(tx: Tx, organizationId: number): Promise<void> {
  const key: SettingKey = 'discovery.custom_extractors';
  await sql`
    WITH affected AS (
      SELECT organization_id, id FROM discovery_jobs AS jobs
      WHERE group_job_id IS NOT NULL AND read_push IS NOT NULL AND ${
        organizationId === systemOrganizationId
          ? sql`NOT EXISTS (
              SELECT FROM settings
              WHERE settings.organization_id = jobs.organization_id AND key = ${key})`
          : sql`organization_id = ${organizationId}`
      }
      ORDER BY organization_id, id FOR NO KEY UPDATE
    )
    UPDATE discovery_jobs AS jobs SET read_push = NULL
    FROM affected WHERE jobs.organization_id = affected.organization_id AND jobs.id = affected.id`.execute(
    tx,
  );
}

/**
 * Removes a deleted channel or rule from the setting that makes it the default. Returns true if it was the default.
 */
export async function unsetDefault(
  tx: Tx,
  organizationId: number,
  key: 'default_notification_channel_id' | 'default_rule_id',
  id: number,
): Promise<boolean> {
  // Lock the setting first, in the same order as requests that set it.
  await lockRevision(tx, organizationId, [key]);
  const { rows } = await sql`
    DELETE FROM settings
    WHERE organization_id = ${organizationId} AND key = ${key} AND value = to_jsonb(${id}::bigint)
    RETURNING key`.execute(tx);
  if (rows.length > 0) await incrementRevision(tx, organizationId, key);
  return rows.length > 0;
}

/**
 * Locks a channel of the organization until the transaction ends, and returns its type, or undefined if the
 * channel isn't found.
 */
export async function lockChannel(
  tx: Tx,
  organizationId: number,
  channelId: number,
): Promise<string | undefined> {
  if (!Number.isSafeInteger(channelId)) return undefined;
  const row = await tx
    .selectFrom('notification_channels')
    .select('channel_type')
    .where('organization_id', '=', organizationId)
    .where('id', '=', channelId)
    .forKeyShare()
    .executeTakeFirst();
  return row?.channel_type;
}

/** Locks a monitoring rule of the organization until the transaction ends. Returns false if the rule isn't found. */
export async function lockRule(tx: Tx, organizationId: number, ruleId: number): Promise<boolean> {
  if (!Number.isSafeInteger(ruleId)) return false;
  const row = await tx
    .selectFrom('rules')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', ruleId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export interface StoredSetting {
  organization_id: number;
  key: string;
  value: unknown;
}

interface StoredRow extends StoredSetting {
  updated_at: Date;
}

/**
 * Reads the stored values of one organization and the global values, with the revisions of all settings,
 * including settings without an override.
 */
async function readWithRevisions(
  db: Database | Tx,
  organizationId: number,
): Promise<{ stored: Map<number, Map<SettingKey, StoredRow>>; revisions: Map<string, number> }> {
  const { rows } = await sql<
    Omit<StoredRow, 'updated_at'> & { updated_at: Date | null; revision: number | null }
  >`
    SELECT organization_id, key, stored.value, stored.updated_at, revised.revision
    FROM (
      SELECT organization_id, key, value, updated_at FROM settings
      WHERE organization_id IN (${organizationId}, ${systemOrganizationId})
    ) AS stored
    FULL JOIN (
      SELECT organization_id, key, revision FROM setting_revisions WHERE organization_id = ${organizationId}
    ) AS revised USING (organization_id, key)`.execute(db);
  return {
    stored: byOrganization(
      rows.flatMap(({ updated_at, ...row }) => (updated_at === null ? [] : { ...row, updated_at })),
    ),
    revisions: new Map(rows.flatMap(({ key, revision }) => (revision === null ? [] : [[key, revision]]))),
  };
}

function byOrganization<Row extends StoredSetting>(rows: readonly Row[]): Map<number, Map<SettingKey, Row>> {
  const stored = new Map<number, Map<SettingKey, Row>>();
  for (const row of rows) {
    // A key added by a later version is unknown here.
    if (!isSettingKey(row.key)) continue;
    const settings = stored.get(row.organization_id) ?? new Map<SettingKey, Row>();
    stored.set(row.organization_id, settings.set(row.key, row));
  }
  return stored;
}

/** Converts stored values without validation, because each value was validated when it was written. */
function valuesOf(settings: ReadonlyMap<SettingKey, StoredSetting> | undefined): Partial<SettingValues> {
  return Object.fromEntries(
    [...(settings ?? [])].map(([key, { value }]) => [key, value]),
  ) as Partial<SettingValues>;
}
