import { List, Text } from '@mantine/core';
import { resourceLink } from '../../components/resource-link.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import type { ChannelOutcome, EvaluationOutcome } from './evaluate-rules.ts';
import { formatDelivery, formatNotifiedTitle, formatSkipReason, isPaused } from './simulation-labels.ts';

/**
 * Shows the result of a simulation: the channels that the alert is routed to, the rules that selected them,
 * and the outcome for each channel.
 */
export function NotifiedChannels({ notified, skipped }: Pick<EvaluationOutcome, 'notified' | 'skipped'>) {
  return (
    <div role="status">
      <Text size="sm" fw={600} mt="sm">
        {formatNotifiedTitle(skipped)}
      </Text>
      {skipped !== null && !isPaused(skipped) && (
        <Text size="sm">
          <Mark tone="high">
            {/* Let the sentence wrap, because it's longer than the column. */}
            <span style={{ whiteSpace: 'normal' }}>{formatSkipReason(skipped)}</span>
          </Mark>
        </Text>
      )}
      <List size="sm">
        {notified.map((channel) => (
          <List.Item key={channel.id}>
            <TextLink {...resourceLink('notification_channel', channel.id)} size="sm" underline="always">
              {channel.name}
            </TextLink>{' '}
            <Text span inherit c="var(--text-muted)">
              {formatVia(channel)}: {formatDelivery(channel)}
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function formatVia({ via, fallbackReason }: ChannelOutcome): string {
  if (via.length === 0) return '(default channel, no rule matches)';
  return `(${via.join(', ')}${fallbackReason === null ? '' : '; no enabled channel lists the owner'})`;
}
