import type { Schemas } from '../../../../src/generated/client-api.ts';
import { Mark } from '../../ui/mark.tsx';
import { describeMissingChannels, useChannelsOf } from './channels-of-rule.ts';

type Rule = Pick<Schemas['NotificationRule'], 'is_active' | 'inactive_reason' | 'channel_ids'>;

/**
 * Shows whether a rule is enabled, the reason if Pacekeeper disabled it, and whether channels that it sends to are
 * disabled or missing. Shows nothing for an enabled rule while the channels load.
 */
export function RuleState({ rule }: { rule: Rule }) {
  const channels = useChannelsOf(rule.channel_ids);
  if (rule.is_active) {
    if (channels === undefined) return null;
    const missing = describeMissingChannels(rule.channel_ids, channels);
    return missing === null ? (
      <Mark tone="ok">Enabled</Mark>
    ) : (
      <Mark tone="moderate">{`Enabled · ${missing}`}</Mark>
    );
  }
  if (rule.inactive_reason === null) return <Mark tone="muted">Disabled</Mark>;
  return (
    <Mark tone="high" title="Add channels, then enable it.">
      Disabled: channels deleted
    </Mark>
  );
}
