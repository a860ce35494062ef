import type { Schemas } from '../../../generated/client-api.ts';
import type { Database, Tx } from '../../../platform/database/index.ts';
import type { Mailer } from '../../../platform/email/index.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import {
  overrideSettings,
  readSettingStates,
  type SettingChange,
  type SettingDeps,
  type SettingKey,
  type SettingValues,
} from '../../settings/index.ts';

type NotificationSettingsOperations = 'getNotificationSettings' | 'updateNotificationSettings';
type NotificationSettings = Schemas['NotificationSettings'];

/** Setting keys of the fields. The same settings can also be changed through the settings API. */
const keys = {
  default_channel_id: 'default_notification_channel_id',
  fallback_to_default: 'notification.fallback_to_default',
  reminder_interval_hours: 'notification.reminder_interval_hours',
} as const satisfies Record<Exclude<keyof NotificationSettings, ReadOnlyField>, SettingKey>;
type ReadOnlyField = 'is_email_available' | 'email_domains' | 'revision';
const resource = Object.values(keys);

export interface NotificationSettingsDeps extends SettingDeps {
  mailer: Pick<Mailer, 'domains'> | null;
}

export function notificationSettingsHandlers(
  deps: NotificationSettingsDeps,
): Handlers<NotificationSettingsOperations> {
  return {
    async getNotificationSettings({ caller }) {
      return { status: 200, body: await read(deps.db, caller.organizationId) };
    },

    async updateNotificationSettings({ caller, body, requestId, ifMatch }) {
      const { organizationId, actor, loginId } = caller;
      const current = await read(deps.db, organizationId);
      // Sending the current value doesn't override the global one.
      const changes = Object.entries(body).flatMap(([field, value]): SettingChange[] => {
        const name = field as keyof typeof keys;
        return value === current[name] ? [] : [{ key: keys[name], value, field }];
      });
      const request = { organizationId, actor, loginId, requestId, ifMatch };
      const settings = await overrideSettings(deps, request, resource, changes, (tx) =>
        read(tx, organizationId),
      );
      return { status: 200, body: settings };
    },
  };

  async function read(from: Database | Tx, organizationId: number): Promise<NotificationSettings> {
    const all = await readSettingStates(from, organizationId);
    const states = new Map(all.map((state) => [state.key, state]));
    const valueOf = <Key extends SettingKey>(key: Key) => states.get(key)!.value as SettingValues[Key];
    return {
      default_channel_id: valueOf(keys.default_channel_id),
      fallback_to_default: valueOf(keys.fallback_to_default),
      reminder_interval_hours: valueOf(keys.reminder_interval_hours),
      is_email_available: deps.mailer !== null,
      email_domains: [...(deps.mailer?.domains ?? [])],
      revision: resource.reduce((sum, key) => sum + states.get(key)!.revision, 0),
    };
  }
}
