import { isDeepStrictEqual } from 'node:util';
import { nearestName } from '../../domain/templates/nearest-name.ts';
import { defaultChannelField, defaultChannelSetting, templateSettings } from './kinds.ts';
import type { Draft, Step } from './plan-steps.ts';
import { resolveReference } from './resolve-references.ts';
import { nameOfId } from './wanted-members.ts';

export function planTemplates(draft: Draft): Step[] {
  const { wanted, state, options } = draft;
  if (!wanted.templates) return [];
  const steps: Step[] = [];
  for (const [category, body] of Object.entries(wanted.templates)) {
    const before = state.templates.get(category);
    if (before === body) draft.unchanged++;
    else
      steps.push({
        action: 'set-template',
        category,
        body,
        changes: [{ field: 'body', before, after: wanted.written.templates[category] }],
      });
  }
  if (!options.prune) return steps;
  for (const category of state.templates.keys()) {
    if (!Object.hasOwn(wanted.templates, category)) steps.push({ action: 'unset-template', category });
  }
  return steps;
}

/** All settings but the default channel, which has to be made first. */
export function planSettings(draft: Draft): Step[] {
  const { wanted, state, options } = draft;
  if (!wanted.settings) return [];
  const steps: Step[] = [];
  for (const [key, value] of Object.entries(wanted.settings)) {
    if (key === defaultChannelField) continue;
    checkSettingKey(draft, key);
    const before = state.settings.get(key);
    if (state.settings.has(key) && isDeepStrictEqual(before, value)) draft.unchanged++;
    else
      steps.push({
        ...{ action: 'set', key, value, target: null },
        changes: [{ field: key, before, after: wanted.written.settings[key] }],
      });
  }
  if (!options.prune) return steps;
  for (const key of state.settings.keys()) {
    const field = key === defaultChannelSetting ? defaultChannelField : key;
    if (!Object.hasOwn(wanted.settings, field)) steps.push({ action: 'unset', key });
  }
  return steps;
}

export function planDefaultChannel(draft: Draft): Step[] {
  const value = draft.wanted.settings?.[defaultChannelField];
  if (value === undefined) return [];
  const target = value === null ? null : resolveReference(draft, 'settings', 'notification_channels', value);
  if (target === undefined) return [];
  const { settings } = draft.state;
  const before = settings.get(defaultChannelSetting);
  const id = target === null ? null : 'id' in target ? target.id : draft.ids.get(target.entry);
  if (settings.has(defaultChannelSetting) && id === before) {
    draft.unchanged++;
    return [];
  }
  const shownBefore = settings.has(defaultChannelSetting)
    ? nameOfId(draft, 'notification_channels', before)
    : undefined;
  return [
    {
      ...{ action: 'set', key: defaultChannelSetting, value: null, target },
      changes: [{ field: defaultChannelField, before: shownBefore, after: value }],
    },
  ];
}

function checkSettingKey({ state, problems }: Draft, key: string): void {
  if (key === defaultChannelSetting) {
    problems.push(`settings.${key}: use ${defaultChannelField} with a channel name.`);
  } else if (Object.values(templateSettings).includes(key)) {
    problems.push(`settings.${key}: put templates in the templates section.`);
  } else if (!state.settingKeys.includes(key)) {
    const near = nearestName(key, state.settingKeys);
    problems.push(`settings.${key}: unknown setting.${near ? ` Did you mean ${near}?` : ''}`);
  }
}
