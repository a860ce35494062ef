import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { queryClient } from './api/query-client.ts';
import { ApiCallError, mayBeLoggedIn, setLoggedOutListener } from './api/session.ts';
import { apiQuery } from './api/use-api.ts';
import { type Role, useCan } from './api/use-me.ts';
import { ErrorNotice } from './components/error-notice.tsx';
import { NotAllowed } from './components/shell/not-allowed.tsx';
import { Shell } from './components/shell/shell.tsx';
import { LoginPage } from './pages/login/login-page.tsx';
import { OverviewPage } from './pages/overview/overview-page.tsx';
import { ConfirmProvider } from './ui/confirm.tsx';
import { NotFound } from './ui/not-found.tsx';

const root = createRootRoute({ notFoundComponent: NotFound });

const login = createRoute({ getParentRoute: () => root, path: '/login', component: LoginPage });
const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/accept',
  component: lazyRouteComponent(() => import('./pages/login/accept-invitation-page.tsx')),
});
const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./pages/login/reset-password-page.tsx')),
});

/** Everything behind the login. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  errorComponent: ({ error }) => <ErrorNotice error={error} retry={() => location.reload()} />,
  beforeLoad: async ({ location: { href } }) => {
    if (!mayBeLoggedIn()) throw redirect(toLogin(href));
    try {
      await queryClient.ensureQueryData(apiQuery('getMe'));
    } catch (error) {
      if (error instanceof ApiCallError && error.status === 401) throw redirect(toLogin(href));
      throw error;
    }
  },
});

const overview = createRoute({ getParentRoute: () => shell, path: '/', component: OverviewPage });

/**
 * A page that is loaded when it is first gone to.
 * @param role the least that may do what the page is for. Whoever has less and comes by its address is told so, before
 * anything is asked that would be refused.
 */
function page<const Path extends string>(
  path: Path,
  load: () => Promise<{ default: React.FC }>,
  role: Role = 'viewer',
) {
  const Page = lazyRouteComponent(load);
  const PageOfRole = () => (useCan(role) ? <Page /> : <NotAllowed role={role} />);
  const component = Object.assign(PageOfRole, { preload: Page.preload });
  return createRoute({ getParentRoute: () => shell, path, component });
}

const pages = [
  page('/fleet', () => import('./pages/fleet/fleet-page.tsx')),
  page('/fleet/$id', () => import('./pages/fleet/fleet-item-page.tsx')),
  page('/alerts', () => import('./pages/alerts/alerts-page.tsx')),
  page('/alerts/$id', () => import('./pages/alerts/alert-page.tsx')),
  page('/set-up', () => import('./pages/set-up/set-up-page.tsx')),
  page('/gather-jobs', () => import('./pages/gather-jobs/gather-jobs-page.tsx')),
  page('/gather-jobs/new', () => import('./pages/gather-jobs/new-gather-job-page.tsx'), 'member'),
  page('/gather-jobs/$id', () => import('./pages/gather-jobs/gather-job-page.tsx')),
  page('/helm-sync-jobs', () => import('./pages/helm-sync-jobs/helm-sync-jobs-page.tsx')),
  page('/helm-sync-jobs/new', () => import('./pages/helm-sync-jobs/new-helm-sync-job-page.tsx'), 'member'),
  page('/helm-sync-jobs/$id', () => import('./pages/helm-sync-jobs/helm-sync-job-page.tsx')),
  page('/scrape-jobs', () => import('./pages/scrape-jobs/scrape-jobs-page.tsx')),
  page('/scrape-jobs/new', () => import('./pages/scrape-jobs/new-scrape-job-page.tsx'), 'member'),
  page('/scrape-jobs/$id', () => import('./pages/scrape-jobs/scrape-job-page.tsx')),
  page('/alert-configs', () => import('./pages/alert-configs/alert-configs-page.tsx')),
  page('/alert-configs/new', () => import('./pages/alert-configs/new-alert-config-page.tsx'), 'member'),
  page('/alert-configs/$id', () => import('./pages/alert-configs/alert-config-page.tsx')),
  page(
    '/notification-channels',
    () => import('./pages/notification-channels/notification-channels-page.tsx'),
  ),
  page(
    '/notification-channels/new',
    () => import('./pages/notification-channels/new-notification-channel-page.tsx'),
    'member',
  ),
  page(
    '/notification-channels/$id',
    () => import('./pages/notification-channels/notification-channel-page.tsx'),
  ),
  page('/notification-rules', () => import('./pages/notification-rules/notification-rules-page.tsx')),
  page(
    '/notification-rules/new',
    () => import('./pages/notification-rules/new-notification-rule-page.tsx'),
    'member',
  ),
  page('/notification-rules/$id', () => import('./pages/notification-rules/notification-rule-page.tsx')),
  page('/releases', () => import('./pages/releases/releases-page.tsx')),
  page('/releases/$id', () => import('./pages/releases/release-page.tsx')),
  page('/versions', () => import('./pages/versions/versions-page.tsx')),
  page(
    '/notification-templates',
    () => import('./pages/notification-templates/notification-templates-page.tsx'),
  ),
  page(
    '/notification-deliveries',
    () => import('./pages/notification-deliveries/notification-deliveries-page.tsx'),
  ),
  page(
    '/notification-deliveries/$id',
    () => import('./pages/notification-deliveries/notification-delivery-page.tsx'),
  ),
  page('/agents', () => import('./pages/agents/agents-page.tsx')),
  page('/settings', () => import('./pages/settings/settings-page.tsx')),
  page('/api-keys', () => import('./pages/api-keys/api-keys-page.tsx'), 'admin'),
  page('/members', () => import('./pages/members/members-page.tsx'), 'admin'),
  page('/audit-log', () => import('./pages/audit-log/audit-log-page.tsx'), 'admin'),
  page('/feedback', () => import('./pages/feedback/feedback-page.tsx')),
  page('/account', () => import('./pages/account/account-page.tsx')),
  page('/rules', () => import('./pages/rules/rules-page.tsx')),
  page('/rules/new', () => import('./pages/rules/new-rule-page.tsx'), 'member'),
  page('/rules/$id', () => import('./pages/rules/rule-page.tsx')),
];

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    acceptInvitation,
    resetPassword,
    shell.addChildren([overview, ...pages]),
  ]),
  // Within the router: what a question says may hold links.
  InnerWrap: ConfirmProvider,
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Texts as they stand: `1.10` is a version here, not a number.
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

function toLogin(next: string) {
  return { to: '/login', search: next === '/' ? {} : { next } } as const;
}
