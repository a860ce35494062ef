import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { showError, useAction } from '../../api/use-action.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { countOf } from '../../ui/format.ts';

/**
 * Returns a function that enables or disables a rule. Before it disables the rule, it asks for confirmation
 * with the number of open alerts that will be resolved.
 */
export function useToggleRule({ id, name, is_active }: Schemas['MonitoringRule']) {
  const confirm = useConfirm();
  const toggle = useAction('toggleRule');
  const path = { id };
  const isSure = async () => {
    if (!is_active) return true;
    const { total } = await api.call('listAlerts', { query: { rule_id: id, limit: 1 } });
    return total === 0 || confirm(confirmationToDisable(name, 'rule', total));
  };
  return {
    toggle: () => void isSure().then((yes) => yes && toggle.mutate({ path }), showError),
    isToggling: toggle.isPending,
  };
}

/** Returns the confirmation for disabling a rule or monitor, which resolves its open alerts. */
export function confirmationToDisable(name: string, what: 'rule' | 'monitor', openAlerts: number) {
  const alerts = countOf(openAlerts, 'open alert');
  return {
    title: `Disable "${name}"?`,
    body: `This resolves ${alerts} and notifies everyone who received ${openAlerts === 1 ? 'it' : 'them'}. If you enable the ${what} again, new alerts open for software that is still too far behind.`,
    confirm: 'Disable',
    danger: true,
  };
}
