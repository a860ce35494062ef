import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Mark, type MarkTone } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { EditApiKey } from './edit-api-key.tsx';
import { keyRoles } from './key-roles.ts';
import { NewApiKey } from './new-api-key.tsx';

type ApiKey = Schemas['APIKey'];

const states: Record<ApiKey['status'], { tone: MarkTone; word: string }> = {
  active: { tone: 'ok', word: 'Active' },
  inactive: { tone: 'muted', word: 'Disabled' },
  deactivated: { tone: 'muted', word: 'Revoked' },
  expired: { tone: 'moderate', word: 'Expired' },
};

/** Returns the capabilities and credentials that agents with the key are limited to. */
function limitsOf({ agent_capabilities, agent_credential_names }: ApiKey): string {
  return [...(agent_capabilities ?? []), ...(agent_credential_names ?? [])].join(', ');
}

const columns: readonly Column<ApiKey>[] = [
  {
    header: 'Name',
    cell: ({ name }) => name,
    sort: 'name',
    csv: ({ name }) => name,
    width: 'minmax(0, 1.5fr)',
  },
  {
    header: 'Prefix',
    cell: ({ key_prefix }) => <code>{key_prefix}…</code>,
    csv: ({ key_prefix }) => key_prefix,
  },
  {
    header: 'Role',
    cell: (key) => <TwoLines second={limitsOf(key)}>{keyRoles[key.role].label}</TwoLines>,
    csv: ({ role }) => role,
  },
  { header: 'Limits', cell: limitsOf, csv: limitsOf, csvOnly: true },
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
    secondary: true,
  },
  {
    header: 'Created by',
    cell: ({ created_by }) => created_by.name,
    csv: ({ created_by }) => created_by.name,
    wideOnly: true,
  },
];

export default function APIKeysPage() {
  const list = useList('listAPIKeys', {
    from: '/shell/api-keys',
    filters: ['q', 'status'],
    sort: '-created_at',
  });
  const [isCreating, creating] = useDisclosure(false);
  const [editedId, setEditedId] = useState<number | null>(null);
  const create = useHasRole('admin') && (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      New API key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        about="API keys for CI pipelines, scripts, and agents. Each key is limited to its role."
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
          <EmptyState title="No API keys yet" action={create}>
            Create a key with the reporter role for a CI pipeline that reports deployed versions, or with the
            agent role for an agent.
          </EmptyState>
        }
        rowActions={(key) => <KeyActions apiKey={key} onEdit={() => setEditedId(key.id)} />}
      />
      <NewApiKey isOpen={isCreating} onClose={creating.close} />
      {editedId !== null && <EditApiKey id={editedId} onClose={() => setEditedId(null)} />}
    </>
  );
}

function KeyActions({ apiKey, onEdit }: { apiKey: ApiKey; onEdit: () => void }) {
  const confirm = useConfirm();
  const toggle = useAction('toggleAPIKey');
  const deactivate = useAction('deactivateAPIKey', { done: 'API key revoked' });
  const path = { id: apiKey.id };
  const isOver = apiKey.status === 'deactivated' || apiKey.status === 'expired';
  const onDeactivate = async () => {
    const isSure = await confirm({
      title: `Revoke "${apiKey.name}"?`,
      body: "Requests with this key will fail immediately. This can't be undone. To suspend the key temporarily, disable it instead.",
      confirm: 'Revoke',
      danger: true,
    });
    if (isSure) deactivate.mutate({ path });
  };
  return (
    <RowMenu label={`Actions for ${apiKey.name}`}>
      <Menu.Item onClick={onEdit}>Edit</Menu.Item>
      {!isOver && (
        <Menu.Item onClick={() => toggle.mutate({ path })}>
          {apiKey.is_active ? 'Disable' : 'Enable'}
        </Menu.Item>
      )}
      {apiKey.status !== 'deactivated' && (
        <Menu.Item c="var(--severity-critical)" onClick={() => void onDeactivate()}>
          Revoke
        </Menu.Item>
      )}
    </RowMenu>
  );
}
