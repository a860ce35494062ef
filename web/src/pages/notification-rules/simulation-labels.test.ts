import { expect, test } from 'vitest';
import { formatNotifiedTitle } from './simulation-labels.ts';

test.each([
  [null, 'Would notify'],
  ['snoozed', 'Notifies no one while snoozed'],
  ['silenced', 'Notifies no one while silenced'],
  ['no_channel', 'Would notify no one'],
  ['all_channels_inactive', 'Would notify no one'],
] as const)(
  'the title of the notified channels does not announce channels if none are notified: %s',
  (skipped, title) => {
    expect(formatNotifiedTitle(skipped)).toBe(title);
  },
);
