import { Button, Group, Menu, Table, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { formatTargetLimit } from '../../../../src/domain/freshness/freshness-metrics.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { useHasRole } from '../../api/use-me.ts';
import { EditDialog } from '../../components/edit-dialog.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { FormModal } from '../../ui/dialog.tsx';
import { Section } from '../../ui/facts.tsx';
import { formatDay } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import classes from './freshness-chart.module.css';
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
    <section className={classes.scroll} aria-label="Targets" tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Target</Table.Th>
            <Table.Th>Limit</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th ta="end">Within</Table.Th>
            <Table.Th ta="end">Out of target</Table.Th>
            <Table.Th>Forecast</Table.Th>
            {canWrite && <Table.Th aria-label="Actions" />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {targets.map((target) => (
            <TargetRow key={target.id} target={target} canWrite={canWrite} />
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function TargetRow({ target, canWrite }: { target: Target; canWrite: boolean }) {
  const { now_percent, out_of_target, forecast_30d, goal_percent } = target;
  const conditions = target.label_matchers.map(
    ({ label, operator, value }) => `${label} ${operator} ${value}`,
  );
  return (
    <Table.Tr>
      <Table.Td>
        {target.name}
        {conditions.length > 0 && (
          <Text size="xs" c="dimmed">
            {conditions.join(', ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>{formatTargetLimit(target)}</Table.Td>
      <Table.Td>
        <TargetStatus target={target} />
      </Table.Td>
      <Table.Td ta="end">
        {now_percent === null ? '—' : `${now_percent}%`}
        <Text size="xs" c="dimmed" className={classes.tight}>
          goal {goal_percent}%
        </Text>
      </Table.Td>
      <Table.Td ta="end">{out_of_target === null ? '—' : out_of_target.toLocaleString('en')}</Table.Td>
      <Table.Td>
        {forecast_30d === null || forecast_30d === 0 ? (
          <Text size="sm" c="dimmed">
            none within 30 days
          </Text>
        ) : (
          `${forecast_30d.toLocaleString('en')} more within 30 days without an upgrade`
        )}
      </Table.Td>
      {canWrite && (
        <Table.Td>
          <TargetMenu target={target} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function TargetStatus({ target }: { target: Target }) {
  const { is_active, known, met_since } = target;
  if (!is_active) return <Mark tone="muted">Disabled</Mark>;
  if (known === null) return <Mark tone="muted">Measuring…</Mark>;
  if (known === 0) return <Mark tone="muted">No data</Mark>;
  if (met_since === null) return <Mark tone="high">Missed</Mark>;
  return <Mark tone="ok">{`Met since ${formatDay(Date.parse(met_since))}`}</Mark>;
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
    <Group justify="flex-end">
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
    </Group>
  );
}
