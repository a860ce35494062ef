import { type RawBuilder, sql } from 'kysely';
import type { Database, Tx } from '../../platform/database/index.ts';
import { readSettings, type SettingValues, settingKeys } from '../settings/index.ts';

type LabelKey = 'environments.label' | 'environments.service_label' | 'environments.component_label';

/** The labels of a scrape job `j` that place it in the matrix, and the order of environments. */
export interface EnvironmentSettings {
  /** Null where the job has no such label. */
  readonly service: RawBuilder<string>;
  /** Empty where the job has no such label. */
  readonly component: RawBuilder<string>;
  /** Null where the job has no such label. */
  readonly environment: RawBuilder<string>;
  /** As the indexes have their conditions, which a collation would hide. */
  readonly hasService: RawBuilder<boolean>;
  readonly hasEnvironment: RawBuilder<boolean>;
  readonly order: readonly string[];
  /** Changes with the labels and the order. */
  readonly key: readonly unknown[];
}

export async function readEnvironmentSettings(
  db: Database | Tx,
  organizationId: number,
): Promise<EnvironmentSettings> {
  const settings = await readSettings(db, organizationId);
  return {
    service: sql`(${labelOf(settings, 'environments.service_label')} COLLATE "C")`,
    component: sql`(coalesce(${labelOf(settings, 'environments.component_label')}, '') COLLATE "C")`,
    environment: sql`(${labelOf(settings, 'environments.label')} COLLATE "C")`,
    hasService: sql`${labelOf(settings, 'environments.service_label')} IS NOT NULL`,
    hasEnvironment: sql`${labelOf(settings, 'environments.label')} IS NOT NULL`,
    order: settings['environments.order'],
    key: [
      settings['environments.service_label'],
      settings['environments.component_label'],
      settings['environments.label'],
      settings['environments.order'],
    ],
  };
}

/** The indexes have the default keys, so these are literals. */
function labelOf(settings: SettingValues, setting: LabelKey): RawBuilder<string | null> {
  const key = settings[setting];
  return key === settingKeys[setting].default
    ? sql`(j.labels ->> ${sql.lit(key)})`
    : sql`(j.labels ->> ${key}::text)`;
}
