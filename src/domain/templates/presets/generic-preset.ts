import { renderDefaultBody } from '../default-templates.ts';
import type { Preset } from './preset.ts';

/** No platform: the default body. A channel with this preset is one without a preset, so templates come first. */
export const genericPreset: Preset = {
  id: 'generic',
  options: [],
  render: (event) => JSON.parse(renderDefaultBody(event)),
};
