import { type Actor, systemActor } from '../../domain/audit/actor.ts';
import { isTracker, noDefaultTracker } from '../../domain/tickets/trackers.ts';
import { changeTopic, type Database, type Tx, transaction, wake } from '../../platform/database/index.ts';
import { ApiError, invalidField } from '../../platform/errors.ts';
import { assertIfMatch, type IfMatch } from '../../platform/http/index.ts';
import {
  announceRightsChange,
  assertCanRequireTwoFactor,
  requireTwoFactorKey,
  systemOrganizationId,
} from '../accounts/index.ts';
import { recordEdit } from '../audit/index.ts';
import { checkSettings, type SettingChange } from './check-setting.ts';
import type { TemplateSandbox } from './check-templates.ts';
import { categoryOfSetting, isSettingKey, type SettingKey, settingDefinitions } from './setting-keys.ts';
import {
  deleteSetting,
  lockChannel,
  lockRevision,
  lockRule,
  markCustomExtractorsChanged,
  markPlatformWordsChanged,
  upsertSetting,
} from './setting-queries.ts';

export interface SettingDeps {
  db: Database;
  sandbox: TemplateSandbox;
}

export interface SettingAuthor {
  actor: Actor;
  requestId: string | null;
}

/** A request that changes settings of an organization. */
export interface SettingRequest extends SettingAuthor {
  organizationId: number;
  /** ID of the caller's login, or null for keys. */
  loginId: string | null;
  ifMatch: IfMatch;
}

/**
 * Overrides settings of an organization. If one value is rejected (400), no setting is changed. Every API
 * that changes settings uses this function: settings, templates, and notification settings.
 * @param resource Settings that the changed resource consists of.
 * @param read Reads the response in the same transaction, so it can't contain later changes.
 */
export async function overrideSettings<Result>(
  { db, sandbox }: SettingDeps,
  request: SettingRequest,
  resource: readonly SettingKey[],
  changes: readonly SettingChange[],
  read: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  await checkOverrides(sandbox, request.organizationId, changes);
  return transaction(db, async (tx) => {
    await writeOverrides(tx, request, resource, changes);
    return read(tx);
  });
}

/**
 * Rejects overrides that are invalid regardless of the stored values: 400, or 403 for the global
 * organization and for settings that only the operator can change.
 */
export async function checkOverrides(
  sandbox: TemplateSandbox,
  organizationId: number,
  changes: readonly SettingChange[],
): Promise<void> {
  assertNotGlobal(organizationId);
  const locked = changes.find(({ key }) => settingDefinitions[key].isOperatorOnly);
  if (locked)
    throw new ApiError(
      'forbidden',
      `Only the operator can change ${locked.key}, with \`pacekeeper admin set-setting\`.`,
    );
  await checkSettings(sandbox, organizationId, changes);
}

/** Writes checked overrides in a transaction. */
export async function writeOverrides(
  tx: Tx,
  request: SettingRequest,
  resource: readonly SettingKey[],
  changes: readonly SettingChange[],
): Promise<void> {
  const { organizationId } = request;
  for (const { key, value, field } of changes) {
    if (key === 'default_rule_id' && value !== null && !(await lockRule(tx, organizationId, Number(value))))
      throw invalidField(field, `monitoring rule ${Number(value)} not found`);
    if (key !== 'default_notification_channel_id' || value === null) continue;
    const channelId = Number(value);
    const type = await lockChannel(tx, organizationId, channelId);
    if (type === undefined) throw invalidField(field, `notification channel ${channelId} not found`);
    if (isTracker(type)) throw invalidField(field, noDefaultTracker);
  }
  // The settings are locked last, after the default channel and the default rule, because deletions of
  // channels and rules use the same order.
  assertIfMatch(request, { revision: await lockRevision(tx, organizationId, resource) });
  for (const { key, value } of changes) {
    if (key === requireTwoFactorKey && value === true) await assertCanRequireTwoFactor(tx, request);
    const changed = await upsertSetting(tx, organizationId, key, value);
    if (!changed) continue;
    await writeChange(tx, organizationId, key, request, changed.previous, value);
    publishChange(tx, organizationId, key);
  }
}

