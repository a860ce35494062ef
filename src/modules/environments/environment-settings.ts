import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readSettings, type SettingValues, settingDefinitions } from '../settings/index.ts';

type LabelKey = 'environments.label' | 'environments.service_label' | 'environments.component_label';

/**
 * SQL expressions for the labels that determine the position of a scrape job `j` in the matrix, the order of
 * environments, and limits.
 */
export interface EnvironmentSettings {
  /** Null if the job doesn't have this label. */
  readonly service: RawBuilder<string>;
  /** Empty if the job doesn't have this label. */
  readonly component: RawBuilder<string>;
  /** Null if the job doesn't have this label. */
  readonly environment: RawBuilder<string>;
  /**
   * Condition without a collation, which is its exact form in the indexes. With a collation, PostgreSQL
   * wouldn't use them.
   */
  readonly hasService: RawBuilder<boolean>;
  readonly hasEnvironment: RawBuilder<boolean>;
  readonly order: readonly string[];
  /** Maximum number of compared environments. */
  readonly maxEnvironments: number;
  /** Maximum number of compared scrape jobs of a service. */
  readonly maxServiceJobs: number;
  /** Cache key that changes whenever another field of this object changes. */
  readonly key: readonly unknown[];
}

export async function readEnvironmentSettings(
  db: Database | Tx,
  organizationId: number,
): Promise<EnvironmentSettings> {
  return environmentSettingsOf(await readSettings(db, organizationId));
}

export function environmentSettingsOf(settings: SettingValues): EnvironmentSettings {
  return {
    service: sql`(${labelOf(settings, 'environments.service_label')} COLLATE "C")`,
    component: sql`(coalesce(${labelOf(settings, 'environments.component_label')}, '') COLLATE "C")`,
    environment: sql`(${labelOf(settings, 'environments.label')} COLLATE "C")`,
    hasService: sql`${labelOf(settings, 'environments.service_label')} IS NOT NULL`,
    hasEnvironment: sql`${labelOf(settings, 'environments.label')} IS NOT NULL`,
    order: settings['environments.order'],
    maxEnvironments: settings['limits.environments'],
    maxServiceJobs: settings['limits.service_jobs'],
    key: [
      settings['environments.service_label'],
      settings['environments.component_label'],
      settings['environments.label'],
      settings['environments.order'],
      settings['limits.environments'],
      settings['limits.service_jobs'],
    ],
  };
}

/**
 * Returns the SQL expression for a label. The default label keys are written as literals, because the indexes contain
 * them.
 */
function labelOf(settings: SettingValues, setting: LabelKey): RawBuilder<string | null> {
  const key = settings[setting];
  return key === settingDefinitions[setting].default
    ? sql`(j.labels ->> ${sql.lit(key)})`
    : sql`(j.labels ->> ${key}::text)`;
}
