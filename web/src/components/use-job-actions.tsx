import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiCallError, api } from '../api/session.ts';
import { showError, useAction } from '../api/use-action.ts';
import { useConfirm } from '../ui/confirm.tsx';

const kinds = {
  gather: {
    run: 'runGatherJob',
    update: 'updateGatherJob',
    remove: 'deleteGatherJob',
    goesAlong: 'Its releases and runs are deleted with it.',
  },
  scrape: {
    run: 'runScrapeJob',
    update: 'updateScrapeJob',
    remove: 'deleteScrapeJob',
    goesAlong: 'Its versions and runs are deleted with it.',
  },
  helm_sync: {
    run: 'runHelmSyncJob',
    update: 'updateHelmSyncJob',
    remove: 'deleteHelmSyncJob',
    goesAlong:
      'Its charts and the gather jobs that it made are deleted with it; those that alert configurations use stay and get its schedule.',
  },
} as const;
export type JobKind = keyof typeof kinds;

interface JobToAct {
  id: number;
  name: string;
  is_active: boolean;
}

/**
 * What can be done with a job of any kind: from a row's menu as well as from its own page.
 * @param leave goes away from the page of the job once it is deleted.
 */
export function useJobActions(kind: JobKind, job: JobToAct, leave?: () => Promise<unknown>) {
  const { run, update, remove, goesAlong } = kinds[kind];
  const confirm = useConfirm();
  const runAction = useAction(run, { done: `"${job.name}" runs as soon as an agent is free.` });
  const updateAction = useAction(update);
  const removeAction = useAction(remove, { quiet: true, done: `"${job.name}" is deleted.`, leave });
  const path = { id: job.id };

  /** What uses it is named, and goes along only when that is wanted too. */
  async function deleteAfterAsking(): Promise<void> {
    const isSure = await confirm({
      title: `Delete "${job.name}"?`,
      body: `This cannot be undone. ${goesAlong}`,
      confirm: 'Delete',
      danger: true,
    });
    if (!isSure) return;
    try {
      await removeAction.mutateAsync({ path });
    } catch (error) {
      if (error instanceof ApiCallError && error.body?.code === 'in_use') await deleteWithUsers(error);
      else showError(error);
    }
  }

  async function deleteWithUsers(refusal: ApiCallError): Promise<void> {
    const { alert_config_count: count = 0, alert_config_ids: ids = [] } = refusal.body ?? {};
    // Others use it: their things are neither to be seen nor to be deleted from here.
    if (count === 0) return showError(refusal);
    const isSure = await confirm({
      title: `"${job.name}" is still in use`,
      body: <Users users={await namesOf(ids)} count={count} />,
      confirm: 'Delete all of it',
      danger: true,
    });
    if (isSure) await removeAction.mutateAsync({ path, query: { cascade: true } }).catch(showError);
  }

  return {
    run: () => runAction.mutate({ path }),
    isStarting: runAction.isPending,
    toggle: () => updateAction.mutate({ path, body: { is_active: !job.is_active } }),
    isToggling: updateAction.isPending,
    deleteAfterAsking,
  };
}

async function namesOf(ids: readonly number[]): Promise<{ id: number; name: string }[]> {
  const found = await Promise.allSettled(ids.map((id) => api.call('getAlertConfig', { path: { id } })));
  return found.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function Users({ users, count }: { users: readonly { id: number; name: string }[]; count: number }) {
  return (
    <>
      <Text>
        {count === 1
          ? 'One alert configuration uses it and is'
          : `${count} alert configurations use it and are`}{' '}
        deleted with it, together with their alerts:
      </Text>
      <List size="sm" my="xs">
        {users.map(({ id, name }) => (
          <List.Item key={id}>
            <Anchor component={Link} to="/alert-configs/$id" params={{ id: String(id) } as never} inherit>
              {name}
            </Anchor>
          </List.Item>
        ))}
        {count > users.length && <List.Item>and {count - users.length} more</List.Item>}
      </List>
      <Text>This cannot be undone.</Text>
    </>
  );
}
