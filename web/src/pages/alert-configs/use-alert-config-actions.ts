import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { confirmationToDisable } from '../rules/use-toggle-rule.ts';

/**
 * Returns the actions for an alert configuration.
 * @param leave Navigates away from the page of the configuration after its deletion.
 */
export function useAlertConfigActions(
  config: Pick<Schemas['AlertConfig'], 'id' | 'name' | 'is_active' | 'active_alert_id' | 'managed_by'>,
  leave?: () => Promise<unknown>,
) {
  const confirm = useConfirm();
  const toggle = useAction('toggleAlertConfig');
  const remove = useAction('deleteAlertConfig', { done: `"${config.name}" deleted`, leave });
  const path = { id: config.id };
  return {
    toggle: async () => {
      const isResolving = config.is_active && config.active_alert_id !== null;
      if (isResolving && !(await confirm(confirmationToDisable(config.name, 'monitor', 1)))) return;
      toggle.mutate({ path });
    },
    isToggling: toggle.isPending,
    confirmDelete: async () => {
      const open =
        config.active_alert_id === null ? '' : ' Its open alert will be resolved and its channels notified.';
      const isSure = await confirm({
        title: `Delete "${config.name}"?`,
        body: `This also deletes its alerts.${open} ${
          config.managed_by === null
            ? "This can't be undone."
            : 'The version stays accepted but isn\'t monitored until someone selects "Monitor again" in Discovery.'
        }`,
        confirm: 'Delete',
        danger: true,
      });
      if (isSure) remove.mutate({ path });
    },
  };
}
