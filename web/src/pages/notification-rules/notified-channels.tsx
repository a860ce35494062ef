import { List, Text } from '@mantine/core';
import { resourceLink } from '../../components/resource-link.ts';
import { TextLink } from '../../ui/links.tsx';
import { Mark } from '../../ui/mark.tsx';
import type { ToldChannel, WalkOutcome } from './evaluate-rules.ts';
import { deliveryInWords, skippedInWords } from './simulation-words.ts';

/** The answer of a trial: every channel that the alert is routed to, by which rule, and what becomes of it there. */
export function NotifiedChannels({ told, skipped }: Pick<WalkOutcome, 'told' | 'skipped'>) {
  return (
    <div role="status">
      <Text size="sm" fw={600} mt="sm">
        Would notify
      </Text>
      {skipped !== null && (
        <Text size="sm">
          <Mark tone="high">{skippedInWords(skipped)}</Mark>
        </Text>
      )}
      <List size="sm">
        {told.map((channel) => (
          <List.Item key={channel.id}>
            <TextLink {...resourceLink('notification_channel', channel.id)} size="sm">
              {channel.name}
            </TextLink>{' '}
            <Text span inherit c="var(--text-muted)">
              {viaInWords(channel)}: {deliveryInWords(channel)}
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function viaInWords({ via }: ToldChannel): string {
  return via.length === 0 ? '(default channel, no rule matches)' : `(${via.join(', ')})`;
}
