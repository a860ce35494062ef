import type { Schemas } from '../../../../src/generated/client-api.ts';

type Rule = Pick<Schemas['NotificationRule'], 'id' | 'name' | 'stop_processing'>;
type Result = Schemas['NotificationRuleSimulationResult'];

export type RuleOutcome =
  /** `reason`: why none of its channels is notified. */
  | { kind: 'matched'; reason: Result['reason']; stops: boolean }
  | { kind: 'missed'; mismatches: Result['mismatches'] }
  /** An earlier rule matched and ended the evaluation. */
  | { kind: 'not_asked'; stoppedBy: string };

export interface NotifiedChannel {
  id: number;
  name: string;
  /** Why it isn't notified; null when it is. */
  reason: Schemas['SimulatedChannel']['reason'];
  /** Why it is notified only as a fallback. */
  fallbackReason: Schemas['FallbackReason'];
  waitsForDigest: boolean;
  /** When the sending hours begin that it would wait for. */
  waitsUntil: string | null;
  /** The rules that chose it; empty: the fallback. */
  via: string[];
}

export interface EvaluationOutcome {
  outcomes: Map<number, RuleOutcome>;
  notified: NotifiedChannel[];
  /** Why no channel is notified. */
  skipped: Result['event']['skipped_reason'];
}

/** What the server says of each rule and of the event, with the names of the rules. */
export function evaluateRules(
  rules: readonly Rule[],
  results: ReadonlyMap<number, Result>,
  /** Without rules, there is nothing to simulate. Returns the default channel or why it isn't used. */
  fallback: NotifiedChannel | 'no_channel' | 'fallback_off',
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
