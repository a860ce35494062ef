import type { Schemas } from '../../../src/generated/client-api.ts';
import type { MarkTone } from '../ui/mark.tsx';

type State = Schemas['AlertConfigState'];
type Reason = Schemas['StateReason'];

/** The states of an alert configuration in words. */
export const stateWords: Record<State, { label: string; tone: MarkTone; about: string }> = {
  ok: { label: 'OK', tone: 'ok', about: "The deployed version is within the rule's thresholds." },
  alerting: {
    label: 'Alerting',
    tone: 'high',
    about: 'The deployed version is further behind than the rule allows.',
  },
  no_data: { label: 'No data', tone: 'muted', about: 'Not enough data to compare yet.' },
  stale: {
    label: 'Stale',
    tone: 'moderate',
    about: "A source hasn't updated for too long. This data may be out of date.",
  },
  inactive: { label: 'Disabled', tone: 'muted', about: 'The monitor or its rule is disabled.' },
};

export const stateOptions = (Object.keys(stateWords) as State[]).map((value) => ({
  value,
  label: stateWords[value].label,
}));

/** Why a configuration is in its state: in two or three words for lists, in a sentence, and what helps. */
export const reasonWords: Record<Reason, { short: string; about: string; remedy: string }> = {
  ahead_of_upstream: {
    short: 'ahead of upstream',
    about: 'The deployed version is newer than every known release.',
    remedy:
      'Check that the upstream source tracks the right artifact. A chart and its application have different versions.',
  },
  variant_ended: {
    short: 'variant ended',
    about: 'The deployed version is the last of its variant, and the software continues in another one.',
    remedy: 'Switch to that variant.',
  },
  resolved_by_hand: {
    short: 'resolved manually',
    about: 'Someone resolved the alert while the deployed version was still behind.',
    remedy: 'It alerts again when the deployed version changes or the severity goes up.',
  },
  snoozed: {
    short: 'snoozed',
    about: 'The alert is open but snoozed.',
    remedy: 'End the snooze to resume notifications.',
  },
  no_release: {
    short: 'no releases yet',
    about: "The upstream source hasn't found any releases yet.",
    remedy: 'Wait for the first run, or check the last error.',
  },
  no_version: {
    short: 'no version yet',
    about: 'No deployed version yet.',
    remedy: "Wait for the version tracker's first run, or set the version manually.",
  },
  no_candidate: {
    short: 'no releases to compare',
    about: 'The rule and monitor filters exclude every release.',
    remedy: 'Include pre-releases, or relax the version filter and the ignored versions.',
  },
  not_comparable: {
    short: 'not comparable',
    about: "This rule type can't compare the deployed version with the releases.",
    remedy: 'Use a days-behind rule, or set a version pattern on the upstream source.',
  },
  version_not_found: {
    short: 'not found upstream',
    about: "The deployed version doesn't exist upstream.",
    remedy: 'Check that the version tracker and the upstream source track the same artifact.',
  },
  version_unparseable: {
    short: 'not a version',
    about: "The deployed value isn't a version Pacekeeper can compare.",
    remedy: 'Deploy a version tag instead of a branch or digest.',
  },
  source_failing: {
    short: 'source failing',
    about: "The upstream source or version tracker hasn't succeeded for too long.",
    remedy: 'Check the last error.',
  },
};
