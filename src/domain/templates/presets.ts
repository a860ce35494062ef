import type { ChatButtons } from '../channels/chat-buttons.ts';
import {
  checkSuccessCondition,
  type ReceiverResponse,
  type Rejection,
  type SuccessCondition,
} from '../channels/receiver-response.ts';
import { ownValue } from '../json/own-value.ts';
import type { EventType } from '../routing/notification-event.ts';
import { cdeventsPreset } from './presets/cdevents-preset.ts';
import { discordPreset } from './presets/discord-preset.ts';
import { genericPreset } from './presets/generic-preset.ts';
import { gotifyPreset } from './presets/gotify-preset.ts';
import { mattermostPreset } from './presets/mattermost-preset.ts';
import { ntfyPreset } from './presets/ntfy-preset.ts';
import { pagerdutyPreset } from './presets/pagerduty-preset.ts';
import type { Preset, PresetOptions } from './presets/preset.ts';
import { slackPreset } from './presets/slack-preset.ts';
import { teamsPreset } from './presets/teams-preset.ts';
import { telegramPreset } from './presets/telegram-preset.ts';

export type { PresetOptions } from './presets/preset.ts';

/** All presets, in the order in which the UI lists them. */
export const presets = {
  generic: genericPreset,
  slack: slackPreset,
  discord: discordPreset,
  teams: teamsPreset,
  pagerduty: pagerdutyPreset,
  telegram: telegramPreset,
  mattermost: mattermostPreset,
  gotify: gotifyPreset,
  ntfy: ntfyPreset,
  cdevents: cdeventsPreset,
} satisfies Readonly<Record<string, Preset>>;

export type PresetId = keyof typeof presets;
export const presetIds = Object.keys(presets) as PresetId[];

/** True if events of a channel with the preset are never combined into one message. */
export function isPerAlertPreset(presetId: PresetId): boolean {
  const preset: Preset = presets[presetId];
  return preset.isPerAlert === true;
}

/** Returns the media type of the messages of a preset. */
export function presetContentType(presetId: PresetId): string {
  const preset: Preset = presets[presetId];
  return preset.contentType ?? 'application/json';
}

/** True if a channel with the preset sends nothing for the event. */
export function skipsEvent(presetId: PresetId, eventType: EventType): boolean {
  const preset: Preset = presets[presetId];
  return preset.skips?.(eventType) ?? false;
}

export interface OptionError {
  option: string;
  message: string;
}

/** Checks the options of a channel. Error messages never contain a value, because some values are secrets. */
export function checkPresetOptions(
  presetId: PresetId,
  options: Readonly<Record<string, unknown>>,
): OptionError[] {
  const preset = presets[presetId];
  const errors: OptionError[] = [];
  for (const { name, isRequired, pattern, expected } of preset.options) {
    const value = ownValue(options, name);
    if (value === undefined) {
      if (isRequired) errors.push({ option: name, message: `required by ${preset.label}` });
    } else if (typeof value !== 'string' || !pattern.test(value)) {
      errors.push({ option: name, message: `must be ${expected}, as a string` });
    }
  }
  for (const name of Object.keys(options)) {
    if (!preset.options.some((option) => option.name === name)) {
      errors.push({ option: name, message: `not supported by ${preset.label}` });
    }
  }
  return errors;
}

/** Returns the reason why a receiver rejected a message in a response with a 2xx status, or `null`. */
export function findRejection(
  presetId: PresetId,
  condition: SuccessCondition | null,
  answer: ReceiverResponse,
): Rejection | null {
  const preset: Preset = presets[presetId];
  return (
    preset.findRejection?.(answer) ?? (condition === null ? null : checkSuccessCondition(condition, answer))
  );
}

/**
 * Returns the body that closes the item (such as an incident) that `body` opens on the platform, or `null` if it opens
 * none.
 */
export function renderClosingBody(presetId: PresetId, body: string): string | null {
  const preset: Preset = presets[presetId];
  if (preset.renderEnd === undefined) return null;
  try {
    const opened: unknown = JSON.parse(body);
    const end = opened instanceof Object ? preset.renderEnd(opened) : null;
    return end === null ? null : JSON.stringify(end);
  } catch {
    // A channel's template can create a body that isn't JSON.
    return null;
  }
}

/** Renders the body of a preset as it is sent. */
export function renderPreset(
  presetId: PresetId,
  event: Parameters<Preset['render']>[0],
  options: PresetOptions,
  buttons: ChatButtons | null = null,
  incidentHost: string | null = null,
): string {
  const preset: Preset = presets[presetId];
  return JSON.stringify(preset.render(event, options, buttons, incidentHost));
}
