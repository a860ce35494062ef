import { Button, Group, Menu, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { showError, useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole, useMe } from '../../api/use-me.ts';
import { ifMatchOf } from '../../components/edited.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/facts.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { ChangePreview, revokesNothing } from './change-preview.tsx';
import { InviteMember } from './invite-member.tsx';
import { memberRoleOptions, memberRoles } from './member-roles.ts';
import { OneTimeLink } from './one-time-link.tsx';
import { twoFactorLabels, twoFactorOptions } from './two-factor-labels.ts';

type Member = Schemas['Member'];

export default function MembersPage() {
  const list = useList('listMembers', {
    from: '/shell/members',
    filters: ['q', 'role', 'two_factor'],
    sort: '-created_at',
  });
  const [isInviting, inviting] = useDisclosure(false);
  const [resetLink, setResetLink] = useState<string | null>(null);
  const { user, organization } = useMe();
  const isAdmin = useHasRole('admin');
  const columns: readonly Column<Member>[] = [
    {
      header: 'Name',
      cell: ({ name, user_id }) => (user_id === user.id ? `${name} (you)` : name),
      csv: ({ name }) => name,
      sort: 'name',
    },
    { header: 'Email', cell: ({ email }) => email, csv: ({ email }) => email },
    {
      header: 'Role',
      cell: (member) => <RoleSelect member={member} />,
      csv: ({ role }) => role,
      width: '11rem',
    },
    {
      header: 'Two-factor',
      cell: ({ two_factor }) => twoFactorLabels[two_factor],
      csv: ({ two_factor }) => two_factor,
      width: '9rem',
    },
    {
      header: 'Joined',
      cell: ({ created_at }) => <RelativeTime at={created_at} />,
      csv: ({ created_at }) => created_at,
      width: '9rem',
      wideOnly: true,
    },
  ];
  return (
    <>
      <PageHeader
        title="Members"
        about="People in this organization and their roles."
        actions={
          isAdmin && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={inviting.open}>
              Invite member
            </Button>
          )
        }
      />
      <ListFilters
        list={list}
        search="Search by name or email"
        filters={[
          { name: 'role', label: 'Role', options: memberRoleOptions('owner') },
          { name: 'two_factor', label: 'Two-factor', options: twoFactorOptions },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="members"
        empty={null}
        rowActions={
          isAdmin
            ? (member) =>
                canManage(organization.role, member) && (
                  <MemberActions member={member} onResetLink={setResetLink} />
                )
            : undefined
        }
      />
      <Invitations />
      <InviteMember isOpen={isInviting} onClose={inviting.close} />
      <OneTimeLink
        title="Password reset link"
        link={resetLink}
        onClose={() => setResetLink(null)}
        about="Send this link to the member. It works once and expires in 24 hours. Using it ends all their sessions. If the account also belongs to another organization, the link is rejected. Ask the operator to reset that password."
      />
    </>
  );
}

/** True if the user can manage a member. Members with a higher role than the user's can't be managed. */
function canManage(own: Member['role'], member: Member): boolean {
  return memberRoleOptions(own).some(({ value }) => value === member.role);
}

function RoleSelect({ member }: { member: Member }) {
  const { organization } = useMe();
  const update = useAction('updateMember', { done: 'Role updated' });
  const confirm = useConfirm();
  const options = memberRoleOptions(organization.role);
  const onChange = async (role: Member['role']) => {
    const path = { id: member.id };
    const preview = await api.call('previewMemberChange', { path, query: { role } });
    const isSure =
      revokesNothing(preview) ||
      (await confirm({
        title: `Change ${member.name}'s role to ${memberRoles[role].label.toLowerCase()}?`,
        body: <ChangePreview preview={preview} />,
        confirm: 'Change role',
        danger: true,
      }));
    if (isSure) update.mutate({ path, body: { role }, ...ifMatchOf(member) });
  };
  const mayChange = useHasRole('admin') && canManage(organization.role, member);
  if (!mayChange) return memberRoles[member.role].label;
  return (
    <Select
      size="xs"
      aria-label={`Role for ${member.name}`}
      data={options}
      value={member.role}
      allowDeselect={false}
      disabled={update.isPending}
      onChange={(role) => role && void onChange(role as Member['role']).catch(showError)}
      style={{ position: 'relative', zIndex: 1 }}
    />
  );
}

function MemberActions({ member, onResetLink }: { member: Member; onResetLink: (link: string) => void }) {
  const confirm = useConfirm();
  const remove = useAction('deleteMember', { done: 'Member removed' });
  const makeLink = useAction('createMemberResetLink', { quiet: true });
  const path = { id: member.id };
  const onRemove = async () => {
    const preview = await api.call('previewMemberChange', { path });
    const isSure = await confirm({
      title: `Remove ${member.name}?`,
      body: (
        <>
          <Text>They lose access immediately. Sources, trackers, monitors, and rules they created stay.</Text>
          <ChangePreview preview={preview} />
        </>
      ),
      confirm: 'Remove',
      danger: true,
    });
    if (isSure) remove.mutate({ path });
  };
  return (
    <RowMenu label={`Actions for ${member.name}`}>
      <Menu.Item
        onClick={() =>
          makeLink.mutateAsync({ path }).then(({ reset_url }) => onResetLink(reset_url), showError)
        }
      >
        Create password reset link
      </Menu.Item>
      <Menu.Item c="var(--severity-critical)" onClick={() => void onRemove().catch(showError)}>
        Remove
      </Menu.Item>
    </RowMenu>
  );
}

function Invitations() {
  const { data } = useApi('listMembers', { query: { limit: 1 } });
  if (!data || data.invitations.length === 0) return null;
  return (
    <Section title="Pending invitations" mt="md">
      {data.invitations.map((invitation) => (
        <Group key={invitation.id} gap="xs" wrap="nowrap">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {invitation.email} as {memberRoles[invitation.role].label.toLowerCase()}, expires{' '}
            <RelativeTime at={invitation.expires_at} />
          </Text>
          <WithdrawInvitation invitation={invitation} />
        </Group>
      ))}
    </Section>
  );
}

function WithdrawInvitation({ invitation }: { invitation: Schemas['Invitation'] }) {
  const isAllowed = useHasRole(invitation.role);
  const confirm = useConfirm();
  const withdraw = useAction('deleteInvitation', { done: 'Invitation revoked' });
  const onWithdraw = async () => {
    const isSure = await confirm({
      title: `Revoke invitation for ${invitation.email}?`,
      body: 'The invitation link stops working. You can invite them again later.',
      confirm: 'Revoke',
      danger: true,
    });
    if (isSure) withdraw.mutate({ path: { id: invitation.id } });
  };
  if (!isAllowed) return null;
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      flex="none"
      aria-label={`Revoke invitation for ${invitation.email}`}
      loading={withdraw.isPending}
      onClick={() => void onWithdraw()}
    >
      Revoke
    </Button>
  );
}
