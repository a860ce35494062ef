import { Button, Menu, Paper, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { showError } from '../../api/use-action.ts';
import type { List, Selection } from '../../components/list/index.ts';
import classes from '../../components/selection-bar.module.css';
import { criteriaOf, type SilenceCriteria } from '../../components/silence-criteria.ts';
import { SilenceDialog } from '../../components/silence-dialog.tsx';
import { type BulkAction, bulkActions } from './bulk-changes.ts';
import { BulkDialog } from './bulk-dialog.tsx';

const alertsPerRequest = 200;

/** What can be done with the alerts that are selected. It floats, so that the list stays where it is. */
export function BulkBar({
  selection: { ids, set },
  list,
}: {
  selection: Selection;
  list: List<Schemas['Alert']>;
}) {
  const [isBusy, setBusy] = useState(false);
  const [action, setAction] = useState<BulkAction | null>(null);
  const [criteria, setCriteria] = useState<SilenceCriteria | null>(null);
  const selectAll = async () => {
    const all = new Set<number>();
    for (let offset = 0; ; offset += alertsPerRequest) {
      const { items } = await queryClient.fetchQuery(list.pageQuery(offset, alertsPerRequest));
      for (const { id } of items) all.add(id);
      if (items.length < alertsPerRequest) break;
    }
    set(all);
  };
  const silenceSelected = async () => {
    const found: Schemas['Alert'][] = [];
    for (let offset = 0; found.length < ids.size; offset += alertsPerRequest) {
      const { items } = await queryClient.fetchQuery(list.pageQuery(offset, alertsPerRequest));
      found.push(...items.filter(({ id }) => ids.has(id)));
      if (items.length < alertsPerRequest) break;
    }
    setCriteria(criteriaOf(found));
  };
  const whileBusy = (work: () => Promise<void>) => {
    setBusy(true);
    void work()
      .catch(showError)
      .finally(() => setBusy(false));
  };
  return (
    <Paper className={classes.bar} shadow="md" role="group" aria-label="Selected alerts">
      <Text size="sm" fw={600} aria-live="polite">
        {`${ids.size.toLocaleString('en')} selected`}
      </Text>
      <Button size="xs" data-key="a" onClick={() => setAction('acknowledge')}>
        Acknowledge
      </Button>
      <Menu position="top-start" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
            More actions
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(Object.keys(bulkActions) as BulkAction[])
            .filter((name) => name !== 'acknowledge')
            .map((name) => (
              <Menu.Item key={name} onClick={() => setAction(name)}>
                {bulkActions[name].title}
              </Menu.Item>
            ))}
          <Menu.Item onClick={() => whileBusy(silenceSelected)}>Silence alerts like these</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {list.total !== undefined && ids.size < list.total && (
        <Button size="xs" variant="default" loading={isBusy} onClick={() => whileBusy(selectAll)}>
          Select all {list.totalIsExact && list.total.toLocaleString('en')} matching alerts
        </Button>
      )}
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => set(new Set())}>
        Clear selection
      </Button>
      {action !== null && (
        <BulkDialog
          action={action}
          ids={[...ids]}
          onClose={() => setAction(null)}
          onDone={() => {
            setAction(null);
            set(new Set());
          }}
        />
      )}
      {criteria !== null && (
        <SilenceDialog
          criteria={criteria}
          onClose={() => setCriteria(null)}
          onDone={() => {
            setCriteria(null);
            set(new Set());
          }}
        />
      )}
    </Paper>
  );
}
