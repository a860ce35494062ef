/**
 * A *setting* has a key and a value. Its *global value* applies to every organization; an organization can *override*
 * it. Other modules read effective values with `readSettings`, and change settings through their own APIs with
 * `overrideSettings`. An *alias* of an organization states that a mirror copies an upstream. The discovery module edits
 * the aliases, because discovered items depend on them.
 */
export {
  type AliasRow,
  type AliasValues,
  deleteAlias,
  findAlias,
  insertAliases,
  listAliases,
  lockAliases,
  readAliases,
  readAliasesToStore,
  updateAlias,
} from './alias-queries.ts';
export {
  checkOverrides,
  deleteOverride,
  overrideSettings,
  removeOverride,
  type SettingDeps,
  type SettingRequest,
  setGlobalSetting,
  writeOverrides,
} from './change-settings.ts';
export { findExtractorError, type SettingChange } from './check-setting.ts';
export {
  checkTemplates,
  runInSandbox,
  type TemplateSandbox,
  templateFieldErrors,
} from './check-templates.ts';
export { type SettingHandlerDeps, settingHandlers } from './setting-handlers.ts';
export {
  type InstallationDefaults,
  isSettingKey,
  type SettingKey,
  type SettingValues,
  settingDefinitions,
  templateSettingKeys,
} from './setting-keys.ts';
export {
  limitValueSql,
  lockRule,
  readLimit,
  readSettingStates,
  readSettings,
  readSettingsAcrossOrganizations,
  type SettingState,
  type StoredSetting,
  storedSettingSql,
  storedSettingsSql,
  toSettings,
  unsetDefault as clearDefault,
} from './setting-queries.ts';
export type { TemplateToCheck } from './template-check-job.ts';
