import type { Schemas } from '../../../../src/generated/client-api.ts';

type Rule = Pick<Schemas['NotificationRule'], 'id' | 'name' | 'stop_processing'>;
type Result = Schemas['NotificationRuleSimulationResult'];

export type RuleOutcome =
  /** The rule matches. `reason` is `null` if at least one of its channels is notified. */
  | { kind: 'matched'; reason: Result['reason']; stops: boolean }
  | { kind: 'missed'; mismatches: Result['mismatches'] }
  /** An earlier rule matched and ended the evaluation. */
  | { kind: 'not_asked'; stoppedBy: string };

export interface ChannelOutcome {
  id: number;
  name: string;
  /** Reason that the channel isn't notified, or `null` if it is. */
  reason: Schemas['SimulatedChannel']['reason'];
  /** Reason that the channel is notified only as a fallback. */
  fallbackReason: Schemas['FallbackReason'];
  waitsForDigest: boolean;
  /** Time when the next sending hours begin, if the notification waits for them. */
  waitsUntil: string | null;
  /** Names of the rules that selected the channel. Empty for the fallback. */
  via: string[];
}

export interface EvaluationOutcome {
  outcomes: Map<number, RuleOutcome>;
  notified: ChannelOutcome[];
  /** Reason that no channel is notified. */
  skipped: Result['event']['skipped_reason'];
}

/** Combines the simulation results of all rules, with the names of the rules. */
export function evaluateRules(
  rules: readonly Rule[],
  results: ReadonlyMap<number, Result>,
  /** Outcome if there are no rules to simulate: the default channel, or the reason that it isn't used. */
  fallback: ChannelOutcome | 'no_channel' | 'fallback_off',
): EvaluationOutcome {
  const outcomes = new Map<number, RuleOutcome>();
  for (const rule of rules) {
    const result = results.get(rule.id);
    if (result) outcomes.set(rule.id, toOutcome(rule, result));
  }
  const [first] = results.values();
  if (!first) {
    if (typeof fallback === 'string') return { outcomes, notified: [], skipped: fallback };
    return {
      outcomes,
      notified: [fallback],
      skipped: fallback.reason === null ? null : 'all_channels_inactive',
    };
  }
  const notified = first.event.channels.map(
    ({ id, name, reason, fallback_reason, waits_for_digest, waits_until, notification_rule_ids }) => ({
      id,
      name,
      reason,
      fallbackReason: fallback_reason,
      waitsForDigest: waits_for_digest,
      waitsUntil: waits_until,
      via: notification_rule_ids.map(
        (ruleId) => rules.find((rule) => rule.id === ruleId)?.name ?? `${ruleId}`,
      ),
    }),
  );
  return { outcomes, notified, skipped: first.event.skipped_reason };
}

function toOutcome(rule: Rule, { matched, mismatches, reason, stopped_by }: Result): RuleOutcome {
  if (!matched) return { kind: 'missed', mismatches };
  if (stopped_by) return { kind: 'not_asked', stoppedBy: stopped_by.name };
  return { kind: 'matched', reason, stops: rule.stop_processing };
}
