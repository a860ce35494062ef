import type { Schemas } from '../../../../src/generated/client-api.ts';
import { Mark } from '../../ui/mark.tsx';

type Rule = Pick<Schemas['NotificationRule'], 'is_active' | 'inactive_reason'>;

/** Whether a rule is asked, and why not when nobody turned it off. */
export function RuleState({ rule: { is_active, inactive_reason } }: { rule: Rule }) {
  if (is_active) return <Mark tone="ok">Active</Mark>;
  if (inactive_reason === null) return <Mark tone="muted">Off</Mark>;
  return (
    <Mark tone="high" title="Give it other channels, then turn it on.">
      Off: its channels were deleted
    </Mark>
  );
}
