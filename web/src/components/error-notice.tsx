import { Alert, Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { describeError, isOutdated } from '../api/describe-error.ts';
import { useReload } from './edited.tsx';

/**
 * Error message, with the request ID for support if the error is unexpected.
 * @param retry Adds a retry button.
 * @param discard Reloads the form. Required only for a form outside of `EditSession`.
 */
export function ErrorNotice({
  error,
  retry,
  discard,
}: {
  error: unknown;
  retry?: () => void;
  discard?: () => void;
}) {
  const { title, detail, requestId } = describeError(error);
  const reloadForm = useReload();
  const reload: (() => void) | null = discard ?? reloadForm;
  const canReload = reload !== null && isOutdated(error);
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      icon={<IconAlertTriangle aria-hidden />}
      title={title}
      my="sm"
      styles={{ title: { marginBottom: 0 }, body: { gap: 'var(--mantine-spacing-xs)' } }}
    >
      {(detail !== '' || canReload) && (
        <Text size="sm" style={{ whiteSpace: 'pre-line' }}>
          {detail}
          {canReload && ' Reloading discards what you typed, so copy anything that you want to keep.'}
        </Text>
      )}
      {(requestId !== null || retry || canReload) && (
        <Group mt="xs" gap="sm">
          {retry && (
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          )}
          {canReload && (
            <Button size="xs" variant="default" onClick={reload}>
              Reload
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
