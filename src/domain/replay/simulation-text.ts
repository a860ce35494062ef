/** The parts of a simulation result that the sentences use. Field names match the API. */
export interface SimulatedFigures {
  readonly evaluated: number;
  readonly totals: SimulatedTotals;
  readonly compared_with: { readonly totals: SimulatedTotals } | null;
  readonly left_out: readonly { readonly reason: SimulationLeftOut; readonly count: number }[];
  readonly partly_known: number;
}

interface SimulatedTotals {
  readonly alerts: number;
  readonly things: number;
  readonly open_at_start: number;
  readonly open_at_end: number;
}

export type SimulationLeftOut =
  | 'not_found'
  | 'inactive'
  | 'no_history'
  | 'no_data'
  | 'list_incomplete'
  | 'mirror_only'
  | 'duplicate'
  | 'limit';

/** Name for alert configurations in sentences, such as `monitor` in the UI. */
export interface ResourceNoun {
  readonly one: string;
  readonly many: string;
}

/**
 * Returns sentences such as "In the last 180 days, this would have opened 14 alerts for 9 of 120 monitors
 * (before the change: 31). 3 would be open today."
 */
export function describeSimulation(result: SimulatedFigures, days: number, noun: ResourceNoun): string {
  const { totals, compared_with: before, evaluated } = result;
  if (evaluated === 0) return `No ${noun.one} can be simulated.`;
  const raised =
    totals.alerts === 0
      ? `opened no alerts for ${counted(evaluated, noun)}`
      : `opened ${counted(totals.alerts, alert)} for ${grouped.format(totals.things)} of ${counted(evaluated, noun)}`;
  const compared = before === null ? '' : ` (before the change: ${grouped.format(before.totals.alerts)})`;
  const period = days === 1 ? 'In the last day' : `In the last ${grouped.format(days)} days`;
  const earlier =
    totals.open_at_start === 0
      ? ''
      : ` ${counted(totals.open_at_start, alert)} would already have been open.`;
  return `${period}, this would have ${raised}${compared}.${earlier}${openToday(totals)}`;
}

function openToday({ alerts, open_at_start, open_at_end }: SimulatedTotals): string {
  if (alerts + open_at_start === 0) return '';
  return ` ${open_at_end === 0 ? 'None' : grouped.format(open_at_end)} would be open today.`;
}

/** Returns one sentence for each reason why the result is incomplete. */
export function describeGaps(result: SimulatedFigures, noun: ResourceNoun): string[] {
  const gaps = result.left_out.map(
    ({ reason, count }) => `${counted(count, noun)} excluded: ${gapReasons[reason]}.`,
  );
  if (result.partly_known > 0) {
    const versions = result.partly_known === 1 ? 'The deployed version of' : 'The deployed versions of';
    const verb = result.partly_known === 1 ? 'is' : 'are';
    gaps.push(
      `${versions} ${counted(result.partly_known, noun)} ${verb} known for only part of this period.`,
    );
  }
  return gaps;
}

const gapReasons: Readonly<Record<SimulationLeftOut, string>> = {
  not_found: 'not found',
  inactive: 'disabled',
  no_history: 'no deployed version is known',
  no_data: 'the data for this rule is missing',
  list_incomplete: 'newer releases might be missing from the list',
  mirror_only: 'your mirror might lack newer releases',
  duplicate: 'identical to another one',
  limit: 'there are too many to simulate at once',
};

const alert: ResourceNoun = { one: 'alert', many: 'alerts' };
const grouped = new Intl.NumberFormat('en-US');

function counted(count: number, { one, many }: ResourceNoun): string {
  return `${grouped.format(count)} ${count === 1 ? one : many}`;
}
