import type { DueTable } from '../../../../platform/due-rows/index.ts';

/** Notification channels, due when one of their deliveries can be tried. */
export const channelsDue = {
  name: 'notification_channels',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;
