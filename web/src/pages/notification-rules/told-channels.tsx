import { Anchor, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Mark } from '../../ui/mark.tsx';
import type { ToldChannel } from './walk-rules.ts';

/** The answer of a trial: every channel that would be told, and by which rule. */
export function ToldChannels({ told }: { told: readonly ToldChannel[] }) {
  if (told.length === 0)
    return (
      <Text size="sm" role="status" mt="sm">
        <Mark tone="high">Nobody would be told.</Mark>
      </Text>
    );
  return (
    <div role="status">
      <Text size="sm" fw={600} mt="sm">
        Would be told
      </Text>
      <List size="sm">
        {told.map(({ id, name, isActive, via }) => (
          <List.Item key={id}>
            <Anchor
              component={Link}
              to="/notification-channels/$id"
              params={{ id: String(id) } as never}
              size="sm"
            >
              {name}
            </Anchor>{' '}
            <Text span inherit c="var(--text-muted)">
              {via.length === 0 ? 'as the default channel: no rule matches' : `by ${via.join(', ')}`}
              {!isActive && '; but the channel is off'}
            </Text>
          </List.Item>
        ))}
      </List>
    </div>
  );
}
