import { Text } from '@mantine/core';
import { Breakable } from './breakable.tsx';

/**
 * Table cell with a smaller text below, which wraps like the other cells of its row.
 * @param second The text below. It's omitted if the value is `false` or `null`.
 */
export function TwoLines({ children, second }: { children: React.ReactNode; second: React.ReactNode }) {
  return (
    <>
      <Breakable>{children}</Breakable>
      {second && (
        <Text component="span" size="xs" c="var(--text-muted)" lineClamp={3}>
          <Breakable>{second}</Breakable>
        </Text>
      )}
    </>
  );
}
