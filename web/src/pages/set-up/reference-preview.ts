import { supportSentences } from '../../../../src/domain/explanations/support-sentences.ts';
import { vulnerabilitySentences } from '../../../../src/domain/explanations/vulnerability-sentences.ts';
import { ruleTypes } from '../../../../src/domain/rules/rule-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { reasonSentences } from '../../components/state-labels.ts';
import type { RulePreview } from './rule-preview.ts';

/** Returns the result of a rule that evaluates reference data, with the facts behind it. */
export function toReferencePreview(
  { state, state_reason, severity, explanation }: Schemas['PreviewRuleResponse'],
  { source }: Pick<Schemas['PreviewRuleRequest'], 'source'>,
  nowMs: number,
): RulePreview {
  if (state === 'no_data') {
    if (source !== undefined && isKnownByRun(explanation, source))
      return { severity: null, text: 'Known after the first run' };
    return {
      severity: null,
      text: state_reason === null ? 'No data yet' : `No data. ${reasonSentences(state_reason)}`,
    };
  }
  const facts = [
    ...(explanation.lifecycle ? supportSentences(explanation.lifecycle, nowMs) : []),
    ...(explanation.vulnerabilities ? vulnerabilitySentences(explanation.vulnerabilities, nowMs) : []),
  ].join(' ');
  return { severity, text: severity === null ? `No alert. ${facts}` : `Would alert: ${severity}. ${facts}` };
}

/**
 * True if the first run provides the missing data. A run reads the application versions of charts, and
 * vulnerabilities are fetched only for tracked packages.
 */
function isKnownByRun(
  { rule, lifecycle }: Schemas['EvaluationExplanation'],
  { source_type }: Schemas['PreviewGatherSourceRequest'],
): boolean {
  return (
    ruleTypes[rule.rule_type].kind === 'vulnerabilities' ||
    (source_type === 'helm_repository' && lifecycle !== null)
  );
}
