import { Stack, Text } from '@mantine/core';

/** Placeholder for an empty list, with its purpose and the next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: React.ReactNode;
  action?: React.ReactNode;
}) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Text fw={600}>{title}</Text>
      {children && (
        <Text size="sm" c="var(--text-muted)" maw={520}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
