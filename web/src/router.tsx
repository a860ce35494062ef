import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { basePath } from './api/page-location.ts';
import { queryClient } from './api/query-client.ts';
import {
  ApiCallError,
  canHaveSession,
  setLoggedOutListener,
  setTwoFactorRequiredListener,
} from './api/session.ts';
import { apiQuery } from './api/use-api.ts';
import { type Role, useHasRole } from './api/use-me.ts';
import { ErrorNotice } from './components/error-notice.tsx';
import type { ListSearch } from './components/list/index.ts';
import { NotAllowed } from './components/shell/not-allowed.tsx';
import { Shell } from './components/shell/shell.tsx';
import { LoginPage } from './pages/login/login-page.tsx';
import { TodayPage } from './pages/today/today-page.tsx';
import { ConfirmProvider } from './ui/confirm.tsx';
import { NotFound } from './ui/not-found.tsx';

const root = createRootRoute({ notFoundComponent: NotFound });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: LoginPage,
  validateSearch: (given): { next?: string; sso?: string; sso_error?: string; logged_out?: string } =>
    texts(given),
});
const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/accept',
  component: lazyRouteComponent(() => import('./pages/login/accept-invitation-page.tsx')),
});
const linkChatAccount = createRoute({
  getParentRoute: () => root,
  path: '/link-chat-account',
  component: lazyRouteComponent(() => import('./pages/login/link-chat-account-page.tsx')),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/login/reset-password-page.tsx')),
});

/** Parent route of all pages that require a login. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  errorComponent: ({ error }) => <ErrorNotice error={error} retry={() => location.reload()} />,
  beforeLoad: async ({ location: { href } }) => {
    if (!canHaveSession()) throw redirect(toLogin(href));
    try {
      await queryClient.ensureQueryData(apiQuery('getMe'));
    } catch (error) {
      if (error instanceof ApiCallError && error.status === 401) throw redirect(toLogin(href));
      throw error;
    }
  },
});

/** Route for unknown URLs. It's inside the shell, so that users can continue from the menu. */
const unknownPage = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

const today = createRoute({ getParentRoute: () => shell, path: '/', component: TodayPage });

/**
 * Loader of a page. It hides the page's type, which depends on the type of the router and would make that
 * type circular.
 */
type Load = () => Promise<{ default: () => void }>;

/**
 * Creates a route for a page that's loaded on demand.
 * @param role Minimum role for the page. Users with a lower role see a notice instead, so the page sends no
 * requests that the server would reject.
 */
function page<const Path extends string>(path: Path, load: Load, role: Role = 'viewer') {
  return createRoute({ getParentRoute: () => shell, path, component: whenLoaded(load, role) });
}

/**
 * Creates a route for a page with search parameters.
 * @param validateSearch Defines the type of the search parameters.
 */
function pageWithSearch<const Path extends string, Search extends object>(
  path: Path,
  load: Load,
  validateSearch: (given: Record<string, unknown>) => Search,
  role: Role = 'viewer',
) {
  return createRoute({
    getParentRoute: () => shell,
    path,
    component: whenLoaded(load, role),
    validateSearch,
  });
}

function whenLoaded(load: Load, role: Role) {
  const Page = lazyRouteComponent(load);
  const PageOfRole = () => (useHasRole(role) ? <Page /> : <NotAllowed role={role} />);
  return Object.assign(PageOfRole, { preload: Page.preload });
}

/** Returns the search parameters that are strings. The page or the server validates their values. */
function texts(given: Record<string, unknown>): Record<string, string> {
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string';
  return Object.fromEntries(Object.entries(given).filter(isText));
}

