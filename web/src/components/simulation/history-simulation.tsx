import { Loader, Text } from '@mantine/core';
import { describeGaps, describeSimulation } from '../../../../src/domain/replay/simulation-text.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { describeError } from '../../api/describe-error.ts';
import { countOf, formatCount } from '../../ui/format.ts';
import { DayStrip } from './day-strip.tsx';
import classes from './history-simulation.module.css';
import { SimulatedAlerts } from './simulated-alerts.tsx';
import { type SimulationSubject, useHistorySimulation } from './use-history-simulation.ts';

const days = 180;
const monitor = { one: 'monitor', many: 'monitors' };

/**
 * Simulation of a rule or monitor with the current values of a form.
 * @param simulated Null while the form is incomplete.
 */
export function HistorySimulation({ simulated }: { simulated: SimulationSubject | null }) {
  const { result, error, isPending } = useHistorySimulation(simulated);
  if (simulated === null || (!result && error === null)) return null;
  // Without monitors, a rule can't open alerts, so hide the simulation.
  if (result?.configs === 0) return null;
  return (
    <section className={classes.panel} aria-label="Simulation" data-behind={isPending || undefined}>
      <div className={classes.sentence} role="status">
        <Text size="sm">{sentenceOf(result, error)}</Text>
        {isPending && <Loader size={14} aria-label="Simulating" />}
      </div>
      {result && error === null && <Details result={result} />}
    </section>
  );
}

function sentenceOf(result: Schemas['SimulationResult'] | undefined, error: Error | null): string {
  if (error !== null) return `Can't simulate this against past data. ${describeError(error).detail}`;
  return result ? describeSimulation(result, days, monitor) : '';
}

function Details({ result }: { result: Schemas['SimulationResult'] }) {
  const { by_day, items, total, messages } = result;
  const sent = messages.reduce((sum, { count }) => sum + count, 0);
  const gaps = describeGaps(result, monitor).join(' ');
  if (result.evaluated === 0) {
    return (
      <Text size="xs" c="var(--text-muted)">
        {gaps}
      </Text>
    );
  }
  const byChannel = messages.map(({ name, count }) => `${formatCount(count)} to ${name}`).join(', ');
  return (
    <>
      <DayStrip days={by_day} />
      <Text size="sm">
        {sent === 0 ? 'No messages would have been sent.' : `${countOf(sent, 'message')}: ${byChannel}.`}
      </Text>
      <SimulatedAlerts alerts={items} total={total} />
      <Text size="xs" c="var(--text-muted)">
        Calculated from stored releases and deployed versions. Acknowledgments, snoozes, and manual
        resolutions aren't included. {gaps}
      </Text>
    </>
  );
}
