import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { deliveryRemedy } from '../../components/delivery-words.ts';
import { JsonText } from '../../components/json-text.tsx';

/** What the target said to a test, and what it was sent. */
export function ChannelTestResult({ result }: { result: Schemas['NotificationChannelTestResult'] }) {
  const { success, status_code, duration_ms, response_body, error, request_body } = result;
  return (
    <Alert
      role="status"
      variant="outline"
      color={success ? 'var(--state-ok)' : 'var(--severity-critical)'}
      icon={success ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={success ? 'The test arrived' : 'The test failed'}
      mb="md"
    >
      <Stack gap="xs">
        <Text size="sm">
          {status_code === null ? 'No answer' : `Answer ${status_code}`} after{' '}
          {duration_ms.toLocaleString('en')} ms.
          {error && ` ${error.message} ${deliveryRemedy(error.code)}`}
        </Text>
        {response_body !== null && response_body !== '' && (
          <div>
            <Text size="xs" c="var(--text-muted)">
              What it answered
            </Text>
            <JsonText text={response_body} label="Answer of the target" maxHeight={160} />
          </div>
        )}
        {request_body === null ? (
          <Text size="xs" c="var(--text-muted)">
            Messages and responses are shown to administrators and owners only.
          </Text>
        ) : (
          <details>
            <summary>What was sent</summary>
            <JsonText text={request_body} label="Body of the test" maxHeight={320} />
          </details>
        )}
      </Stack>
    </Alert>
  );
}
