import { renderDefaultBody } from '../default-templates.ts';
import type { Preset } from './preset.ts';

/**
 * Preset that isn't for any platform and sends the default body. A channel with this preset works like one
 * without a preset, so templates take precedence.
 */
export const genericPreset: Preset = {
  label: 'Generic webhook',
  about: 'Sends JSON to any URL. You can customize the message.',
  urlLabel: 'URL',
  urlExample: 'https://hooks.example.com/pacekeeper',
  urlSource: 'Your own receiver',
  steps: [
    'Enter a URL that accepts JSON POST requests and responds with 2xx.',
    'Under Advanced options, add a signing secret so your receiver can verify messages (Standard Webhooks).',
  ],
  receiver: 'custom',
  options: [],
  render: (event) => JSON.parse(renderDefaultBody(event)),
};
