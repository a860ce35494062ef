import {
  IconAdjustments,
  IconArrowsLeftRight,
  IconBell,
  IconBuildingWarehouse,
  IconChartLine,
  IconClipboardList,
  IconFileText,
  IconGauge,
  IconKey,
  IconMailForward,
  IconPackages,
  IconPlugConnected,
  IconRobot,
  IconRoute,
  IconRulerMeasure,
  IconScan,
  IconServer,
  IconSettings,
  IconTag,
  IconTemplate,
  IconUsers,
} from '@tabler/icons-react';
import type { PlainPath } from '../../ui/links.tsx';

interface NavigationEntry {
  to: PlainPath;
  title: string;
  icon: typeof IconBell;
  /** The least role that may see it. */
  role?: 'admin';
}

/** The pages in the order in which versions travel. */
export const navigation: readonly { title: string | null; entries: readonly NavigationEntry[] }[] = [
  {
    title: null,
    entries: [
      { to: '/', title: 'Overview', icon: IconGauge },
      { to: '/fleet', title: 'Fleet', icon: IconServer },
      { to: '/alerts', title: 'Alerts', icon: IconBell },
      { to: '/set-up', title: 'Guided setup', icon: IconRoute },
    ],
  },
  {
    title: 'Upstream',
    entries: [
      { to: '/gather-jobs', title: 'Upstream sources', icon: IconPackages },
      { to: '/helm-sync-jobs', title: 'Helm repositories', icon: IconBuildingWarehouse },
      { to: '/releases', title: 'Releases', icon: IconTag },
    ],
  },
  {
    title: 'Deployed',
    entries: [
      { to: '/scrape-jobs', title: 'Version trackers', icon: IconScan },
      { to: '/versions', title: 'Version history', icon: IconChartLine },
    ],
  },
  {
    title: 'Monitoring',
    entries: [
      { to: '/rules', title: 'Rules', icon: IconRulerMeasure },
      { to: '/alert-configs', title: 'Monitors', icon: IconArrowsLeftRight },
    ],
  },
  {
    title: 'Notifications',
    entries: [
      { to: '/notification-channels', title: 'Channels', icon: IconPlugConnected },
      { to: '/notification-rules', title: 'Notification rules', icon: IconAdjustments },
      { to: '/notification-templates', title: 'Message templates', icon: IconTemplate },
      { to: '/notification-deliveries', title: 'Deliveries', icon: IconMailForward },
    ],
  },
  {
    title: 'Administration',
    entries: [
      { to: '/agents', title: 'Agents', icon: IconRobot },
      { to: '/settings', title: 'Settings', icon: IconSettings, role: 'admin' },
      { to: '/api-keys', title: 'API keys', icon: IconKey, role: 'admin' },
      { to: '/members', title: 'Members', icon: IconUsers, role: 'admin' },
      { to: '/audit-log', title: 'Audit log', icon: IconClipboardList, role: 'admin' },
      { to: '/feedback', title: 'Feedback', icon: IconFileText },
    ],
  },
];
