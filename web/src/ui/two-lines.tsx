import { Text } from '@mantine/core';
import { Breakable } from './breakable.tsx';

/**
 * Table cell with a smaller second line.
 * @param second Content of the second line. The line is omitted if the value is `false` or `null`.
 */
export function TwoLines({ children, second }: { children: React.ReactNode; second: React.ReactNode }) {
  return (
    <>
      <Breakable>{children}</Breakable>
      {second && (
        <Text component="span" display="block" size="xs" c="var(--text-muted)" truncate>
          {second}
        </Text>
      )}
    </>
  );
}
