import type { Schemas } from '../../../generated/client-api.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import {
  overrideSettings,
  readRevision,
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
} as const satisfies Record<Exclude<keyof NotificationSettings, 'revision'>, SettingKey>;
const resource = Object.values(keys);

export function notificationSettingsHandlers(deps: SettingDeps): Handlers<NotificationSettingsOperations> {
  return {
    async getNotificationSettings({ caller }) {
      return { status: 200, body: await read(caller.organizationId) };
    },

    async updateNotificationSettings({ caller, body, requestId, ifMatch }) {
      const { organizationId, actor } = caller;
      const current = await readSettings(deps.db, organizationId);
      // Sending back the current value doesn't override the global one.
      const changes = Object.entries(body).flatMap(([field, value]): SettingChange[] => {
        const key = keys[field as keyof typeof keys];
        return value === current[key] ? [] : [{ key, value, field }];
      });
      await overrideSettings(deps, { organizationId, actor, requestId, ifMatch }, resource, changes);
      return { status: 200, body: await read(organizationId) };
    },
  };

  async function read(organizationId: number): Promise<NotificationSettings> {
    // Before the values: what is changed in between then has a revision that no longer matches.
    const revision = await readRevision(deps.db, organizationId, resource);
    const settings = await readSettings(deps.db, organizationId);
    return {
      default_channel_id: settings[keys.default_channel_id],
      fallback_to_default: settings[keys.fallback_to_default],
      reminder_interval_hours: settings[keys.reminder_interval_hours],
      revision,
    };
  }
}
