import { useDebouncedValue } from '@mantine/hooks';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { describeError } from '../../api/describe-error.ts';
import { useApi } from '../../api/use-api.ts';
import { toReferencePreview } from './reference-preview.ts';
import type { RulePreview } from './rule-preview.ts';

/** Input of a rule preview, or `null` if nothing is entered yet. */
export type PreviewTarget = Pick<
  Schemas['PreviewRuleRequest'],
  'deployed_version' | 'gather_job_id' | 'source'
> | null;

/** Stored rule, or the values of the form. */
type Rule = Pick<Schemas['SimulatedRule'], 'rule_type' | 'thresholds' | 'support_phase'>;

/** Debounce window for previews while typing. */
const debounceMs = 400;

/** True if a rule evaluates reference data, which only the server has. */
export function needsReferenceData({ rule_type }: Pick<Rule, 'rule_type'>): boolean {
  const { kind } = ruleTypes[rule_type];
  return kind === 'support' || kind === 'vulnerabilities';
}

/**
 * Returns the server's result for a rule that evaluates reference data. Returns `null` for other rules, and
 * until the response arrives.
 */
export function useReferencePreview(
  rule: Rule | undefined,
  target: PreviewTarget,
  nowMs: number,
): RulePreview | null {
  const body =
    rule === undefined ||
    target === null ||
    !needsReferenceData(rule) ||
    Object.keys(rule.thresholds).length === 0
      ? null
      : { ...target, rule: toSimulated(rule) };
  const text = JSON.stringify(body);
  const [settledText] = useDebouncedValue(text, debounceMs);
  const settled = JSON.parse(settledText) as typeof body;
  const { data, error } = useApi('previewRule', settled === null ? undefined : { body: settled }, {
    enabled: settled !== null,
  });
  if (body === null || text !== settledText) return null;
  if (error !== null) return { severity: null, text: describeError(error).detail };
  return data === undefined ? null : toReferencePreview(data, body, nowMs);
}

/** Returns only the fields that affect the result, because a stored rule has additional fields. */
function toSimulated({ rule_type, thresholds, support_phase }: Rule): Schemas['SimulatedRule'] {
  return {
    rule_type,
    thresholds,
    stable_only: true,
    support_phase,
    min_release_age_days: 0,
  };
}
