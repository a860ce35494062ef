import { Menu } from '@mantine/core';
import { sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useHasRole } from '../../api/use-me.ts';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';

type Correction = Schemas['ArtifactCorrection'];

const columns: readonly Column<Correction>[] = [
  {
    header: 'Artifact',
    cell: ({ artifact }) => <span title={artifact}>{artifact}</span>,
    csv: ({ artifact }) => artifact,
    sort: 'artifact',
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Upstream',
    cell: ({ source_type, artifact_name }) =>
      source_type === null ? (
        'No upstream'
      ) : (
        <TwoLines second={sourceTypes[source_type].label}>
          <span title={artifact_name ?? undefined}>{artifact_name}</span>
        </TwoLines>
      ),
    csv: ({ artifact_name }) => artifact_name,
    width: 'minmax(0, 2fr)',
  },
  {
    header: 'Changed by',
    cell: ({ updated_by }) => updated_by.name,
    csv: ({ updated_by }) => updated_by.name,
    width: 'minmax(8rem, 1fr)',
    wideOnly: true,
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

export default function CorrectionsPage() {
  const list = useList('listArtifactCorrections', {
    from: '/shell/discovery/corrections',
    filters: ['q'],
    sort: '-created_at',
  });
  const canWrite = useHasRole('member');
  return (
    <>
      <PageHeader
        title="Corrections"
        about="Upstreams that people chose for artifacts. A correction applies to every place of its artifact, including in later scans."
      />
      <ListFilters list={list} search="Search by artifact or upstream" filters={[]} />
      <ResourceList
        list={list}
        columns={columns}
        name="corrections"
        rowActions={canWrite ? (correction) => <CorrectionMenu correction={correction} /> : undefined}
        empty={
          <EmptyState title="No corrections yet">
            To correct the upstream of an artifact, select Correct for one of its versions on the page of a
            repository, cluster, or host.
          </EmptyState>
        }
      />
    </>
  );
}

function CorrectionMenu({ correction: { id, artifact, revision } }: { correction: Correction }) {
  const confirm = useConfirm();
  const remove = useAction('deleteArtifactCorrection', { done: 'Correction deleted' });
  const onDelete = async () => {
    const isSure = await confirm({
      title: 'Delete this correction?',
      body: `The upstream that Pacekeeper proposes for ${artifact} applies again. Places with a separately chosen upstream keep it.`,
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path: { id }, headers: { 'if-match': `"${revision}"` } });
  };
  return (
    <RowMenu label={`Actions for ${artifact}`}>
      <Menu.Item c="var(--severity-critical)" onClick={() => void onDelete()}>
        Delete
      </Menu.Item>
    </RowMenu>
  );
}
