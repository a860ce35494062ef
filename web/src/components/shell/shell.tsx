import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  ScrollArea,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { followChanges } from '../../api/live-changes.ts';
import { useCan } from '../../api/use-me.ts';
import { NavigationLink } from '../../ui/links.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { navigation } from './navigation.ts';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

/** What stands around every page behind the login. */
export function Shell() {
  const [isOpen, menu] = useDisclosure(false);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isAdmin = useCan('admin');
  useEffect(() => followChanges(), []);
  const { close } = menu;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu of a narrow screen.
  useEffect(() => close(), [pathname, close]);
  const isHere = (to: string) =>
    to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`);
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
              <img src="/favicon.svg" width={24} height={24} alt="" />
              <Text fw={700} visibleFrom="xs">
                Pacekeeper
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeButton />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <ScrollArea component="nav" aria-label="Main" p="xs" type="auto" scrollbarSize={6}>
          {navigation.map(({ title, entries }) => {
            const shown = entries.filter(({ role }) => role !== 'admin' || isAdmin);
            return (
              <div key={title ?? ''} className={classes.group}>
                {title && (
                  <Text size="xs" fw={600} px="xs" pb={2} c="var(--text-muted)">
                    {title}
                  </Text>
                )}
                {shown.map(({ to, title: label, icon: Icon }) => (
                  <NavigationLink
                    key={to}
                    to={to}
                    label={label}
                    active={isHere(to ?? '')}
                    aria-current={isHere(to ?? '') ? 'page' : undefined}
                    leftSection={<Icon size={17} stroke={1.6} aria-hidden />}
                    className={classes.entry}
                  />
                ))}
              </div>
            );
          })}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionNotice />
        <Outlet />
      </AppShell.Main>
    </AppShell>
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
