import { isSameJson } from '../json/json-item.ts';
import { nearestName } from '../text/nearest-name.ts';
import type { DocumentLocation } from './configuration-entries.ts';
import { findReferenceSetting, type ReferenceSetting, referenceSettings, templateSettings } from './kinds.ts';
import { addProblem, type PlanDraft, type Step } from './plan-steps.ts';
import { resolveReference } from './resolve-references.ts';
import { nameOfId } from './wanted-members.ts';

const settingsPlace: DocumentLocation = { section: 'settings', index: null };

export function planTemplates(draft: PlanDraft): Step[] {
  const { desired, state, options } = draft;
  if (!desired.templates) return [];
  const steps: Step[] = [];
  for (const [category, body] of Object.entries(desired.templates)) {
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
    if (!Object.hasOwn(desired.templates, category)) steps.push({ action: 'unset-template', category });
  }
  return steps;
}

/** Plans all settings except those that refer to resources, because the resources must be created first. */
export function planSettings(draft: PlanDraft): Step[] {
  const { desired, state, options } = draft;
  if (!desired.settings) return [];
  const steps: Step[] = [];
  for (const [key, value] of Object.entries(desired.settings)) {
    if (referenceSettings.some(({ field }) => field === key)) continue;
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
    const field = findReferenceSetting(key)?.field ?? key;
    if (!Object.hasOwn(desired.settings, field)) steps.push({ action: 'unset', key });
  }
  return steps;
}

/** Plans the settings that refer to resources. */
export function planReferenceSettings(draft: PlanDraft): Step[] {
  return referenceSettings.flatMap((setting) => planReferenceSetting(draft, setting));
}

function planReferenceSetting(draft: PlanDraft, { key, field, section }: ReferenceSetting): Step[] {
  const value = draft.desired.settings?.[field];
  if (value === undefined) return [];
  const target = value === null ? null : resolveReference(draft, settingsPlace, section, value, field);
  if (target === undefined) return [];
  const { settings } = draft.state;
  const before = settings.get(key);
  const id = target === null ? null : 'id' in target ? target.id : draft.ids.get(target.entry);
  if (settings.has(key) && id === before) {
    draft.unchanged++;
    return [];
  }
  const shownBefore = settings.has(key) ? nameOfId(draft, section, before) : undefined;
  return [
    {
      action: 'set',
      key,
      value: null,
      target,
      changes: [
        {
          field,
          before: shownBefore,
          after: value,
        },
      ],
    },
  ];
}

/** Returns true if the setting can be set in this section. Otherwise, adds a problem. */
function isKnownSetting(draft: PlanDraft, key: string): boolean {
  const { settingKeys } = draft.state;
  const isTemplate = Object.values(templateSettings).includes(key);
  if (settingKeys.includes(key) && !isTemplate && !findReferenceSetting(key)) return true;
  const settable = settingKeys.filter((each) => !Object.values(templateSettings).includes(each));
  const near = nearestName(key, settable);
  const reference = findReferenceSetting(key) ?? (near === null ? undefined : findReferenceSetting(near));
  if (draft.state.operatorSettings.has(key))
    addProblem(
      draft,
      settingsPlace,
      `only the operator can change the setting "${key}", with 'pacekeeper admin set-setting'.`,
      key,
    );
  else if (reference)
    addProblem(
      draft,
      settingsPlace,
      `unknown setting "${key}". Use ${reference.field} with the name of a ${reference.word}.`,
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
