import { List, Text } from '@mantine/core';
import { ApiCallError, api } from '../api/session.ts';
import { showError, useAction } from '../api/use-action.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { countOf, formatCount } from '../ui/format.ts';
import { TextLink } from '../ui/links.tsx';
import { resourceLink } from './resource-link.ts';

const kinds = {
  gather: {
    run: 'runGatherJob',
    update: 'updateGatherJob',
    remove: 'deleteGatherJob',
    cascadeNote: 'This also deletes its releases and runs.',
  },
  scrape: {
    run: 'runScrapeJob',
    update: 'updateScrapeJob',
    remove: 'deleteScrapeJob',
    cascadeNote: 'This also deletes its version history and runs.',
  },
  helm_sync: {
    run: 'runHelmSyncJob',
    update: 'updateHelmSyncJob',
    remove: 'deleteHelmSyncJob',
    cascadeNote:
      'This also deletes its charts and the upstream sources it created. Sources used by monitors are kept and inherit its schedule.',
  },
  discovery: {
    run: 'runDiscoveryJob',
    update: 'updateDiscoveryJob',
    remove: 'deleteDiscoveryJob',
    cascadeNote:
      'This also deletes the versions it found and the version trackers that it feeds, with their monitors and alerts.',
  },
} as const;
export type JobKind = keyof typeof kinds;

interface ActionableJob {
  id: number;
  name: string;
  is_active: boolean;
}

/**
 * Returns the actions for a job of any kind. Used by the menu of a row and by the page of the job.
 * @param leave Navigates away from the page of the job after deletion.
 */
export function useJobActions(kind: JobKind, job: ActionableJob, leave?: () => Promise<unknown>) {
  const { run, update, remove, cascadeNote } = kinds[kind];
  const confirm = useConfirm();
  const runAction = useAction(run, { done: `Run queued for "${job.name}"` });
  const updateAction = useAction(update);
  const removeAction = useAction(remove, { quiet: true, done: `"${job.name}" deleted`, leave });
  const path = { id: job.id };

  /**
   * Deletes the job after confirmation. The confirmation lists the monitors that use the job, which are
   * deleted with it.
   */
  async function confirmDelete(): Promise<void> {
    try {
      const users = await usersOf(kind, job.id);
      if (users.count > 0) return await deleteWithUsers(users);
      const isSure = await confirm({
        title: `Delete "${job.name}"?`,
        body: `${cascadeNote} This can't be undone.`,
        confirm: 'Delete',
        danger: true,
      });
      // Deletion of a discovery job cascades, because the user has confirmed that everything the job feeds is deleted
      // too.
      if (isSure)
        await removeAction.mutateAsync({ path, ...(kind === 'discovery' && { query: { cascade: true } }) });
    } catch (error) {
      const { alert_config_count: count = 0, alert_config_ids: ids = [] } = inUse(error) ?? {};
      // If the error has no count, other organizations use the job. Their monitors can't be listed or deleted
      // here.
      if (count === 0) showError(error);
      else await deleteWithUsers({ count, named: await namesOf(ids) }).catch(showError);
    }
  }

  async function deleteWithUsers(users: Users): Promise<void> {
    const isSure = await confirm({
      title: `Delete "${job.name}" and ${countOf(users.count, 'monitor')}?`,
      body: <UserList users={users} />,
      confirm: 'Delete all',
      danger: true,
    });
    if (isSure) await removeAction.mutateAsync({ path, query: { cascade: true } });
  }

  return {
    run: () => runAction.mutate({ path }),
    isStarting: runAction.isPending,
    toggle: () => updateAction.mutate({ path, body: { is_active: !job.is_active } }),
    isToggling: updateAction.isPending,
    confirmDelete: confirmDelete,
  };
}

interface Users {
  count: number;
  /** IDs and names of some of the monitors. */
  named: readonly { id: number; name: string }[];
}

/**
 * Returns the alert configurations that use a job. Empty for a Helm sync job, because the server returns them when it
 * rejects the deletion.
 */
async function usersOf(kind: JobKind, id: number): Promise<Users> {
  if (kind === 'helm_sync' || kind === 'discovery') return { count: 0, named: [] };
  const query = { ...(kind === 'gather' ? { gather_job_id: id } : { scrape_job_id: id }), limit: 20 };
  const { items, total } = await api.call('listAlertConfigs', { query });
  return { count: total, named: items };
}

/** Returns the response body if the server rejected a deletion because the job is in use, or null. */
function inUse(error: unknown) {
  return error instanceof ApiCallError && error.body?.code === 'in_use' ? error.body : null;
}

async function namesOf(ids: readonly number[]): Promise<Users['named']> {
  const found = await Promise.allSettled(ids.map((id) => api.call('getAlertConfig', { path: { id } })));
  return found.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function UserList({ users: { count, named } }: { users: Users }) {
  return (
    <>
      <Text>
        {count === 1
          ? '1 monitor uses it and will be deleted too, along with its alerts:'
          : `${formatCount(count)} monitors use it and will be deleted too, along with their alerts:`}
      </Text>
      <List size="sm" my="xs">
        {named.map(({ id, name }) => (
          <List.Item key={id}>
            <TextLink {...resourceLink('alert_config', id)} target="_blank" inherit>
              {name}
            </TextLink>
          </List.Item>
        ))}
        {count > named.length && <List.Item>and {formatCount(count - named.length)} more</List.Item>}
      </List>
      <Text>This can't be undone.</Text>
    </>
  );
}
