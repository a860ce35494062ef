import { Menu, Text } from '@mantine/core';
import { IconBook, IconCheck, IconCode, IconLogout, IconUser } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { useMe } from '../../api/use-me.ts';
import { MenuLink } from '../../ui/menu-link.tsx';

/** The organizations to switch to, the own account, the way out. Opens when it is first rendered. */
export default function UserMenuItems({
  target,
  button,
}: {
  /** The button, as `button` renders it. */
  target: React.RefObject<HTMLButtonElement | null>;
  button: React.ReactElement;
}) {
  const { user, organization, organizations } = useMe();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // The menu returns the focus to what had it when it opened.
    target.current?.focus();
    setOpen(true);
  }, [target]);
  // Nothing of one organization may stay in sight of another: the page begins anew.
  const startAnew = (path: string) => {
    queryClient.clear();
    location.assign(path);
  };
  const switchTo = (id: number) =>
    void api
      .call('switchOrganization', { body: { organization_id: id } })
      .then(() => startAnew('/'), showError);
  // The login page doesn't log in again by itself.
  const logout = () =>
    void api
      .call('logout')
      .then((left) => startAnew(left?.provider_logout_url ?? '/login?logged_out=yes'), showError);
  return (
    <Menu position="bottom-end" width={260} opened={isOpen} onChange={setOpen}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.name} · {user.email}
        </Menu.Label>
        {organizations.length > 1 && <Menu.Divider />}
        {organizations.length > 1 &&
          organizations.map(({ id, name, role }) => (
            <Menu.Item
              key={id}
              leftSection={
                id === organization.id ? (
                  <IconCheck size={15} aria-label="Current" />
                ) : (
                  <span style={{ width: 15 }} />
                )
              }
              disabled={id === organization.id}
              onClick={() => switchTo(id)}
            >
              {name} ({role})
            </Menu.Item>
          ))}
        <Menu.Divider />
        <MenuLink leftSection={<IconUser size={15} />} to="/account">
          Account settings
        </MenuLink>
        <Menu.Item leftSection={<IconBook size={15} />} component="a" href="/docs">
          Documentation
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCode size={15} />}
          rightSection={
            <Text span size="xs" c="var(--text-muted)">
              Alpha
            </Text>
          }
          component="a"
          href="/api/v1/swagger"
        >
          API reference
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={logout}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
