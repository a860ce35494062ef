import { Text } from '@mantine/core';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { deliveryRemedy } from '../../components/delivery-labels.ts';
import { JsonText } from '../../components/json-text.tsx';
import { Mark } from '../../ui/mark.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './delivery-attempts.module.css';

/** Lists the attempts of a delivery, newest first, with the time, the response, and its meaning. */
export function DeliveryAttempts({ attempts }: { attempts: readonly Schemas['DeliveryAttempt'][] }) {
  if (attempts.length === 0)
    return (
      <Text size="sm" c="var(--text-muted)">
        No attempts yet
      </Text>
    );
  const firstNumber = attempts[0]?.number ?? 1;
  return (
    <>
      <ol className={classes.attempts}>
        {attempts
          .toReversed()
          .map(({ number, started_at, duration_ms, response_status, response_body, error }) => (
            <li key={number} className={classes.attempt}>
              <div className={classes.head}>
                <Text span size="sm" fw={600}>
                  Attempt {number}
                </Text>
                {error === null ? <Mark tone="ok">Delivered</Mark> : <Mark tone="critical">Failed</Mark>}
                <Text span size="sm">
                  {response_status === null ? 'no response' : `status ${response_status}`}
                </Text>
                <Text span size="sm">
                  {duration_ms.toLocaleString('en')} ms
                </Text>
                <Text span size="sm" c="var(--text-muted)">
                  <RelativeTime at={started_at} />
                </Text>
              </div>
              {error !== null && (
                <Text size="sm">
                  {error.message}{' '}
                  <Text span inherit c="var(--text-muted)">
                    {deliveryRemedy(error.code)}
                  </Text>
                </Text>
              )}
              {response_body !== null && response_body !== '' && (
                <details>
                  <summary>Response</summary>
                  <JsonText text={response_body} label={`Response to attempt ${number}`} maxHeight={240} />
                </details>
              )}
            </li>
          ))}
      </ol>
      {firstNumber > 1 && (
        <Text size="sm" c="var(--text-muted)">
          Attempts before attempt {firstNumber} aren't shown.
        </Text>
      )}
    </>
  );
}
