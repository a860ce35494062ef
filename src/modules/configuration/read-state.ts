import { type RawBuilder, sql } from 'kysely';
import { kindOf, type Section, templateSettings, writeOnlyFields } from '../../domain/configuration/kinds.ts';
import { maxIgnoreRules } from '../../domain/discovery/ignore-rules.ts';
import { ownValue } from '../../domain/json/own-value.ts';
import schema from '../../generated/configuration-schema.json' with { type: 'json' };
import type { Database } from '../../platform/database/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { decryptChannelAddress } from '../notifications/index.ts';
import { type InstallationDefaults, readSettingStates, settingDefinitions } from '../settings/index.ts';
import type { StateTexts } from './planned-steps.ts';

export interface StateDeps {
  db: Database;
  secretBox: SecretBox;
  defaults: InstallationDefaults;
}

/** Maximum number of rows read by one statement. */
const rowsPerPage = 5_000;

/**
 * Fields of a file that can't be read from a column of the same name, because they have no column or its
 * format differs.
 */
const otherFields: ReadonlySet<string> = new Set([
  'key',
  'fed_by',
  'version',
  'thresholds',
  'chart_filter',
  'url',
  'closing_path',
  'limit',
  'artifact',
  'ignored_vulnerabilities',
  ...writeOnlyFields,
]);

/**
 * Lists that a repository group copies to the discovery jobs of its repositories, with their empty values.
 * These discovery jobs never come from a file, so a plan doesn't read their copies, which can be thousands of
 * the same long list.
 */
const groupLists: Readonly<Record<string, string>> = {
  include: '{}',
  exclude: '{}',
  extractors: '{}',
  label_rules: '[]',
  custom_extractors: '[]',
  ignore_rules: '[]',
};

const otherColumns: Readonly<Record<Section, readonly RawBuilder<unknown>[]>> = {
  rules: [
    sql`json_strip_nulls(json_build_object(
      'moderate', threshold_moderate, 'high', threshold_high, 'critical', threshold_critical)) AS thresholds`,
  ],
  helm_sync_jobs: [sql`coalesce(chart_filter, '{}') AS chart_filter`, sql`discovery_job_id AS managed_by`],
  gather_jobs: [
    sql.ref('helm_sync_job_id'),
    sql`discovery_job_id AS managed_by`,
    sql.ref('purls_source'),
    sql.ref('project_url_source'),
    sql`CASE WHEN lifecycle_product IS NOT NULL THEN 'set' END AS lifecycle_product_source`,
    sql`CASE WHEN vulnerability_packages IS NOT NULL THEN 'set' END AS vulnerability_packages_source`,
  ],
  discovery_jobs: [
    sql`group_job_id AS managed_by`,
    // Decisions of users to ignore or keep items. A file contains them as rules.
    sql`CASE WHEN group_job_id IS NULL THEN (
      SELECT coalesce(json_agg(decision), '[]') FROM (
        SELECT json_strip_nulls(json_build_object('artifact', artifact_key, 'key', key, 'path', '/' || path,
          'reason', ignore_reason, 'is_ignored', CASE WHEN status = 'new' THEN false END)) AS decision
        FROM discovered_items AS items
        WHERE items.organization_id = discovery_jobs.organization_id AND items.discovery_job_id = discovery_jobs.id
          AND scrape_job_id IS NULL AND (
            status = 'ignored' AND duplicate_of_id IS NULL AND NOT ignored_by_rule
            OR status = 'new' AND restored_at IS NOT NULL)
        ORDER BY id LIMIT ${sql.lit(maxIgnoreRules)}
      ) AS decisions
    ) ELSE '[]' END AS decisions`,
  ],
  scrape_jobs: [
    sql.ref('url'),
    sql.ref('latest_version'),
    sql.ref('discovery_job_id'),
    sql`(
      SELECT json_build_object('key', items.key, 'discriminator', items.discriminator) FROM discovered_items AS items
      WHERE items.organization_id = scrape_jobs.organization_id AND items.scrape_job_id = scrape_jobs.id
    ) AS followed_item`,
  ],
  notification_channels: [
    sql`header_names`,
    sql`preset_options_sealed IS NOT NULL AS has_preset_options`,
    sql`signing_secret_sealed IS NOT NULL AS has_signing_secret`,
    sql`tracker_sealed IS NOT NULL AS has_token`,
  ],
  alert_configs: [
    // The column also has the author and time of each entry.
    sql`(
      SELECT coalesce(json_agg(ignored.value - 'at' - 'by' ORDER BY ignored.place), '[]')
      FROM jsonb_array_elements(ignored_vulnerabilities) WITH ORDINALITY AS ignored (value, place)
    ) AS ignored_vulnerabilities`,
    sql`(
      SELECT items.discovery_job_id FROM discovered_items AS items
      WHERE items.organization_id = alert_configs.organization_id AND items.alert_config_id = alert_configs.id
    ) AS managed_by`,
  ],
  notification_rules: [],
  freshness_targets: [sql`max_value AS "limit"`],
  artifact_aliases: [],
  artifact_corrections: [sql`artifact_key AS artifact`, sql`artifact_key AS name`],
};

/**
 * Reads the state that a plan compares a configuration with: the fields that files contain, by ascending ID.
 */
