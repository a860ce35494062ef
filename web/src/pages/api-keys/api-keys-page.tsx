import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useCan } from '../../api/use-me.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../ui/list/index.ts';
import { Mark, type MarkTone } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { EditApiKey } from './edit-api-key.tsx';
import { keyRoles } from './key-roles.ts';
import { NewApiKey } from './new-api-key.tsx';

type ApiKey = Schemas['APIKey'];

const states: Record<ApiKey['status'], { tone: MarkTone; word: string }> = {
  active: { tone: 'ok', word: 'Active' },
  inactive: { tone: 'muted', word: 'Off' },
  deactivated: { tone: 'muted', word: 'Deactivated' },
  expired: { tone: 'moderate', word: 'Expired' },
};

const columns: readonly Column<ApiKey>[] = [
  {
    header: 'Name',
    cell: ({ name }) => name,
    sort: 'name',
    csv: ({ name }) => name,
    width: 'minmax(0, 1.5fr)',
  },
  {
    header: 'Begins with',
    cell: ({ key_prefix }) => <code>{key_prefix}…</code>,
    csv: ({ key_prefix }) => key_prefix,
  },
  { header: 'May', cell: ({ role }) => keyRoles[role].label, csv: ({ role }) => role },
  {
    header: 'State',
    cell: ({ status }) => <Mark tone={states[status].tone}>{states[status].word}</Mark>,
    csv: ({ status }) => status,
    width: '8rem',
  },
  {
    header: 'Last used',
    cell: ({ last_used_at }) => <RelativeTime at={last_used_at} />,
    csv: ({ last_used_at }) => last_used_at,
    width: '8rem',
  },
  {
    header: 'Expires',
    cell: ({ expires_at }) => <RelativeTime at={expires_at} />,
    csv: ({ expires_at }) => expires_at,
    width: '8rem',
    wideOnly: true,
  },
  {
    header: 'Made by',
    cell: ({ created_by }) => created_by.name,
    csv: ({ created_by }) => created_by.name,
    wideOnly: true,
  },
];

export default function APIKeysPage() {
  const list = useList('listAPIKeys', { filters: ['q', 'status'], sort: '-created_at' });
  const [isCreating, creating] = useDisclosure(false);
  const [edited, setEdited] = useState<ApiKey | null>(null);
  const create = useCan('admin') && (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      New key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        about="For programs: CI pipelines, scripts, agents. Each may do only what its role allows."
        actions={create}
      />
      <ListFilters
        list={list}
        search="Search by name"
        filters={[
          {
            name: 'status',
            label: 'State',
            options: Object.entries(states).map(([value, { word }]) => ({ value, label: word })),
          },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="API keys"
        empty={
          <EmptyState title="No keys yet" action={create}>
            A pipeline that tells which version it has deployed needs a key of the role reporter; an agent one
            of the role agent.
          </EmptyState>
        }
        rowActions={(key) => <KeyActions apiKey={key} onEdit={() => setEdited(key)} />}
      />
      <NewApiKey isOpen={isCreating} onClose={creating.close} />
      {edited && <EditApiKey apiKey={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function KeyActions({ apiKey, onEdit }: { apiKey: ApiKey; onEdit: () => void }) {
  const confirm = useConfirm();
  const toggle = useAction('toggleAPIKey');
  const deactivate = useAction('deactivateAPIKey', { done: 'The key is deactivated.' });
  const path = { id: apiKey.id };
  const isOver = apiKey.status === 'deactivated' || apiKey.status === 'expired';
  const onDeactivate = async () => {
    const isSure = await confirm({
      title: `Deactivate "${apiKey.name}"?`,
      body: 'From the next request on it opens nothing, and it can never be turned on again. To pause it, turn it off instead.',
      confirm: 'Deactivate',
      danger: true,
    });
    if (isSure) deactivate.mutate({ path });
  };
  return (
    <RowMenu label={`Actions for ${apiKey.name}`}>
      <Menu.Item onClick={onEdit}>Rename</Menu.Item>
      {!isOver && (
        <Menu.Item onClick={() => toggle.mutate({ path })}>
          {apiKey.is_active ? 'Turn off' : 'Turn on'}
        </Menu.Item>
      )}
      {apiKey.status !== 'deactivated' && (
        <Menu.Item c="var(--severity-critical)" onClick={() => void onDeactivate()}>
          Deactivate for good
        </Menu.Item>
      )}
    </RowMenu>
  );
}
