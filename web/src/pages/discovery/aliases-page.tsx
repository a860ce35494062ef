import { Button, Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { FormModal } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount } from '../../ui/format.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { AliasForm, type AliasValues } from './alias-form.tsx';
import { AliasSuggestions } from './alias-suggestions.tsx';

type Alias = Schemas['ArtifactAlias'];

const empty: AliasValues = { name: '', prefix: '', upstream_prefix: '' };

const columns: readonly Column<Alias>[] = [
  {
    header: 'Name',
    cell: ({ name, applying }) => (
      <TwoLines
        second={
          applying &&
          `Updating sources and items: ${formatCount(applying.done)} of ${formatCount(applying.total)}`
        }
      >
        {name}
      </TwoLines>
    ),
    csv: ({ name }) => name,
    sort: 'name',
    width: 'minmax(8rem, 1fr)',
  },
  {
    header: 'Mirror',
    cell: ({ prefix }) => <span title={prefix}>{prefix}</span>,
    csv: ({ prefix }) => prefix,
    sort: 'prefix',
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Upstream',
    cell: ({ upstream_prefix }) => <span title={upstream_prefix}>{upstream_prefix}</span>,
    csv: ({ upstream_prefix }) => upstream_prefix,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Reads mirror',
    cell: ({ reads_mirror }) => (reads_mirror ? 'Yes' : 'No'),
    csv: ({ reads_mirror }) => String(reads_mirror),
    width: '8rem',
    secondary: true,
  },
  {
    header: 'Created',
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
    csv: ({ created_at }) => created_at,
    sort: 'created_at',
    width: '7rem',
    wideOnly: true,
  },
];

export default function AliasesPage() {
  const list = useList('listArtifactAliases', {
    from: '/shell/discovery/aliases',
    filters: ['q'],
    sort: '-created_at',
  });
  const canWrite = useHasRole('member');
  const [opened, setOpened] = useState<AliasValues | null>(null);
  const create = useAction('createArtifactAlias', { quiet: true, done: 'Alias created' });
  const button = canWrite && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setOpened(empty)}>
      New alias
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Aliases"
        about="An alias links a mirror to the upstream that it copies. Software from the mirror then has the releases, lifecycle, and vulnerabilities of the original."
        actions={button}
      />
      <AliasSuggestions onUse={canWrite ? setOpened : undefined} />
      <ListFilters list={list} search="Search by name or address" filters={[]} />
      <ResourceList
        list={list}
        columns={columns}
        name="aliases"
        rowActions={canWrite ? (alias) => <AliasMenu alias={alias} /> : undefined}
        empty={
          <EmptyState title="No aliases yet" action={button}>
            Create an alias for each mirror or pull-through cache in Harbor, Artifactory, Nexus, or another
            registry. Mirrors that everyone uses, such as mirror.gcr.io, need none.
          </EmptyState>
        }
      />
      <FormModal opened={opened !== null} onClose={() => setOpened(null)} title="New alias" size="lg">
        <AliasForm
          alias={opened ?? empty}
          submit="Create alias"
          save={async (body) => {
            await create.mutateAsync({ body });
            setOpened(null);
          }}
          onCancel={() => setOpened(null)}
        />
      </FormModal>
    </>
  );
}

function AliasMenu({ alias }: { alias: Alias }) {
  const [isEditing, setEditing] = useState(false);
  const confirm = useConfirm();
  const update = useAction('updateArtifactAlias', { quiet: true, done: 'Alias updated' });
  const remove = useAction('deleteArtifactAlias', { done: 'Alias deleted' });
  const onDelete = async () => {
    const isSure = await confirm({
      title: `Delete "${alias.name}"?`,
      body: `Software below ${alias.prefix} is compared with the mirror again, and keeps its history.`,
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path: { id: alias.id } });
  };
  return (
    <>
      <RowMenu label={`Actions for ${alias.name}`}>
        <Menu.Item onClick={() => setEditing(true)}>Edit</Menu.Item>
        <Menu.Item c="var(--severity-critical)" onClick={() => void onDelete()}>
          Delete
        </Menu.Item>
      </RowMenu>
      <EditDialog
        title="Edit alias"
        size="lg"
        resource={alias}
        isOpen={isEditing}
        close={() => setEditing(false)}
        update={update.mutateAsync}
      >
        {(opened, form) => <AliasForm alias={opened} {...form} />}
      </EditDialog>
    </>
  );
}
