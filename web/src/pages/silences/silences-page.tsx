import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { SilenceDialog } from '../../components/silence-dialog.tsx';
import { SilenceForm } from '../../components/silence-form.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Mark, type MarkTone } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { formatCriteria } from '../notification-rules/format-criteria.ts';

type Silence = Schemas['Silence'];

const statuses: Record<Silence['status'], { tone: MarkTone; word: string }> = {
  active: { tone: 'busy', word: 'Active' },
  scheduled: { tone: 'muted', word: 'Scheduled' },
  ended: { tone: 'muted', word: 'Ended' },
};

function useColumns(): readonly Column<Silence>[] {
  const rules = useApi('listRulesDropdown');
  const nameOfRule = (id: number) => rules.data?.find((rule) => rule.id === id)?.name;
  const format = (silence: Silence) =>
    formatCriteria({ ...silence, event_types: [], alert_config_ids: [] }, nameOfRule);
  return [
    {
      header: 'Reason',
      cell: ({ reason }) => reason,
      csv: ({ reason }) => reason,
      width: 'minmax(0, 2fr)',
    },
    {
      header: 'Alerts',
      cell: (silence) => <span title={format(silence)}>{format(silence)}</span>,
      csv: format,
      width: 'minmax(0, 3fr)',
    },
    {
      header: 'Status',
      cell: ({ status }) => <Mark tone={statuses[status].tone}>{statuses[status].word}</Mark>,
      csv: ({ status }) => status,
      width: '6rem',
    },
    {
      header: 'Starts',
      cell: ({ starts_at }) => <RelativeTime at={starts_at} />,
      csv: ({ starts_at }) => starts_at,
      width: '7.5rem',
      secondary: true,
    },
    {
      header: 'Ends',
      cell: ({ ends_at }) => <RelativeTime at={ends_at} />,
      csv: ({ ends_at }) => ends_at,
      sort: 'ends_at',
      width: '6.5rem',
    },
    {
      header: 'Created by',
      cell: ({ created_by }) => created_by.name,
      csv: ({ created_by }) => created_by.name,
      width: 'minmax(7rem, 1fr)',
      wideOnly: true,
    },
  ];
}

export default function SilencesPage() {
  const list = useList('listSilences', { from: '/shell/silences', filters: ['status'], sort: '-created_at' });
  const [isCreating, creating] = useDisclosure(false);
  const columns = useColumns();
  const isAllowed = useHasRole('member');
  const create = isAllowed && (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      New silence
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Silences"
        about="Suspend notifications for matching alerts during maintenance. Alerts still open, escalate, and resolve."
        actions={create}
      />
      <ListFilters
        list={list}
        filters={[
          {
            name: 'status',
            label: 'Status',
            options: Object.entries(statuses).map(([value, { word }]) => ({ value, label: word })),
          },
        ]}
      />
      <ResourceList
        list={list}
        columns={columns}
        name="silences"
        rowActions={isAllowed ? (silence) => <SilenceActions silence={silence} /> : undefined}
        empty={
          <EmptyState title="No silences yet" action={create}>
            Create a silence before planned maintenance, so that the alerts it causes don't notify anyone.
          </EmptyState>
        }
      />
      {isCreating && <SilenceDialog onClose={creating.close} />}
    </>
  );
}

function SilenceActions({ silence }: { silence: Silence }) {
  const [isEditing, setEditing] = useState(false);
  const confirm = useConfirm();
  const update = useAction('updateSilence', { quiet: true, done: 'Silence updated' });
  const end = useAction('updateSilence', { done: 'Silence ended' });
  const remove = useAction('deleteSilence', { done: 'Silence deleted' });
  const { id, status, reason } = silence;
  const onDelete = async () => {
    const isSure = await confirm({
      title: `Delete "${reason}"?`,
      body:
        status === 'active'
          ? "Notifications resume. Alerts that opened or escalated in the meantime are reported. This can't be undone."
          : "This can't be undone.",
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path: { id } });
  };
  return (
    <>
      <RowMenu label={`Actions for ${reason}`}>
        {status !== 'ended' && <Menu.Item onClick={() => setEditing(true)}>Edit</Menu.Item>}
        {status === 'active' && (
          <Menu.Item
            // The server replaces a time in the past with its current time, so the browser's clock isn't
            // used.
            onClick={() => end.mutate({ path: { id }, body: { ends_at: new Date(0).toISOString() } })}
          >
            End now
          </Menu.Item>
        )}
        <Menu.Item c="var(--severity-critical)" onClick={() => void onDelete()}>
          Delete
        </Menu.Item>
      </RowMenu>
      <EditDialog
        title="Edit silence"
        resource={silence}
        isOpen={isEditing}
        close={() => setEditing(false)}
        update={update.mutateAsync}
      >
        {(opened, form) => <SilenceForm silence={opened} {...form} />}
      </EditDialog>
    </>
  );
}
