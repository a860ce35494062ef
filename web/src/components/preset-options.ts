import { presetIds, presets } from '../../../src/domain/templates/presets.ts';

/** Options for presets with a specific message format: all except the generic preset. */
export const presetOptions = presetIds
  .filter((id) => id !== 'generic')
  .map((id) => ({ value: id, label: presets[id].label }));
