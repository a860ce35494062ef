import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { deliveryRemedy } from '../../components/delivery-labels.ts';
import { JsonText } from '../../components/json-text.tsx';

/** Shows the response to a test message, and the request that was sent. */
export function ChannelTestResult({ result }: { result: Schemas['NotificationChannelTestResult'] }) {
  /** True if the test checked a connection and sent no message. */
  const isCheck = result.detail !== null && result.request_body === null;
  const { success, status_code, duration_ms, response_body, error, request_body, detail } = result;
  return (
    <Alert
      role="status"
      variant="outline"
      color={success ? 'var(--state-ok)' : 'var(--severity-critical)'}
      icon={success ? <IconCheck aria-hidden /> : <IconAlertTriangle aria-hidden />}
      title={success ? (isCheck ? 'Connection works' : 'Test delivered') : 'Test failed'}
      mb="md"
    >
      <Stack gap="xs">
        <Text size="sm">
          {status_code === null ? 'No response' : `Status ${status_code}`} after{' '}
          {duration_ms.toLocaleString('en')} ms.
          {error && ` ${error.message} ${deliveryRemedy(error.code)}`}
          {detail !== null && ` ${detail}`}
        </Text>
        {response_body !== null && response_body !== '' && (
          <div>
            <Text size="xs" c="var(--text-muted)">
              Response
            </Text>
            <JsonText text={response_body} label="Response body" maxHeight={160} />
          </div>
        )}
        {isCheck ? null : request_body === null ? (
          <Text size="xs" c="var(--text-muted)">
            Messages and responses are shown to administrators and owners only.
          </Text>
        ) : (
          <details>
            <summary>Request</summary>
            <JsonText text={request_body} label="Request body" maxHeight={320} />
          </details>
        )}
      </Stack>
    </Alert>
  );
}
