import { api } from '../api/session.ts';
import { showError, useAction } from '../api/use-action.ts';
import { useConfirm } from '../ui/confirm.tsx';
import { ifMatchOf } from './edited.tsx';

/**
 * Returns a function that adds a release to the ignored versions of a monitor, after confirmation. The alert
 * of the monitor resolves or switches to another release.
 */
export function useIgnoreRelease() {
  const confirm = useConfirm();
  const update = useAction('updateAlertConfig', { done: 'Release ignored' });
  return async (alertConfigId: number, version: string): Promise<void> => {
    const isSure = await confirm({
      title: `Ignore ${version}?`,
      body: 'This monitor will no longer compare with this release. You can undo this on the monitor page.',
      confirm: 'Ignore release',
    });
    if (!isSure) return;
    const path = { id: alertConfigId };
    try {
      const config = await api.call('getAlertConfig', { path });
      const ignored_versions = [...new Set([...config.ignored_versions, version])];
      update.mutate({ path, body: { ignored_versions }, ...ifMatchOf(config) });
    } catch (error) {
      showError(error);
    }
  };
}
