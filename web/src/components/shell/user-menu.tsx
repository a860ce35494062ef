import { Button, Text } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useMe } from '../../api/use-me.ts';

/** Loads when the menu is first opened, which keeps the initial script small. */
const UserMenuItems = lazy(() => import('./user-menu-items.tsx'));

/** Button with the name of the current organization, which opens the user menu. */
export function UserMenu() {
  const { organization } = useMe();
  const [isOpened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  const button = (
    <Button
      ref={target}
      variant="subtle"
      color="gray"
      c="inherit"
      px="xs"
      leftSection={<IconUser size={17} aria-hidden />}
      maw={{ base: 150, sm: 240 }}
      {...(!isOpened && { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setOpened(true) })}
    >
      <Text span size="sm" truncate>
        {organization.name}
      </Text>
    </Button>
  );
  if (!isOpened) return button;
  return (
    <Suspense fallback={button}>
      <UserMenuItems target={target} button={button} />
    </Suspense>
  );
}
