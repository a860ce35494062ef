import type { ConfigState, ConfigStateReason } from '../alerts/config-evaluation.ts';
import { describeStateReason, stateReasons } from '../alerts/state-reasons.ts';
import {
  type DescribedExplanation,
  explainInSentences,
  jumpSentence,
  unconfirmedSentence,
} from './explanation-sentences.ts';

/** Explanation of an alert configuration as returned by the API. */
interface Explained {
  readonly deployed_unconfirmed: Parameters<typeof unconfirmedSentence>[0] | null;
  readonly explanation: DescribedExplanation | null;
}

interface DescribedState {
  readonly state: ConfigState;
  readonly state_reason: ConfigStateReason | null;
}

/**
 * Explains the state of an alert configuration in sentences with the terms of the API. The sentences contain
 * the reason if the state isn't the result of a comparison, doubts about the versions, and the comparison.
 *
 * @param nowMs The time until which days are counted.
 */
export function stateSentences(
  { state, state_reason }: DescribedState,
  { explanation, deployed_unconfirmed: unconfirmed }: Explained,
  nowMs: number,
): string[] {
  const sentences = state === 'inactive' ? ['The alert configuration or its rule is disabled.'] : [];
  // If there's no alert, the verdict sentence already includes the reason.
  const isIncluded = explanation?.state_reason === state_reason && explanation.state !== 'alerting';
  // The sentence about the deployed version already contains the reason, but not the remedy.
  const isRemedyMissing = isAboutDeployed(state_reason) && explanation?.reason === state_reason;
  if (state_reason !== null && !isIncluded && !isRemedyMissing)
    sentences.push(describeStateReason(state_reason, 'api'));
  if (explanation === null)
    return state === 'inactive'
      ? sentences
      : [...sentences, 'Not evaluated yet: the first evaluation is pending.'];
  const jump = jumpSentence(explanation);
  return [
    ...sentences,
    ...(jump === null ? [] : [jump]),
    ...(unconfirmed === null ? [] : [unconfirmedSentence(unconfirmed)]),
    ...explainInSentences(explanation, nowMs, 'api'),
    ...(isRemedyMissing && state_reason !== null ? [stateReasons[state_reason].remedy] : []),
  ];
}

function isAboutDeployed(reason: ConfigStateReason | null): boolean {
  return reason === 'version_not_found' || reason === 'version_unparseable';
}
