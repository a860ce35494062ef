import { Menu, Text } from '@mantine/core';
import { IconBook, IconCheck, IconCode, IconLogout, IconUser } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { basePath } from '../../api/page-location.ts';
import { api } from '../../api/session.ts';
import { loadPage, switchOrganization } from '../../api/switch-organization.ts';
import { showError } from '../../api/use-action.ts';
import { useMe } from '../../api/use-me.ts';
import { MenuLink } from '../../ui/menu-link.tsx';

/** Menu with organizations, account settings, documentation, and logout. Opens on the first render. */
export default function UserMenuItems({
  target,
  button,
}: {
  /** Ref to the rendered `button`. */
  target: React.RefObject<HTMLButtonElement | null>;
  button: React.ReactElement;
}) {
  const { user, organization, organizations } = useMe();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    // Focus the button first, because closing the menu returns focus to the previously focused element.
    target.current?.focus();
    setOpen(true);
  }, [target]);
  // `logged_out` prevents the login page from logging in again automatically.
  const logout = () =>
    void api
      .call('logout')
      .then(
        (logoutResult) => loadPage(logoutResult?.provider_logout_url ?? `${basePath}/login?logged_out=yes`),
        showError,
      );
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
              onClick={() => void switchOrganization(id).catch(showError)}
            >
              {name} ({role})
            </Menu.Item>
          ))}
        <Menu.Divider />
        <MenuLink leftSection={<IconUser size={15} />} to="/account">
          Account settings
        </MenuLink>
        <Menu.Item leftSection={<IconBook size={15} />} component="a" href={`${basePath}/docs`}>
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
          href={`${basePath}/api/v1/swagger`}
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
