import { isSameJson } from '../json/json-item.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { DocumentLocation } from './configuration-entries.ts';
import { defaultChannelField, defaultChannelSetting, templateSettings } from './kinds.ts';
import { addProblem, type PlanDraft, type Step } from './plan-steps.ts';
import { resolveReference } from './resolve-references.ts';
import { nameOfId } from './wanted-members.ts';

const settingsPlace: DocumentLocation = { section: 'settings', index: null };

export function planTemplates(draft: PlanDraft): Step[] {
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
        changes: [{ field: 'body', before, after: body }],
      });
  }
  if (!options.prune) return steps;
  for (const category of state.templates.keys()) {
    if (!Object.hasOwn(wanted.templates, category)) steps.push({ action: 'unset-template', category });
  }
  return steps;
}

/** Plans all settings except the default channel, because that channel must be created first. */
export function planSettings(draft: PlanDraft): Step[] {
  const { wanted, state, options } = draft;
  if (!wanted.settings) return [];
  const steps: Step[] = [];
  for (const [key, value] of Object.entries(wanted.settings)) {
    if (key === defaultChannelField) continue;
    if (!isKnownSetting(draft, key)) continue;
    const before = state.settings.get(key);
    if (state.settings.has(key) && isSameJson(before, value)) draft.unchanged++;
    else
      steps.push({
        action: 'set',
        key,
        value,
        target: null,
        changes: [
          {
            field: key,
            before,
            after: value,
          },
        ],
      });
  }
  if (!options.prune) return steps;
  for (const key of state.settings.keys()) {
    const field = key === defaultChannelSetting ? defaultChannelField : key;
    if (!Object.hasOwn(wanted.settings, field)) steps.push({ action: 'unset', key });
  }
  return steps;
}

export function planDefaultChannel(draft: PlanDraft): Step[] {
  const value = draft.wanted.settings?.[defaultChannelField];
  if (value === undefined) return [];
  const target =
    value === null
      ? null
      : resolveReference(draft, settingsPlace, 'notification_channels', value, defaultChannelField);
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
      action: 'set',
      key: defaultChannelSetting,
      value: null,
      target,
      changes: [
        {
          field: defaultChannelField,
          before: shownBefore,
          after: value,
        },
      ],
    },
  ];
}

/** True if the setting can be set in this section. Otherwise, it adds a problem. */
function isKnownSetting(draft: PlanDraft, key: string): boolean {
  const { settingKeys } = draft.state;
  const isTemplate = Object.values(templateSettings).includes(key);
  if (settingKeys.includes(key) && !isTemplate && key !== defaultChannelSetting) return true;
  const settable = settingKeys.filter((each) => !Object.values(templateSettings).includes(each));
  const near = nearestName(key, settable);
  if (draft.state.operatorSettings.has(key))
    addProblem(
      draft,
      settingsPlace,
      `only the operator can change the setting "${key}", with 'pacekeeper admin set-setting'.`,
      key,
    );
  else if (key === defaultChannelSetting || near === defaultChannelSetting)
    addProblem(
      draft,
      settingsPlace,
      `unknown setting "${key}". Use ${defaultChannelField} with the name of a channel.`,
      key,
    );
  else if (isTemplate)
    addProblem(draft, settingsPlace, `unknown setting "${key}". Use the templates section.`, key);
  else {
    const hint = near ? `; did you mean "${near}"?` : ". To list all, run 'pacekeeper get settings'.";
    addProblem(draft, settingsPlace, `unknown setting "${key}"${hint}`, key);
  }
  return false;
}
