import type { Schemas } from '../../../../src/generated/client-api.ts';
import { formatWeekdayTime } from '../../ui/format.ts';
import type { ChannelOutcome, EvaluationOutcome } from './evaluate-rules.ts';

type Reason = NonNullable<Schemas['NotificationRuleSimulationResult']['reason']>;

/** Reasons that a rule or a channel is skipped. */
const reasons: Record<Reason, string> = {
  not_matched: "the rule doesn't match",
  stopped_by_earlier_rule: 'an earlier rule stops processing',
  snoozed: 'the alert is snoozed',
  silenced: 'a silence matches the alert',
  no_default_channel: 'no default channel is set',
  no_owner_channel: 'no enabled channel lists the owner, and no other channel is set',
  channels_deleted: 'its channels were deleted',
  channel_inactive: 'the channel is disabled',
};

/** Returns the outcome of an alert for a channel. */
export function formatDelivery({ reason, waitsForDigest, waitsUntil }: ChannelOutcome): string {
  if (reason !== null) return `not notified, ${reasons[reason]}`;
  if (waitsUntil !== null)
    return `notified when its sending hours begin: ${formatWeekdayTime(new Date(waitsUntil))}`;
  return waitsForDigest ? 'notified with the next digest' : 'notified immediately';
}

/** Explains why a matching rule notifies no channel. */
export function formatNoChannelReason(reason: Reason): string {
  return `notifies no channel: ${reason === 'channel_inactive' ? 'all its channels are disabled' : reasons[reason]}`;
}

const skips: Record<NonNullable<EvaluationOutcome['skipped']>, string> = {
  no_channel: 'no rule matches, and no default channel is set',
  fallback_off: "no rule matches, and such alerts aren't sent to the default channel",
  no_default_channel: 'a rule that matches sends to the default channel, and none is set',
  no_owner_channel: "no enabled channel lists the alert's owner, and no other channel is set",
  channels_deleted: 'the channels of the rules that match were deleted',
  all_channels_inactive: 'all of them are disabled',
  snoozed: 'the alert is snoozed',
  silenced: 'a silence matches the alert',
};

type Skipped = NonNullable<EvaluationOutcome['skipped']>;

/** True if the alert itself suspends notifications, for whichever channels. */
export const isPaused = (skipped: Skipped) => skipped === 'snoozed' || skipped === 'silenced';

/** Returns the title of the channels that are notified. The title names the reason if no other explanation follows. */
export function formatNotifiedTitle(skipped: Skipped | null): string {
  if (skipped === null) return 'Would notify';
  return isPaused(skipped) ? `Notifies no one while ${skipped}` : 'Would notify no one';
}

/** Explains why no channel is notified. */
export function formatSkipReason(skipped: NonNullable<EvaluationOutcome['skipped']>): string {
  return `No channels would be notified: ${skips[skipped]}.`;
}
