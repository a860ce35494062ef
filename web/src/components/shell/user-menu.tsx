import { Button, Menu, Text } from '@mantine/core';
import { IconBook, IconCheck, IconCode, IconLogout, IconUser } from '@tabler/icons-react';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { useMe } from '../../api/use-me.ts';
import { MenuLink } from '../../ui/links.tsx';

/** Who is logged in and where: the organizations to switch to, the own account, the way out. */
export function UserMenu() {
  const { user, organization, organizations } = useMe();
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
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="inherit"
          px="xs"
          leftSection={<IconUser size={17} aria-hidden />}
          maw={{ base: 150, sm: 240 }}
        >
          <Text span size="sm" truncate>
            {organization.name}
          </Text>
        </Button>
      </Menu.Target>
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
