import type { Schemas } from '../../generated/client-api.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import { systemOrganizationId } from '../accounts/index.ts';
import { overrideSettings, removeOverride, type SettingDeps } from './change-settings.ts';
import {
  type InstallationDefaults,
  isSettingKey,
  type SettingKey,
  settingDefinitions,
} from './setting-keys.ts';
import { readSettingStates, type SettingState } from './setting-queries.ts';

export interface SettingHandlerDeps extends SettingDeps {
  defaults: InstallationDefaults;
}

type SettingOperations =
  | 'listSettings'
  | 'listEffectiveSettings'
  | 'listOrgOverrides'
  | 'putOrgOverride'
  | 'deleteOrgOverride';

export function settingHandlers(deps: SettingHandlerDeps): Handlers<SettingOperations> {
  const { db, defaults } = deps;
  return {
    async listSettings() {
      const states = await readSettingStates(db, systemOrganizationId, defaults);
      return { status: 200, body: { items: states.map(toSetting) } };
    },

    async listEffectiveSettings({ caller }) {
      const states = await readSettingStates(db, caller.organizationId, defaults);
      return { status: 200, body: { items: states.map(toSetting) } };
    },

    async listOrgOverrides({ caller }) {
      const states = await readSettingStates(db, caller.organizationId, defaults);
      return { status: 200, body: { items: states.filter((state) => state.isOverridden).map(toSetting) } };
    },

    async putOrgOverride({ caller, path, body, requestId, ifMatch }) {
      const { organizationId, actor, loginId } = caller;
      const { key } = path;
      if (!isSettingKey(key)) throw unknownSetting(key);
      const request = { organizationId, actor, loginId, requestId, ifMatch };
      const change = { key, value: body.value, field: 'value' };
      const states = await overrideSettings(deps, request, [key], [change], (tx) =>
        readSettingStates(tx, organizationId, defaults),
      );
      return { status: 200, body: toSetting(states.find((state) => state.key === key)!) };
    },

    async deleteOrgOverride({ caller, path, requestId, ifMatch }) {
      const { organizationId, actor, loginId } = caller;
      if (!isSettingKey(path.key)) throw unknownSetting(path.key);
      const isRemoved = await removeOverride(
        deps,
        { organizationId, actor, loginId, requestId, ifMatch },
        path.key,
      );
      if (!isRemoved) throw noOverride(path.key);
      return { status: 204 };
    },
  };
}

function unknownSetting(key: string): ApiError {
  return new ApiError(
    'not_found',
    `The setting ${key.slice(0, 100)} doesn't exist. GET /settings/effective lists all settings.`,
  );
}

function noOverride(key: SettingKey): ApiError {
  return new ApiError(
    'not_found',
    `Your organization doesn't override ${key}, so the global value already applies. GET /settings/org-overrides lists the overrides.`,
  );
}

function toSetting({ key, value, globalValue, isOverridden, revision }: SettingState): Schemas['Setting'] {
  const { schema, description, isOperatorOnly = false } = settingDefinitions[key];
  return {
    key,
    value,
    default_value: globalValue,
    scope: isOverridden ? 'organization' : 'global',
    is_overridable: !isOperatorOnly,
    value_schema: schema,
    description,
    revision,
  };
}
