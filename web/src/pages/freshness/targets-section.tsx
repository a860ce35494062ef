import { Button, Menu, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { formatTargetLimit } from '../../../../src/domain/freshness/freshness-metrics.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { FormModal } from '../../ui/dialog.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatCount, formatDay } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TwoLines } from '../../ui/two-lines.tsx';
import { TargetForm } from './target-form.tsx';

type Target = Schemas['FreshnessTarget'];

/** Lists the freshness targets, and shows whether each is met. */
export function TargetsSection() {
  const targets = useApi('listFreshnessTargets', { query: { limit: 200, sort: 'name' } });
  const canWrite = useHasRole('member');
  const [isNew, setNew] = useState(false);
  const create = useAction('createFreshnessTarget', { quiet: true, done: 'Target created' });
  return (
    <Section
      title="Targets"
      actions={
        canWrite && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            onClick={() => setNew(true)}
          >
            New target
          </Button>
        )
      }
    >
      <Loaded query={targets}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">
              No targets yet. A target defines how far behind deployed versions can be, and what share of them
              must be within that limit.
            </Text>
          ) : (
            <TargetTable targets={items} canWrite={canWrite} />
          )
        }
      </Loaded>
      <FormModal opened={isNew} onClose={() => setNew(false)} title="New target" size="xl">
        <TargetForm
          submit="Create target"
          save={async (body) => {
            await create.mutateAsync({ body });
            setNew(false);
          }}
          onCancel={() => setNew(false)}
        />
      </FormModal>
    </Section>
  );
}

function TargetTable({ targets, canWrite }: { targets: readonly Target[]; canWrite: boolean }) {
  return (
    <RowsTable
      items={targets}
      columns={columns}
      name="targets"
      rowKey={({ id }) => id}
      {...(canWrite && { rowActions: (target: Target) => <TargetMenu target={target} /> })}
    />
  );
}

const conditionsOf = ({ label_matchers }: Target): string =>
  label_matchers.map(({ label, operator, value }) => `${label} ${operator} ${value}`).join(', ');

const columns: readonly Column<Target>[] = [
  {
    header: 'Target',
    cell: (target) => <TwoLines second={conditionsOf(target) || null}>{target.name}</TwoLines>,
    width: 'minmax(0, 1.5fr)',
  },
  { header: 'Limit', cell: formatTargetLimit },
  { header: 'Status', cell: (target) => <TargetStatus target={target} />, width: 'minmax(10rem, 1fr)' },
  {
    header: 'Within',
    cell: ({ now_percent, goal_percent }) => (
      <TwoLines second={`goal ${goal_percent}%`}>{now_percent === null ? '—' : `${now_percent}%`}</TwoLines>
    ),
    align: 'end',
  },
  {
    header: 'Out of target',
    cell: ({ out_of_target }) => (out_of_target === null ? '—' : formatCount(out_of_target)),
    align: 'end',
  },
  {
    header: 'Forecast',
    cell: ({ forecast_30d }) =>
      forecast_30d === null || forecast_30d === 0 ? (
        <Text span size="sm" c="dimmed">
          none within 30 days
        </Text>
      ) : (
        `${formatCount(forecast_30d)} more within 30 days without an upgrade`
      ),
    width: 'minmax(9rem, 1.4fr)',
  },
];

function TargetStatus({ target }: { target: Target }) {
  const { is_active, known, met_since } = target;
  if (!is_active) return <Mark tone="muted">Disabled</Mark>;
  if (known === null) return <Mark tone="muted">Measuring…</Mark>;
  if (known === 0) return <Mark tone="muted">No data</Mark>;
  if (met_since === null) return <Mark tone="high">Missed</Mark>;
  return (
    <TwoLines second={`since ${formatDay(Date.parse(met_since))}`}>
      <Mark tone="ok">Met</Mark>
    </TwoLines>
  );
}

function TargetMenu({ target }: { target: Target }) {
  const [isEditing, setEditing] = useState(false);
  const confirm = useConfirm();
  const update = useAction('updateFreshnessTarget', { quiet: true, done: 'Target updated' });
  const toggle = useAction('updateFreshnessTarget', {
    done: ({ is_active }) => (is_active ? 'Target enabled' : 'Target disabled'),
  });
  const remove = useAction('deleteFreshnessTarget', { done: 'Target deleted' });
  return (
    <>
      <RowMenu label={`Actions for ${target.name}`}>
        <Menu.Item onClick={() => setEditing(true)}>Edit</Menu.Item>
        <Menu.Item
          onClick={() => toggle.mutate({ path: { id: target.id }, body: { is_active: !target.is_active } })}
        >
          {target.is_active ? 'Disable' : 'Enable'}
        </Menu.Item>
        <Menu.Item
          c="var(--severity-critical)"
          onClick={async () => {
            const question = {
              title: `Delete "${target.name}"?`,
              body: "Its history is also deleted. This can't be undone.",
              confirm: 'Delete',
              danger: true,
            };
            if (await confirm(question)) remove.mutate({ path: { id: target.id } });
          }}
        >
          Delete
        </Menu.Item>
      </RowMenu>
      <EditDialog
        title="Edit target"
        resource={target}
        isOpen={isEditing}
        close={() => setEditing(false)}
        update={update.mutateAsync}
      >
        {(opened, form) => <TargetForm target={opened} {...form} />}
      </EditDialog>
    </>
  );
}