const pages = [
  pageWithSearch(
    '/upgrades',
    () => import('./pages/upgrades/upgrades-page.tsx'),
    (given): ListSearch<'listUpgrades'> => texts(given),
  ),
  pageWithSearch(
    '/upgrades/$id',
    () => import('./pages/upgrades/upgrade-page.tsx'),
    (given): ListSearch<'listUpgradePlaces'> => texts(given),
  ),
  pageWithSearch(
    '/software',
    () => import('./pages/software/software-page.tsx'),
    (given): ListSearch<'listSoftware'> & { group?: string; columns?: string } => texts(given),
  ),
  pageWithSearch(
    '/software/new',
    () => import('./pages/set-up/add-software-page.tsx'),
    (given): { alert_config_id?: string } => texts(given),
    'member',
  ),
  pageWithSearch(
    '/software/$id',
    () => import('./pages/software/software-item-page.tsx'),
    (given): { monitor?: string } => texts(given),
  ),
  pageWithSearch(
    '/environments',
    () => import('./pages/environments/environments-page.tsx'),
    (given): ListSearch<'getEnvironmentMatrix' | 'listPromotions'> & { view?: string } => texts(given),
  ),
  pageWithSearch(
    '/freshness',
    () => import('./pages/freshness/freshness-page.tsx'),
    (given): ListSearch<'listFreshnessThings'> & { metric?: string; group_by?: string } => texts(given),
  ),
  pageWithSearch(
    '/freshness/report',
    () => import('./pages/freshness/freshness-report-page.tsx'),
    (given): { month?: string } => texts(given),
  ),
  pageWithSearch(
    '/alerts',
    () => import('./pages/alerts/alerts-page.tsx'),
    (given): ListSearch<'listAlerts' | 'listResolvedAlerts'> & { view?: string } => texts(given),
  ),
  pageWithSearch(
    '/forecast',
    () => import('./pages/forecast/forecast-page.tsx'),
    (given): { days?: string; severity?: string; rule_id?: string; label?: string } => texts(given),
  ),
  pageWithSearch(
    '/support',
    () => import('./pages/support/support-page.tsx'),
    (given): { days?: string; label?: string } => texts(given),
  ),
  page('/alerts/$id', () => import('./pages/alerts/alert-page.tsx')),
  pageWithSearch(
    '/set-up',
    () => import('./pages/set-up/set-up-page.tsx'),
    (given): { alert_config_id?: string } => texts(given),
  ),
  pageWithSearch(
    '/connect',
    () => import('./pages/set-up/connect-page.tsx'),
    (given): { kind?: string } => texts(given),
    'member',
  ),
  page('/connect/$id', () => import('./pages/set-up/connected-job-page.tsx'), 'member'),
  pageWithSearch(
    '/gather-jobs',
    () => import('./pages/gather-jobs/gather-jobs-page.tsx'),
    (given): ListSearch<'listGatherJobs'> => texts(given),
  ),
  page('/gather-jobs/new', () => import('./pages/gather-jobs/new-gather-job-page.tsx'), 'member'),
  page('/gather-jobs/$id', () => import('./pages/gather-jobs/gather-job-page.tsx')),
  pageWithSearch(
    '/helm-sync-jobs',
    () => import('./pages/helm-sync-jobs/helm-sync-jobs-page.tsx'),
    (given): ListSearch<'listHelmSyncJobs'> => texts(given),
  ),
  page('/helm-sync-jobs/new', () => import('./pages/helm-sync-jobs/new-helm-sync-job-page.tsx'), 'member'),
  page('/helm-sync-jobs/$id', () => import('./pages/helm-sync-jobs/helm-sync-job-page.tsx')),
  pageWithSearch(
    '/discovery',
    () => import('./pages/discovery/discovery-jobs-page.tsx'),
    (given): ListSearch<'listDiscoveryJobs'> => texts(given),
  ),
  page('/discovery/new', () => import('./pages/discovery/new-discovery-job-page.tsx'), 'member'),
  page('/discovery/new-cluster', () => import('./pages/discovery/new-cluster-page.tsx'), 'member'),
  page('/discovery/new-host', () => import('./pages/discovery/new-host-page.tsx'), 'member'),
  page('/discovery/new-organization', () => import('./pages/discovery/new-group-page.tsx'), 'member'),
  pageWithSearch(
    '/discovery/$id/repositories',
    () => import('./pages/discovery/group-repositories-page.tsx'),
    (given): ListSearch<'listDiscoveryJobs'> => texts(given),
  ),
  pageWithSearch(
    '/discovery/aliases',
    () => import('./pages/discovery/aliases-page.tsx'),
    (given): ListSearch<'listArtifactAliases'> => texts(given),
  ),
  pageWithSearch(
    '/discovery/corrections',
    () => import('./pages/discovery/corrections-page.tsx'),
    (given): ListSearch<'listArtifactCorrections'> => texts(given),
  ),
  pageWithSearch(
    '/discovery/$id',
    () => import('./pages/discovery/discovery-job-page.tsx'),
    (given): ListSearch<'listDiscoveredItems'> => texts(given),
  ),
  pageWithSearch(
    '/scrape-jobs',
    () => import('./pages/scrape-jobs/scrape-jobs-page.tsx'),
    (given): ListSearch<'listScrapeJobs'> => texts(given),
  ),
  page('/scrape-jobs/new', () => import('./pages/scrape-jobs/new-scrape-job-page.tsx'), 'member'),
  page('/scrape-jobs/$id', () => import('./pages/scrape-jobs/scrape-job-page.tsx')),
  pageWithSearch(
    '/alert-configs',
    () => import('./pages/alert-configs/alert-configs-page.tsx'),
    (given): ListSearch<'listAlertConfigs'> => texts(given),
  ),
  pageWithSearch(
    '/alert-configs/new',
    () => import('./pages/alert-configs/new-alert-config-page.tsx'),
    (given): { scrape_job_id?: string; gather_job_id?: string; rule_id?: string } => texts(given),
    'member',
  ),
  page('/alert-configs/$id', () => import('./pages/alert-configs/alert-config-page.tsx')),
  pageWithSearch(
    '/notification-channels',
    () => import('./pages/notification-channels/notification-channels-page.tsx'),
    (given): ListSearch<'listNotificationChannels'> => texts(given),
  ),
  pageWithSearch(
    '/notification-channels/new',
    () => import('./pages/notification-channels/new-notification-channel-page.tsx'),
    (given): { preset?: string } => texts(given),
    'member',
  ),
  pageWithSearch(
    '/notification-channels/$id',
    () => import('./pages/notification-channels/notification-channel-page.tsx'),
    (given): ListSearch<'listNotificationDeliveries'> => texts(given),
  ),
  pageWithSearch(
    '/notification-rules',
    () => import('./pages/notification-rules/notification-rules-page.tsx'),
    (given): { q?: string; channel_id?: string; is_active?: string } => texts(given),
  ),
  page(
    '/notification-rules/new',
    () => import('./pages/notification-rules/new-notification-rule-page.tsx'),
    'member',
  ),
  page('/notification-rules/$id', () => import('./pages/notification-rules/notification-rule-page.tsx')),
  pageWithSearch(
    '/releases',
    () => import('./pages/releases/releases-page.tsx'),
    (given): ListSearch<'listReleases'> & { view?: string } => texts(given),
  ),
  page('/releases/$id', () => import('./pages/releases/release-page.tsx')),
  pageWithSearch(
    '/deployments',
    () => import('./pages/deployments/deployments-page.tsx'),
    (given): ListSearch<'listDeployments'> => texts(given),
  ),
  pageWithSearch(
    '/exposures',
    () => import('./pages/exposures/exposures-page.tsx'),
    (given): ListSearch<'listExposures'> => texts(given),
  ),
  pageWithSearch(
    '/versions',
    () => import('./pages/versions/versions-page.tsx'),
    (given): ListSearch<'listVersions'> => texts(given),
  ),
  pageWithSearch(
    '/notification-templates',
    () => import('./pages/notification-templates/notification-templates-page.tsx'),
    (given): { category?: string } => texts(given),
  ),
  pageWithSearch(
    '/notification-deliveries',
    () => import('./pages/notification-deliveries/notification-deliveries-page.tsx'),
    (given): ListSearch<'listNotificationDeliveries'> => texts(given),
  ),
  page(
    '/notification-deliveries/$id',
    () => import('./pages/notification-deliveries/notification-delivery-page.tsx'),
  ),
  pageWithSearch(
    '/agents',
    () => import('./pages/agents/agents-page.tsx'),
    (given): ListSearch<'listAgents'> => texts(given),
  ),
  page('/settings', () => import('./pages/settings/settings-page.tsx')),
  pageWithSearch(
    '/api-keys',
    () => import('./pages/api-keys/api-keys-page.tsx'),
    (given): ListSearch<'listAPIKeys'> => texts(given),
    'admin',
  ),
  pageWithSearch(
    '/deployment-trusts',
    () => import('./pages/deployment-trusts/deployment-trusts-page.tsx'),
    (given): ListSearch<'listDeploymentTrusts'> => texts(given),
    'admin',
  ),
  page('/hooks', () => import('./pages/hooks/hooks-page.tsx'), 'admin'),
  page('/audit-exports', () => import('./pages/audit-exports/audit-exports-page.tsx'), 'admin'),
  pageWithSearch(
    '/members',
    () => import('./pages/members/members-page.tsx'),
    (given): ListSearch<'listMembers'> => texts(given),
    'admin',
  ),
  pageWithSearch(
    '/audit-log',
    () => import('./pages/audit-log/audit-log-page.tsx'),
    (given): ListSearch<'listAuditLog'> => texts(given),
    'admin',
  ),
  pageWithSearch(
    '/device',
    () => import('./pages/device/device-page.tsx'),
    (given): { code?: string } => texts(given),
  ),
  page('/feedback', () => import('./pages/feedback/feedback-page.tsx')),
  pageWithSearch(
    '/account',
    () => import('./pages/account/account-page.tsx'),
    (given): { sso_error?: string; login_linked?: string } => texts(given),
  ),
  pageWithSearch(
    '/silences',
    () => import('./pages/silences/silences-page.tsx'),
    (given): ListSearch<'listSilences'> => texts(given),
  ),
  pageWithSearch(
    '/rules',
    () => import('./pages/rules/rules-page.tsx'),
    (given): ListSearch<'listRules'> => texts(given),
  ),
  page('/rules/new', () => import('./pages/rules/new-rule-page.tsx'), 'member'),
  page('/rules/$id', () => import('./pages/rules/rule-page.tsx')),
];

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    acceptInvitation,
    linkChatAccount,
    resetPassword,
    shell.addChildren([today, ...pages, unknownPage]),
  ]),
  basepath: basePath === '' ? '/' : basePath,
  // Confirmations can contain links, so the provider must be inside the router.
  InnerWrap: ConfirmProvider,
  defaultPreload: 'intent',
  // A page is remounted when its path parameters change, so that the input for one resource isn't saved to
  // another one.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
  // Search values stay strings, because `1.10` is a version here, not a number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

setLoggedOutListener(() => {
  const { href, pathname } = router.state.location;
  if (pathname === '/login') return;
  queryClient.clear();
  void router.navigate(toLogin(href));
});

// Refetching the user makes the shell show the two-factor setup.
setTwoFactorRequiredListener(() => void queryClient.invalidateQueries({ queryKey: ['getMe'] }));

function toLogin(next: string) {
  return { to: '/login', search: next === '/' ? {} : { next } } as const;
}
