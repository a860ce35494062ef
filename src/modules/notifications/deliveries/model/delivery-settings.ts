import type { NotificationTemplateCategory } from '../../../../domain/routing/notification-event.ts';
import { defaultTemplates } from '../../../../domain/templates/default-templates.ts';
import type { Database, Tx } from '../../../../platform/database/index.ts';
import { systemOrganizationId } from '../../../accounts/index.ts';
import {
  type InstallationDefaults,
  readSettingsAcrossOrganizations,
  type SettingValues,
  type StoredSetting,
  templateSettingKeys,
  toSettings,
} from '../../../settings/index.ts';

export type { InstallationDefaults };

/** Notification settings of an organization. Unset values use the global value or the built-in default. */
export interface DeliverySettings {
  defaultChannelId: number | null;
  fallbackToDefault: boolean;
  /** Key of the label whose value names the owner of an alert. */
  ownerLabel: string;
  reminderIntervalHours: number | null;
  /** Delays between attempts. With n delays, a delivery has n + 1 attempts. */
  retryScheduleSeconds: readonly number[];
  /** Timeout of one attempt, including the response body. */
  timeoutSeconds: number;
  deliveriesRetentionDays: number;
  templates: Readonly<Record<NotificationTemplateCategory, TemplateSetting>>;
}

/** Custom templates. `null` if none is set at that level. */
export interface TemplateSetting {
  organization: string | null;
  global: string | null;
}

export async function deliverySettings(
  db: Database | Tx,
  organizationId: number,
  defaults: InstallationDefaults = {},
): Promise<DeliverySettings> {
  const settings = await deliverySettingsAcrossOrganizations(db, [organizationId], defaults);
  return settings.get(organizationId)!;
}

/** Reads the settings of several organizations in one statement. */
export async function deliverySettingsAcrossOrganizations(
  db: Database | Tx,
  organizationIds: readonly number[],
  defaults: InstallationDefaults = {},
): Promise<Map<number, DeliverySettings>> {
  const values = await readSettingsAcrossOrganizations(
    db,
    [systemOrganizationId, ...organizationIds],
    defaults,
  );
  const ofGlobal = values.get(systemOrganizationId)!;
  return new Map(organizationIds.map((id) => [id, toDeliverySettings(values.get(id)!, ofGlobal)]));
}

/** Combines the stored settings of an organization with the global ones. */
export function deliverySettingsOf(
  stored: readonly StoredSetting[],
  organizationId: number,
): DeliverySettings {
  const values = toSettings(stored, [systemOrganizationId, organizationId]);
  return toDeliverySettings(values.get(organizationId)!, values.get(systemOrganizationId)!);
}

function toDeliverySettings(values: SettingValues, ofGlobal: SettingValues): DeliverySettings {
  const template = (category: NotificationTemplateCategory): TemplateSetting => {
    const key = templateSettingKeys[category];
    return {
      organization: values[key] === ofGlobal[key] ? null : values[key],
      global: ofGlobal[key] === defaultTemplates[category] ? null : ofGlobal[key],
    };
  };
  return {
    defaultChannelId: values.default_notification_channel_id,
    fallbackToDefault: values['notification.fallback_to_default'],
    ownerLabel: values['notification.owner_label'],
    reminderIntervalHours: values['notification.reminder_interval_hours'],
    retryScheduleSeconds: values['delivery.retry_schedule_seconds'],
    timeoutSeconds: values['delivery.timeout_seconds'],
    deliveriesRetentionDays: values['retention.deliveries_days'],
    templates: {
      new_alert: template('new_alert'),
      acknowledged: template('acknowledged'),
      resolved: template('resolved'),
    },
  };
}