export async function readState(
  { db, secretBox, defaults }: StateDeps,
  organizationId: number,
): Promise<StateTexts> {
  const own = (section: Section) => readPages(db, organizationId, section, columnsOf(section));
  const global = (section: 'gather_jobs' | 'helm_sync_jobs') =>
    organizationId === systemOrganizationId
      ? []
      : readPages(db, systemOrganizationId, section, [sql.ref('id'), sql.ref('name')]);
  const states = await readSettingStates(db, organizationId, defaults);
  const overridden = states.filter(({ isOverridden }) => isOverridden);
  const categoryOf = new Map(Object.entries(templateSettings).map(([category, key]) => [key, category]));
  return {
    own: {
      rules: await own('rules'),
      helm_sync_jobs: await own('helm_sync_jobs'),
      discovery_jobs: await own('discovery_jobs'),
      gather_jobs: await own('gather_jobs'),
      scrape_jobs: await own('scrape_jobs'),
      notification_channels: await readChannels(db, secretBox, organizationId),
      alert_configs: await own('alert_configs'),
      notification_rules: await own('notification_rules'),
      freshness_targets: await own('freshness_targets'),
      artifact_aliases: await own('artifact_aliases'),
      artifact_corrections: await own('artifact_corrections'),
    },
    global: {
      rules: [],
      discovery_jobs: [],
      scrape_jobs: [],
      notification_channels: [],
      alert_configs: [],
      notification_rules: [],
      freshness_targets: [],
      artifact_aliases: [],
      artifact_corrections: [],
      helm_sync_jobs: await global('helm_sync_jobs'),
      gather_jobs: await global('gather_jobs'),
    },
    settings: overridden.filter(({ key }) => !categoryOf.has(key)).map(({ key, value }) => [key, value]),
    settingRevisions: states.map(({ key, revision }) => [key, revision]),
    operatorSettings: states.flatMap(({ key, value }) =>
      settingDefinitions[key].isOperatorOnly ? [[key, value]] : [],
    ),
    templates: overridden.flatMap(({ key, value }) => {
      const category = categoryOf.get(key);
      return category === undefined ? [] : [[category, String(value)] as const];
    }),
  };
}

/** Returns the columns of a section, which have the same names as the API fields. */
function columnsOf(section: Section): RawBuilder<unknown>[] {
  const { references } = kindOf(section);
  const memberOf = new Map(Object.entries(references).map(([member, { field }]) => [field, member]));
  const fields = Object.keys(schema.properties[section].items.properties);
  const members = fields
    .filter((field) => !otherFields.has(field))
    .map((field) => memberOf.get(field) ?? field);
  const columns = ['id', 'revision', ...members].map((name) =>
    section === 'discovery_jobs' && Object.hasOwn(groupLists, name) ? ownList(name) : sql.ref(name),
  );
  return [...columns, ...otherColumns[section]];
}

function ownList(name: string): RawBuilder<unknown> {
  return sql`CASE WHEN group_job_id IS NULL THEN ${sql.ref(name)} ELSE ${sql.lit(ownValue(groupLists, name))} END AS ${sql.ref(name)}`;
}

async function readPages(
  db: Database,
  organizationId: number,
  section: Section,
  columns: readonly RawBuilder<unknown>[],
): Promise<string[]> {
  const pages: string[] = [];
  for (let after = 0; ; ) {
    const { rows } = await sql<{ json: string | null; last: number | null; count: number }>`
      SELECT json_agg(item)::text AS json, max(item.id) AS last, count(*) AS count
      FROM (
        SELECT ${sql.join(columns)} FROM ${sql.table(section)}
        WHERE organization_id = ${organizationId} AND id > ${after} ORDER BY id LIMIT ${sql.lit(rowsPerPage)}
      ) AS item`.execute(db);
    const { json, last, count } = rows[0]!;
    if (json !== null) pages.push(json);
    if (last === null || count < rowsPerPage) return pages;
    after = last;
  }
}

/** Reads channels with their URLs and closing paths, which a plan compares. Other secrets aren't read. */
async function readChannels(db: Database, secretBox: SecretBox, organizationId: number): Promise<string[]> {
  const pages: string[] = [];
  for (let after = 0; ; ) {
    const { rows } = await sql<{
      id: number;
      url_sealed: Buffer;
      closing_path_sealed: Buffer | null;
      tracker_sealed: Buffer | null;
      header_names: string[];
    }>`
      SELECT ${sql.join(columnsOf('notification_channels'))}, url_sealed, closing_path_sealed, tracker_sealed
      FROM notification_channels
      WHERE organization_id = ${organizationId} AND id > ${after} ORDER BY id LIMIT ${sql.lit(rowsPerPage)}`.execute(
      db,
    );
    const channels = rows.map(
      ({ url_sealed, closing_path_sealed, tracker_sealed, header_names, ...row }) => ({
        ...row,
        ...decryptChannelAddress(secretBox, organizationId, {
          id: row.id,
          url_sealed,
          closing_path_sealed,
          tracker_sealed,
        }),
        headers: Object.fromEntries(header_names.map((name) => [name, null])),
      }),
    );
    if (channels.length > 0) pages.push(JSON.stringify(channels));
    if (channels.length < rowsPerPage) return pages;
    after = channels.at(-1)!.id;
  }
}
