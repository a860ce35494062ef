import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { subscribeToChanges } from '../../api/live-changes.ts';
import { basePath } from '../../api/page-location.ts';
import { useMe } from '../../api/use-me.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { Keyboard, paletteEvents } from './keyboard.tsx';
import { Navigation } from './navigation-menu.tsx';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

// Loaded lazily, because few users ever need the two-factor setup.
const TwoFactorGate = lazy(() => import('./two-factor-gate.tsx'));
// Loaded lazily, because it's shown only while a user views sample data.
const SampleDataNotice = lazy(() => import('./sample-data-notice.tsx'));

/** Layout of all pages that require a session: header, navigation, and content. */
export function Shell() {
  const [isOpen, menu] = useDisclosure(false);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const { organization } = useMe();
  const [showsCodes, setShowsCodes] = useState(false);
  const isGated = organization.two_factor_setup_required || showsCodes;
  useEffect(() => (isGated ? undefined : subscribeToChanges()), [isGated]);
  const { close } = menu;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu of a narrow screen.
  useEffect(() => close(), [pathname, close]);
  if (isGated)
    return (
      <AppShell header={{ height: 52 }} padding={{ base: 'sm', sm: 'lg' }}>
        <AppShell.Header className={classes.header}>
          <Group h="100%" px="md" justify="flex-end" wrap="nowrap">
            <ColorSchemeButton />
            <UserMenu />
          </Group>
        </AppShell.Header>
        <AppShell.Main id="content" tabIndex={-1}>
          <Suspense>
            <TwoFactorGate onCodes={() => setShowsCodes(true)} onDone={() => setShowsCodes(false)} />
          </Suspense>
        </AppShell.Main>
      </AppShell>
    );
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={isOpen} onClick={menu.toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link to="/" className={classes.brand} aria-label="Pacekeeper">
              <img src={`${basePath}/favicon.svg`} width={24} height={24} alt="" />
              <Text fw={700} visibleFrom="xs">
                Pacekeeper
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton />
            <ColorSchemeButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <nav aria-label="Main" className={classes.navigation}>
          <Navigation pathname={pathname} />
        </nav>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        <Keyboard />
        {organization.is_sample && (
          <Suspense>
            <SampleDataNotice />
          </Suspense>
        )}
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function PaletteButton() {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Open command palette"
      title="Open command palette (Ctrl K)"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => paletteEvents.dispatchEvent(new Event('open'))}
    >
      <IconSearch size={18} />
    </ActionIcon>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light') === 'dark';
  const label = isDark ? 'Switch to light theme' : 'Switch to dark theme';
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
    </ActionIcon>
  );
}
