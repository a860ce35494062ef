import { Text } from '@mantine/core';

/** A cell of a list with something smaller beneath. @param second false or null: nothing. */
export function TwoLines({ children, second }: { children: React.ReactNode; second: React.ReactNode }) {
  return (
    <>
      {children}
      {second && (
        <Text component="span" display="block" size="xs" c="var(--text-muted)" truncate>
          {second}
        </Text>
      )}
    </>
  );
}
