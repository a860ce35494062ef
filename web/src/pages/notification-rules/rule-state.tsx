import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { formatCount } from '../../ui/format.ts';
import { Mark } from '../../ui/mark.tsx';

type Rule = Pick<Schemas['NotificationRule'], 'is_active' | 'inactive_reason' | 'channel_ids'>;

/**
 * Shows whether a rule is enabled, the reason if Pacekeeper disabled it, and whether channels that it sends to are
 * disabled.
 */
export function RuleState({ rule }: { rule: Rule }) {
  const disabled = useDisabledChannels(rule);
  if (rule.is_active)
    return disabled === null ? (
      <Mark tone="ok">Enabled</Mark>
    ) : (
      <Mark tone="moderate">{`Enabled · ${disabled}`}</Mark>
    );
  if (rule.inactive_reason === null) return <Mark tone="muted">Disabled</Mark>;
  return (
    <Mark tone="high" title="Add channels, then enable it.">
      Disabled: channels deleted
    </Mark>
  );
}

/** Describes the disabled channels of a rule, such as "1 of 2 channels disabled". Null if there are none. */
export function useDisabledChannels({ channel_ids }: Pick<Rule, 'channel_ids'>): string | null {
  const { data = [] } = useApi('listNotificationChannelsDropdown');
  const channels = data.filter(({ id, is_default }) =>
    channel_ids === null ? is_default : channel_ids.includes(id),
  );
  const disabled = channels.filter(({ is_active }) => !is_active).length;
  if (disabled === 0) return null;
  if (channels.length === 1) return channel_ids === null ? 'default channel disabled' : 'channel disabled';
  return `${formatCount(disabled)} of ${formatCount(channels.length)} channels disabled`;
}
