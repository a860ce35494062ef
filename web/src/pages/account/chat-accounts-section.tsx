import { Button, Text } from '@mantine/core';
import { chatPlatformLabels } from '../../../../src/domain/channels/chat-buttons.ts';
import { useAction } from '../../api/use-action.ts';
import { type ResponseBodyOf, useApi } from '../../api/use-api.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/facts.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type ChatAccount = ResponseBodyOf<'listChatAccounts'>['items'][number];

const columns: readonly Column<ChatAccount>[] = [
  {
    header: 'Account',
    cell: ({ platform, workspace_name, user_name }) => (
      <TwoLines second={`${chatPlatformLabels[platform]} · ${workspace_name}`}>{user_name}</TwoLines>
    ),
    width: 'minmax(0, 1.5fr)',
  },
  { header: 'Linked', cell: ({ created_at }) => <RelativeTime at={created_at} />, width: '8rem' },
  {
    header: 'Last used',
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <RelativeTime at={last_used_at} />),
    width: '8rem',
  },
  { header: 'Actions', cell: (account) => <Unlink account={account} />, width: '8rem', align: 'end' },
];

/** Chat accounts that can act on behalf of the user in this organization. Hidden if there are none. */
export function ChatAccountsSection() {
  const accounts = useApi('listChatAccounts');
  if (!accounts.data?.items.length) return null;
  return (
    <Section title="Chat accounts">
      <Text size="sm" c="var(--text-muted)" mb="xs">
        When one of these accounts clicks a button in a chat message, Pacekeeper acts on your behalf in this
        organization.
      </Text>
      <RowsTable items={accounts.data.items} columns={columns} name="chat accounts" rowKey={({ id }) => id} />
    </Section>
  );
}

function Unlink({ account: { id, platform, user_name } }: { account: ChatAccount }) {
  const confirm = useConfirm();
  const unlink = useAction('unlinkChatAccount', { done: 'Chat account unlinked' });
  const onUnlink = async () => {
    const isSure = await confirm({
      title: `Unlink "${user_name}"?`,
      body: `Button clicks by this ${chatPlatformLabels[platform]} account will no longer act on your behalf. You can link it again.`,
      confirm: 'Unlink account',
      danger: true,
    });
    if (isSure) unlink.mutate({ path: { id } });
  };
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={unlink.isPending}
      aria-label={`Unlink ${user_name}`}
      onClick={() => void onUnlink()}
    >
      Unlink
    </Button>
  );
}
