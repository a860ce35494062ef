import type { Schemas } from '../../../generated/client-api.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import {
  overrideSettings,
  readSettings,
  type SettingChange,
  type SettingDeps,
  type SettingKey,
} from '../../settings/index.ts';

type NotificationSettingsOperations = 'getNotificationSettings' | 'updateNotificationSettings';
type NotificationSettings = Schemas['NotificationSettings'];

/** Each member is a setting: this is a second door to it. */
const keys = {
  default_channel_id: 'default_notification_channel_id',
  fallback_to_default: 'notification.fallback_to_default',
  reminder_interval_hours: 'notification.reminder_interval_hours',
} as const satisfies Record<keyof NotificationSettings, SettingKey>;

export function notificationSettingsHandlers(deps: SettingDeps): Handlers<NotificationSettingsOperations> {
  return {
    async getNotificationSettings({ caller }) {
      return { status: 200, body: await read(caller.organizationId) };
    },

    async updateNotificationSettings({ caller, body, requestId }) {
      const { organizationId, actor } = caller;
      const changes = Object.entries(body).map(
        ([field, value]): SettingChange => ({
          key: keys[field as keyof NotificationSettings],
          value,
          field,
        }),
      );
      await overrideSettings(deps, organizationId, changes, { actor, requestId });
      return { status: 200, body: await read(organizationId) };
    },
  };

  async function read(organizationId: number): Promise<NotificationSettings> {
    const settings = await readSettings(deps.db, organizationId);
    return {
      default_channel_id: settings[keys.default_channel_id],
      fallback_to_default: settings[keys.fallback_to_default],
      reminder_interval_hours: settings[keys.reminder_interval_hours],
    };
  }
}
