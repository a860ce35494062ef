import { presetIds, presets } from '../../../src/domain/templates/presets.ts';

/** Presets with a message of their own: all except the generic one. */
export const presetOptions = presetIds
  .filter((id) => id !== 'generic')
  .map((id) => ({ value: id, label: presets[id].label }));
