import { Button, Code, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { type Column, ListFilters, ResourceList, useList } from '../../components/list/index.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { CopyButton, copyText } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Mark, type MarkTone } from '../../ui/mark.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { TrustForm } from './trust-form.tsx';

type Trust = Schemas['DeploymentTrust'];

const states: Record<Trust['status'], { tone: MarkTone; word: string }> = {
  active: { tone: 'ok', word: 'Active' },
  inactive: { tone: 'muted', word: 'Disabled' },
  expired: { tone: 'moderate', word: 'Expired' },
  orphaned: { tone: 'moderate', word: 'Save again' },
};

const claimsOf = ({ claims }: Trust) =>
  Object.entries(claims)
    .map(([name, pattern]) => `${name}: ${pattern}`)
    .join(', ');
const allowedBy = ({ services, environments }: Trust) =>
  `${services.join(', ')} in ${environments.join(', ')}`;

const columns: readonly Column<Trust>[] = [
  {
    header: 'Name',
    cell: ({ name }) => name,
    sort: 'name',
    csv: ({ name }) => name,
  },
  {
    header: 'Jobs',
    cell: (trust) => <TwoLines second={trust.issuer}>{claimsOf(trust)}</TwoLines>,
    csv: claimsOf,
    width: 'minmax(0, 2fr)',
  },
  { header: 'Issuer', cell: ({ issuer }) => issuer, csv: ({ issuer }) => issuer, csvOnly: true },
  { header: 'Can report', cell: allowedBy, csv: allowedBy, width: 'minmax(0, 1.5fr)' },
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
    header: 'Saved by',
    cell: ({ saved_by }) => saved_by.name,
    csv: ({ saved_by }) => saved_by.name,
    wideOnly: true,
  },
];

export default function DeploymentTrustsPage() {
  const list = useList('listDeploymentTrusts', {
    from: '/shell/deployment-trusts',
    filters: ['q'],
    sort: '-created_at',
  });
  const [isCreating, creating] = useDisclosure(false);
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={creating.open}>
      New trust
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Trusts"
        about="CI jobs that can report deployments without a key, with the ID token of their platform."
        actions={create}
      />
      <ListFilters list={list} search="Search by name" filters={[]} />
      <ResourceList
        list={list}
        columns={columns}
        name="trusts"
        empty={
          <EmptyState title="No trusts yet" action={create}>
            A trust names a repository, and the services and environments whose deployments its jobs can
            report.
          </EmptyState>
        }
        rowActions={(trust) => <TrustActions trust={trust} />}
      />
      {isCreating && <NewTrust onClose={creating.close} />}
    </>
  );
}

/** Creates a trust and shows the variables that a job requires. */
function NewTrust({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Trust | null>(null);
  const create = useAction('createDeploymentTrust', { quiet: true });
  return (
    <Dialog onClose={onClose} title={created === null ? 'New trust' : 'Trust created'} size="lg">
      {created === null ? (
        <TrustForm
          submit="Create trust"
          save={async (body) => setCreated(await create.mutateAsync({ body }))}
          onCancel={onClose}
        />
      ) : (
        <Stack>
          <Text size="sm">
            Add these variables to the job, and run <code>pacekeeper report SERVICE ENVIRONMENT VERSION</code>{' '}
            after the deployment. In GitHub Actions, the job also needs the permission{' '}
            <code>id-token: write</code>. In GitLab CI, add <code>PACEKEEPER_ID_TOKEN</code> to its{' '}
            <code>id_tokens</code>.
          </Text>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {variablesOf(created)}
          </Code>
          <Group justify="space-between">
            <CopyButton text={variablesOf(created)} label="Copy variables" />
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

function variablesOf({ code }: Trust): string {
  return `PACEKEEPER_SERVER_URL: ${window.location.origin}\nPACEKEEPER_TRUST: ${code}`;
}

function TrustActions({ trust }: { trust: Trust }) {
  const [isEditing, setEditing] = useState(false);
  const confirm = useConfirm();
  const update = useAction('updateDeploymentTrust', { quiet: true, done: 'Trust saved' });
  const toggle = useAction('updateDeploymentTrust', {
    done: ({ is_active }) => (is_active ? 'Trust enabled' : 'Trust disabled'),
  });
  const remove = useAction('deleteDeploymentTrust', { done: 'Trust deleted' });
  const path = { id: trust.id };
  const onDelete = async () => {
    const isSure = await confirm({
      title: `Delete "${trust.name}"?`,
      body: "Jobs that use it can't report deployments anymore. This can't be undone.",
      confirm: 'Delete',
      danger: true,
    });
    if (isSure) remove.mutate({ path });
  };
  return (
    <>
      <RowMenu label={`Actions for ${trust.name}`}>
        <Menu.Item onClick={() => setEditing(true)}>Edit</Menu.Item>
        <Menu.Item onClick={() => void copyText(trust.code, 'Code copied')}>Copy code</Menu.Item>
        <Menu.Item onClick={() => toggle.mutate({ path, body: { is_active: !trust.is_active } })}>
          {trust.is_active ? 'Disable' : 'Enable'}
        </Menu.Item>
        <Menu.Item c="var(--severity-critical)" onClick={() => void onDelete()}>
          Delete
        </Menu.Item>
      </RowMenu>
      <EditDialog
        title="Edit trust"
        size="lg"
        resource={trust}
        isOpen={isEditing}
        close={() => setEditing(false)}
        update={update.mutateAsync}
      >
        {(opened, form) => <TrustForm trust={opened} {...form} />}
      </EditDialog>
    </>
  );
}
