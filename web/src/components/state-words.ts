import type { Schemas } from '../../../src/generated/client-api.ts';
import type { MarkTone } from '../ui/mark.tsx';

type State = Schemas['AlertConfigState'];
type Reason = Schemas['StateReason'];

/** The states of an alert configuration in words. */
export const stateWords: Record<State, { label: string; tone: MarkTone; about: string }> = {
  ok: { label: 'In order', tone: 'ok', about: 'What runs is within the thresholds of the rule.' },
  alerting: { label: 'Behind', tone: 'high', about: 'What runs is further behind than the rule allows.' },
  no_data: { label: 'No data', tone: 'muted', about: 'There is nothing to compare yet.' },
  stale: {
    label: 'Stale',
    tone: 'moderate',
    about: 'A source has not been read for too long; what is shown may be old.',
  },
  inactive: { label: 'Off', tone: 'muted', about: 'The configuration or its rule is turned off.' },
};

export const stateOptions = (Object.keys(stateWords) as State[]).map((value) => ({
  value,
  label: stateWords[value].label,
}));

/** Why a configuration is in its state: in two or three words for lists, in a sentence, and what helps. */
export const reasonWords: Record<Reason, { short: string; about: string; remedy: string }> = {
  ahead_of_upstream: {
    short: 'ahead of upstream',
    about: 'The deployed version is above every known release.',
    remedy: 'Check that the gather job follows the right artifact: a chart is not its application.',
  },
  resolved_by_hand: {
    short: 'resolved by hand',
    about: 'Somebody resolved the alert while the deployed version stayed behind.',
    remedy: 'It speaks again when the version changes or the severity rises.',
  },
  snoozed: {
    short: 'snoozed',
    about: 'The alert is snoozed: it is open, but nobody is notified.',
    remedy: 'End the snooze to hear of it again.',
  },
  no_release: {
    short: 'no releases yet',
    about: 'The gather job has found no releases yet.',
    remedy: 'Wait for its first run, or look at its last error.',
  },
  no_version: {
    short: 'no version yet',
    about: 'No deployed version is known yet.',
    remedy: 'Wait for the first run of the scrape job, or set a version.',
  },
  no_candidate: {
    short: 'no release left to compare',
    about: 'No release is left after the filters of the rule and the configuration.',
    remedy: 'Compare pre-releases too, or loosen the pattern and the ignored versions.',
  },
  not_comparable: {
    short: 'not comparable',
    about: 'The deployed version cannot be compared with the releases by this type of rule.',
    remedy: 'Use a rule that counts days, or give the gather job a version pattern.',
  },
  version_not_found: {
    short: 'unknown upstream',
    about: 'The deployed version is unknown upstream.',
    remedy: 'Check that both jobs follow the same artifact.',
  },
  version_unparseable: {
    short: 'not a version',
    about: 'What is deployed is not a version that can be compared.',
    remedy: 'Deploy a version rather than a branch or a digest.',
  },
  source_failing: {
    short: 'source fails',
    about: 'The source of releases or versions has not been read for too long.',
    remedy: 'Look at the last error of its job.',
  },
};
