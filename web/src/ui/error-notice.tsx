import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { describeError } from '../api/describe-error.ts';

/** A failure in words, with the id to name when asking for help. @param retry offers to try again. */
export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const { title, detail, requestId } = describeError(error);
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      my="sm"
    >
      <Text size="sm">{detail}</Text>
      {(requestId !== null || retry) && (
        <Group mt="xs" gap="sm">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          )}
          {requestId !== null && (
            <Text size="xs" c="var(--text-muted)">
              Request <Code>{requestId}</Code>
            </Text>
          )}
        </Group>
      )}
    </Alert>
  );
}
