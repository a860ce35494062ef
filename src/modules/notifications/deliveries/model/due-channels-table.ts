import type { DueTable } from '../../../../platform/due-rows/index.ts';

/** Notification channels that are due because one of their deliveries can be attempted. */
export const dueChannelsTable = {
  name: 'notification_channels',
  keys: { organization_id: 'bigint', id: 'bigint' },
} as const satisfies DueTable;