/**
 * Removes an override, so that the global value applies again. Returns false if there was nothing to remove.
 */
export async function removeOverride(
  { db }: Pick<SettingDeps, 'db'>,
  request: SettingRequest,
  key: SettingKey,
): Promise<boolean> {
  assertNotGlobal(request.organizationId);
  return transaction(db, (tx) => deleteOverride(tx, request, key));
}

/** Removes an override in an existing transaction. Returns false if there was nothing to remove. */
export async function deleteOverride(tx: Tx, request: SettingRequest, key: SettingKey): Promise<boolean> {
  const { organizationId } = request;
  const revision = await lockRevision(tx, organizationId, [key]);
  const removed = await deleteSetting(tx, organizationId, key);
  if (!removed) return false;
  assertIfMatch(request, { revision });
  await writeChange(tx, organizationId, key, request, removed.previous);
  publishChange(tx, organizationId, key);
  return true;
}

/**
 * Sets the global value of a setting for the operator, or resets it to the built-in default if the value is
 * `undefined`.
 * @throws ApiError 404 for an unknown key, 400 for an invalid value.
 */
export async function setGlobalSetting(
  { db, sandbox }: Pick<SettingDeps, 'db' | 'sandbox'>,
  key: string,
  value: unknown,
): Promise<void> {
  if (!isSettingKey(key)) throw new ApiError('not_found', `Unknown setting ${key}.`);
  const author = { actor: systemActor, requestId: null };
  if (value === undefined) {
    await transaction(db, async (tx) => {
      const removed = await deleteSetting(tx, systemOrganizationId, key);
      if (removed) await writeChange(tx, systemOrganizationId, key, author, removed.previous);
      if (key === requireTwoFactorKey) announceRightsChange(tx, 'everyone');
    });
    return;
  }
  await checkSettings(sandbox, systemOrganizationId, [{ key, value, field: 'value' }]);
  if (key === 'default_notification_channel_id' && value !== null) {
    throw invalidField('value', 'a global value must be null; channels belong to one organization');
  }
  if (key === 'default_rule_id' && value !== null)
    throw invalidField('value', 'a global value must be null; rules belong to one organization');
  await transaction(db, async (tx) => {
    const changed = await upsertSetting(tx, systemOrganizationId, key, value);
    if (changed) await writeChange(tx, systemOrganizationId, key, author, changed.previous, value);
    if (key === requireTwoFactorKey) announceRightsChange(tx, 'everyone');
  });
}

/**
 * Rejects changes by organization 1. Its values are the global values, which the operator can change, but API
 * keys can't.
 */
function assertNotGlobal(organizationId: number): void {
  if (organizationId === systemOrganizationId) {
    throw new ApiError('forbidden', 'Use `pacekeeper admin set-setting` to change global values.');
  }
}

/** Publishes an update even when an override is removed, because the setting always has a value. */
function publishChange(tx: Tx, organizationId: number, key: SettingKey): void {
  wake(tx, changeTopic(organizationId, settingDefinitions[key].resource, null));
  if (key === requireTwoFactorKey) announceRightsChange(tx, { organizationId });
}

/** @param value New value, or undefined if the override was removed. */
async function writeChange(
  tx: Tx,
  organizationId: number,
  key: SettingKey,
  { actor, requestId }: SettingAuthor,
  previous: unknown,
  value?: unknown,
): Promise<void> {
  if (key === 'discovery.custom_extractors') await markCustomExtractorsChanged(tx, organizationId);
  if (key === 'versions.platform_words') await markPlatformWordsChanged(tx, organizationId);
  const request = { caller: { organizationId, actor }, requestId };
  // A template is long and can contain confidential text, so the audit log doesn't record it.
  const isTemplate = categoryOfSetting(key) !== null;
  const show = (shown: unknown) => ({ id: null, name: key, ...(!isTemplate && { value: shown }) });
  await recordEdit(tx, request, settingDefinitions[key].resource, {
    before: show(previous),
    after: value === undefined ? undefined : show(value),
    ...(value !== undefined && !isTemplate && { detail: { value } }),
    ...(isTemplate && { secrets: { value: { from: null, to: null } } }),
  });
}
