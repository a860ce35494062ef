import {
  IconArrowBigUpLines,
  IconBell,
  IconCalendarEvent,
  IconHourglass,
  IconPackages,
  IconPlugConnected,
  IconRadar,
  IconServer,
  IconSettings,
} from '@tabler/icons-react';
import type { PlainPath } from '../../ui/links.tsx';

type Path = NonNullable<PlainPath>;

export interface NavigationEntry {
  to: Path;
  title: string;
  /** Minimum role required to access the page. */
  role?: 'member' | 'admin';
  /** Alternative names for the search, such as the API name. */
  keywords?: string;
}

export interface NavigationGroup {
  title: string;
  icon: typeof IconBell;
  /**
   * Pages of the group. The group links to the first page that the user can access. The group lists the first
   * page only if its title differs from that of the group.
   */
  pages: readonly NavigationEntry[];
}

/** Navigation groups, most used first. */
export const navigation: readonly NavigationGroup[] = [
  {
    title: 'Today',
    icon: IconCalendarEvent,
    pages: [{ to: '/', title: 'Today', keywords: 'home news teams' }],
  },
  {
    title: 'Upgrades',
    icon: IconArrowBigUpLines,
    pages: [{ to: '/upgrades', title: 'Upgrades', keywords: 'suggested versions outdated' }],
  },
  {
    title: 'Software',
    icon: IconServer,
    pages: [
      { to: '/software', title: 'Software', keywords: 'fleet deployed versions' },
      { to: '/environments', title: 'Environments', keywords: 'drift promotions services' },
      { to: '/deployments', title: 'Deployments', keywords: 'reports pipelines ledger' },
      { to: '/alert-configs', title: 'Monitors', keywords: 'alert configurations' },
      { to: '/rules', title: 'Rules', keywords: 'monitoring rules thresholds' },
      { to: '/exposures', title: 'Exposures', keywords: 'who ran it incident affected report' },
      { to: '/versions', title: 'Version history', keywords: 'deployed versions snapshots' },
      { to: '/connect', title: 'Connect', role: 'member', keywords: 'guided setup first run onboarding' },
    ],
  },
  {
    title: 'Alerts',
    icon: IconBell,
    pages: [
      { to: '/alerts', title: 'Alerts' },
      { to: '/forecast', title: 'Forecast', keywords: 'upcoming crossings calendar' },
      { to: '/support', title: 'Support', keywords: 'end of life calendar' },
    ],
  },
  {
    title: 'Discovery',
    icon: IconRadar,
    pages: [
      { to: '/discovery', title: 'Discovery', keywords: 'discovery jobs scan repositories' },
      {
        to: '/discovery/aliases',
        title: 'Aliases',
        keywords: 'mirrors caches proxies harbor artifactory nexus',
      },
      {
        to: '/discovery/corrections',
        title: 'Corrections',
        keywords: 'upstreams chosen own services',
      },
    ],
  },
  {
    title: 'Freshness',
    icon: IconHourglass,
    pages: [
      { to: '/freshness', title: 'Freshness', keywords: 'libyears targets' },
      { to: '/freshness/report', title: 'Monthly report' },
    ],
  },
  {
    title: 'Notifications',
    icon: IconPlugConnected,
    pages: [
      { to: '/notification-channels', title: 'Channels', keywords: 'webhooks slack' },
      { to: '/notification-rules', title: 'Notification rules', keywords: 'routing' },
      { to: '/silences', title: 'Silences', keywords: 'maintenance windows mute' },
      { to: '/notification-templates', title: 'Message templates' },
      { to: '/notification-deliveries', title: 'Deliveries', keywords: 'dead letters' },
    ],
  },
  {
    title: 'Sources',
    icon: IconPackages,
    pages: [
      { to: '/gather-jobs', title: 'Upstream sources', keywords: 'gather jobs' },
      { to: '/scrape-jobs', title: 'Version trackers', keywords: 'scrape jobs' },
      { to: '/helm-sync-jobs', title: 'Helm repositories', keywords: 'helm sync jobs charts' },
      { to: '/agents', title: 'Agents' },
      { to: '/releases', title: 'Releases' },
    ],
  },
  {
    title: 'Settings',
    icon: IconSettings,
    pages: [
      { to: '/settings', title: 'Settings', role: 'admin' },
      { to: '/hooks', title: 'Hooks', role: 'admin', keywords: 'webhooks push' },
      { to: '/members', title: 'Members', role: 'admin', keywords: 'users invitations' },
      { to: '/api-keys', title: 'API keys', role: 'admin' },
      { to: '/deployment-trusts', title: 'Trusts', role: 'admin', keywords: 'oidc keyless github gitlab ci' },
      { to: '/audit-log', title: 'Audit log', role: 'admin' },
      { to: '/audit-exports', title: 'Audit exports', role: 'admin', keywords: 'siem webhook' },
      { to: '/account', title: 'Account', keywords: 'password sessions' },
      { to: '/feedback', title: 'Feedback' },
    ],
  },
];

/** Returns the navigation page for a URL path: the page with the longest matching path prefix. */
export function findCurrentPage(groups: readonly NavigationGroup[], pathname: string): Path | undefined {
  return groups
    .flatMap(({ pages }) => pages.map(({ to }) => to))
    .filter((to) => pathname === to || (to !== '/' && pathname.startsWith(`${to}/`)))
    .toSorted((a, b) => b.length - a.length)[0];
}
