/** The parts of a simulation result that the sentences use. Field names match the API. */
export interface SimulatedMessageFigures {
  readonly events: number;
  readonly matched: number | null;
  readonly messages: readonly ChannelMessages[];
  readonly compared_with: { readonly messages: readonly ChannelMessages[] } | null;
  readonly is_complete: boolean;
}

interface ChannelMessages {
  readonly channel_id: number;
  readonly name: string;
  readonly count: number;
}

/**
 * Returns sentences such as "In the last 180 days, 38 messages would have been sent (before the change: 30).
 * This rule would have matched 12 of 60 events."
 *
 * @param configs Term for alert configurations in the sentences.
 */
export function describeMessages(
  result: SimulatedMessageFigures,
  days: number,
  configs: 'monitors' | 'alert configurations',
): string {
  const { events, matched, messages, compared_with: before } = result;
  const period = days === 1 ? 'In the last day' : `In the last ${grouped.format(days)} days`;
  const sent = sumOf(messages);
  const sentence = `${period}, ${sent === 0 ? 'no messages' : counted(sent, 'message')} would have been sent`;
  const compared = before === null ? '' : ` (before the change: ${grouped.format(sumOf(before.messages))})`;
  const ofRule =
    matched === null
      ? ''
      : ` This rule would have matched ${grouped.format(matched)} of ${counted(events, 'event')}.`;
  const rest = result.is_complete ? '' : ` There are too many ${configs} to simulate all of them.`;
  return `${sentence}${compared}.${ofRule}${rest}`;
}

/**
 * Returns text such as `Operations: 30 (before: 42)` for each channel that receives messages before or after
 * the change.
 */
export function describeMessageCounts({ messages, compared_with }: SimulatedMessageFigures): string[] {
  const before = new Map(compared_with?.messages.map(({ channel_id, count }) => [channel_id, count]));
  const after = new Set(messages.map(({ channel_id }) => channel_id));
  const gone = compared_with?.messages.filter(({ channel_id }) => !after.has(channel_id)) ?? [];
  return [...messages, ...gone.map((each) => ({ ...each, count: 0 }))].map(({ channel_id, name, count }) => {
    const former = compared_with === null ? '' : ` (before: ${grouped.format(before.get(channel_id) ?? 0)})`;
    return `${name}: ${grouped.format(count)}${former}`;
  });
}

const grouped = new Intl.NumberFormat('en-US');

function counted(count: number, noun: string): string {
  return `${grouped.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function sumOf(messages: readonly ChannelMessages[]): number {
  return messages.reduce((sum, { count }) => sum + count, 0);
}
