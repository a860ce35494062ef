import type { Schemas } from '../../../../src/generated/client-api.ts';
import type { ToldChannel, WalkOutcome } from './walk-rules.ts';

type Reason = NonNullable<Schemas['NotificationRuleSimulationResult']['reason']>;

/** Why a rule or a channel is passed over. */
const reasons: Record<Reason, string> = {
  not_matched: "the rule doesn't match",
  stopped_by_earlier_rule: 'an earlier rule stops processing',
  snoozed: 'the alert is snoozed',
  no_channel: 'no default channel is set',
  channel_inactive: 'the channel is disabled',
};

/** What becomes of the alert at a channel. */
export function deliveryInWords({ reason, waitsForDigest }: ToldChannel): string {
  if (reason !== null) return `not notified, ${reasons[reason]}`;
  return waitsForDigest ? 'notified with the next digest' : 'notified immediately';
}

/** Why a rule that matches notifies no channel. */
export function silenceInWords(reason: Reason): string {
  return `notifies no channel: ${reason === 'channel_inactive' ? 'all its channels are disabled' : reasons[reason]}`;
}

/** Why no channel at all is notified. */
export function skippedInWords(skipped: WalkOutcome['skipped']): string {
  switch (skipped) {
    case 'snoozed':
      return 'No channels would be notified: the alert is snoozed.';
    case 'no_channel':
      return 'No channels would be notified: no rule selects one, and no default channel applies.';
    case null:
      return 'No channels would be notified: all of them are disabled.';
  }
}
