import type { Schemas } from '../../../../src/generated/client-api.ts';
import { Mark } from '../../ui/mark.tsx';

type Rule = Pick<Schemas['NotificationRule'], 'is_active' | 'inactive_reason'>;

/** Shows whether a rule is enabled, and the reason if Pacekeeper disabled it. */
export function RuleState({ rule: { is_active, inactive_reason } }: { rule: Rule }) {
  if (is_active) return <Mark tone="ok">Enabled</Mark>;
  if (inactive_reason === null) return <Mark tone="muted">Disabled</Mark>;
  return (
    <Mark tone="high" title="Add channels, then enable it.">
      Disabled: channels deleted
    </Mark>
  );
}
