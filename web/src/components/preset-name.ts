import { presetNames } from '../../../src/domain/templates/presets/preset-names.ts';
import type { Schemas } from '../../../src/generated/client-api.ts';

type Preset = Schemas['NotificationPreset'];

export { presetNames };

export const presetList = Object.keys(presetNames) as Preset[];

/** Those that have a message of their own: all but the generic one. */
export const presetOptions = presetList
  .filter((value) => value !== 'generic')
  .map((value) => ({ value, label: presetNames[value] }));
