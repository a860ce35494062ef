import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  describeMessageCounts,
  describeMessages,
} from '../../../../src/domain/replay/message-simulation-text.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { describeError } from '../../api/describe-error.ts';
import { useApi } from '../../api/use-api.ts';
import classes from './history-simulation.module.css';

const days = 180;
/** Debounce window, so that several key presses start only one simulation. */
const debounceMs = 400;

/**
 * Simulation of the messages that the notification rules would have sent with the current values of a form.
 * @param simulated Null while the form is incomplete.
 */
export function MessageSimulation({
  simulated,
}: {
  simulated: Schemas['SimulateNotificationRulesRequest'] | null;
}) {
  const text = JSON.stringify(simulated);
  const [settledText] = useDebouncedValue(text, debounceMs);
  const settled = JSON.parse(settledText) as typeof simulated;
  const { data, error, isFetching } = useApi(
    'simulateNotificationRules',
    settled === null ? undefined : { body: { ...settled, days } },
    { enabled: settled !== null, keepPrevious: true },
  );
  if (simulated === null || (!data && error === null)) return null;
  // Without monitors, no rule can send messages, so hide the simulation.
  if (data?.configs === 0) return null;
  const sentence =
    error === null
      ? describeMessages(data!, days, 'monitors')
      : `Can't simulate this against past data. ${describeError(error).detail}`;
  return (
    <section
      className={classes.panel}
      aria-label="Simulation"
      data-behind={settledText !== text || isFetching || undefined}
    >
      <Text size="sm" role="status">
        {sentence}
      </Text>
      {data && error === null && (
        <ul>
          {describeMessageCounts(data).map((line) => (
            <li key={line}>
              <Text size="sm">{line}</Text>
            </li>
          ))}
        </ul>
      )}
      <Text size="xs" c="var(--text-muted)">
        Calculated from stored releases and deployed versions with the current rules and monitors. A digest is
        one message; reminders aren't included.
      </Text>
    </section>
  );
}
