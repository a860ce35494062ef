import type { Schemas } from '../../../../src/generated/client-api.ts';

type Rule = Pick<Schemas['NotificationRule'], 'id' | 'name' | 'stop_processing'>;
type Result = Schemas['NotificationRuleSimulationResult'];

export type RuleOutcome =
  | { kind: 'matched'; channels: Result['channels']; stops: boolean }
  | { kind: 'missed'; mismatches: Result['mismatches'] }
  /** A rule before it matched and ended the walk. */
  | { kind: 'not_asked'; stoppedBy: string };

export interface ToldChannel {
  id: number;
  name: string;
  isActive: boolean;
  /** The rules that chose it; empty: the fallback. */
  via: string[];
}

/**
 * What all rules together do with an event, from what each says alone: the walk in their order, which a rule may end,
 * and the default channel when none matched.
 */
export function walkRules(
  rules: readonly Rule[],
  results: ReadonlyMap<number, Result>,
  fallback: { id: number; name: string; isActive: boolean } | null,
): { outcomes: Map<number, RuleOutcome>; told: ToldChannel[] } {
  const outcomes = new Map<number, RuleOutcome>();
  const told = new Map<number, ToldChannel>();
  let stoppedBy: string | null = null;
  let hasMatch = false;
  for (const rule of rules) {
    const result = results.get(rule.id);
    if (!result) continue;
    if (stoppedBy !== null) {
      outcomes.set(rule.id, { kind: 'not_asked', stoppedBy });
      continue;
    }
    if (!result.matched) {
      outcomes.set(rule.id, { kind: 'missed', mismatches: result.mismatches });
      continue;
    }
    hasMatch = true;
    outcomes.set(rule.id, { kind: 'matched', channels: result.channels, stops: rule.stop_processing });
    for (const { id, name, reason } of result.channels) {
      const channel = told.get(id) ?? { id, name, isActive: reason !== 'channel_inactive', via: [] };
      channel.via.push(rule.name);
      told.set(id, channel);
    }
    if (rule.stop_processing) stoppedBy = rule.name;
  }
  if (!hasMatch && fallback) told.set(fallback.id, { ...fallback, via: [] });
  return { outcomes, told: [...told.values()] };
}
