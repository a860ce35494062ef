import { Button, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import type { List, Selection } from '../../components/list/index.ts';
import classes from './bulk-acknowledge.module.css';

/** One request takes up to 500; fewer show how far it has come. */
const idsPerRequest = 100;
const alertsPerRequest = 200;

/** What can be done with the alerts that are chosen. It floats, so that the list stays where it is. */
export function BulkAcknowledge({
  selection: { ids, set },
  list,
}: {
  selection: Selection;
  list: List<Schemas['Alert']>;
}) {
  const [isBusy, setBusy] = useState(false);
  const [done, setDone] = useState<number | null>(null);
  const work = (task: () => Promise<void>) => async () => {
    setBusy(true);
    await task().catch(showError);
    setBusy(false);
    setDone(null);
  };
  const acknowledge = work(async () => {
    const all = [...ids];
    let acknowledged = 0;
    let gone = 0;
    for (let from = 0; from < all.length; from += idsPerRequest) {
      setDone(from);
      const body = { alert_ids: all.slice(from, from + idsPerRequest) };
      const answer = await api.call('bulkAcknowledgeAlerts', { body });
      acknowledged += answer.acknowledged.length;
      gone += answer.not_found.length;
    }
    const resolved = gone === 0 ? '' : `; ${gone.toLocaleString('en')} no longer open`;
    notifications.show({
      message: `${acknowledged.toLocaleString('en')} acknowledged${resolved}.`,
      color: 'teal',
    });
    set(new Set());
    await queryClient.invalidateQueries();
  });
  const selectAll = work(async () => {
    const all = new Set<number>();
    for (let offset = 0; ; offset += alertsPerRequest) {
      const { items } = await queryClient.fetchQuery(list.pageQuery(offset, alertsPerRequest));
      for (const { id } of items) all.add(id);
      if (items.length < alertsPerRequest) break;
    }
    set(all);
  });
  return (
    <Paper className={classes.bar} shadow="md" role="group" aria-label="Selected alerts">
      <Text size="sm" fw={600} aria-live="polite">
        {done === null
          ? `${ids.size.toLocaleString('en')} selected`
          : `${done.toLocaleString('en')} of ${ids.size.toLocaleString('en')} acknowledged…`}
      </Text>
      <Button size="xs" loading={isBusy} onClick={() => void acknowledge()}>
        Acknowledge
      </Button>
      {list.total !== undefined && ids.size < list.total && (
        <Button size="xs" variant="default" disabled={isBusy} onClick={() => void selectAll()}>
          Select all {list.totalIsExact && list.total.toLocaleString('en')} matching alerts
        </Button>
      )}
      <Button size="xs" variant="default" disabled={isBusy} onClick={() => set(new Set())}>
        Clear selection
      </Button>
    </Paper>
  );
}
