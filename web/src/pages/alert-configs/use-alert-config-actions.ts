import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { disablingQuestion } from '../rules/use-toggle-rule.ts';

/** What can be done with an alert configuration. @param leave goes away from its page once it is deleted. */
export function useAlertConfigActions(
  config: Pick<Schemas['AlertConfig'], 'id' | 'name' | 'is_active' | 'active_alert_id'>,
  leave?: () => Promise<unknown>,
) {
  const confirm = useConfirm();
  const toggle = useAction('toggleAlertConfig');
  const remove = useAction('deleteAlertConfig', { done: `"${config.name}" is deleted.`, leave });
  const path = { id: config.id };
  return {
    toggle: async () => {
      const isResolving = config.is_active && config.active_alert_id !== null;
      if (isResolving && !(await confirm(disablingQuestion(config.name, 'alert configuration', 1)))) return;
      toggle.mutate({ path });
    },
    isToggling: toggle.isPending,
    deleteAfterAsking: async () => {
      const open =
        config.active_alert_id === null
          ? ''
          : ' Its open alert is resolved first, and whoever heard of it hears that.';
      const isSure = await confirm({
        title: `Delete "${config.name}"?`,
        body: `This cannot be undone. Its alerts are deleted with it.${open}`,
        confirm: 'Delete',
        danger: true,
      });
      if (isSure) remove.mutate({ path });
    },
  };
}
