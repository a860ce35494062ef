import type { ConfigStateReason } from './config-evaluation.ts';

/** Why an alert configuration is in its state: what happened, and what to do. */
interface StateReasonText {
  /** For lists. */
  short: string;
  message: string;
  remedy: string;
  /** The text for the page, if it uses another name for a resource or field. */
  page?: { message?: string; remedy?: string };
}

export const stateReasons: Readonly<Record<ConfigStateReason, StateReasonText>> = {
  ahead_of_upstream: {
    short: 'ahead of upstream',
    message: 'The deployed version is newer than every known release.',
    remedy:
      'Check that the gather job tracks the right artifact. A chart and its application have different versions.',
    page: {
      remedy:
        'Check that the upstream source tracks the right artifact. A chart and its application have different versions.',
    },
  },
  variant_ended: {
    short: 'variant ended',
    message:
      'The deployed version is the last release of its variant, and the software continues in another one.',
    remedy: 'Switch to the variant that the explanation names.',
    page: { remedy: 'Switch to that variant.' },
  },
  resolved_by_hand: {
    short: 'resolved manually',
    message: 'The alert was resolved manually while the deployed version was still behind.',
    remedy: 'A new alert opens when the deployed version changes or the severity increases.',
  },
  snoozed: {
    short: 'snoozed',
    message: 'The alert is snoozed.',
    remedy: 'End the snooze to resume notifications.',
  },
  no_release: {
    short: 'no releases yet',
    message: 'The gather job has no releases yet.',
    remedy: 'Wait for its first run, or check its last error.',
    page: { message: 'The upstream source has no releases yet.' },
  },
  no_version: {
    short: 'no version yet',
    message: 'No deployed version yet.',
    remedy: "Wait for the scrape job's first run, or set a version.",
    page: { remedy: "Wait for the version tracker's first run, or set a version." },
  },
  no_candidate: {
    short: 'no releases to compare',
    message: 'The rule and configuration filters exclude every release.',
    remedy: 'Relax stable_only, candidate_pattern, or ignored_versions.',
    page: {
      message: 'The rule and monitor filters exclude every release.',
      remedy: 'Include pre-releases, or relax the version filter and the ignored versions.',
    },
  },
  not_comparable: {
    short: 'not comparable',
    message: "This rule type can't compare the deployed version with the releases.",
    remedy: 'Use a days_behind rule, or set version_pattern.',
    page: { remedy: 'Use a days-behind rule, or set a version pattern on the upstream source.' },
  },
  version_not_found: {
    short: 'not found upstream',
    message: "The deployed version doesn't exist upstream.",
    remedy: 'Check that both jobs track the same artifact.',
    page: { remedy: 'Check that the version tracker and the upstream source track the same artifact.' },
  },
  version_unparseable: {
    short: 'not a version',
    message: "The deployed value isn't a version Pacekeeper can compare.",
    remedy: 'Deploy a version tag instead of a branch or digest.',
  },
  source_failing: {
    short: 'source failing',
    message: 'The gather job or scrape job has been failing for too long.',
    remedy: "Check the job's last error.",
    page: {
      message: 'The upstream source or version tracker has been failing for too long.',
      remedy: 'Check the last error.',
    },
  },
};

/** The reason in the terms of the page. */
export function stateReasonOnPage(reason: ConfigStateReason): Omit<StateReasonText, 'page'> {
  const { page, ...text } = stateReasons[reason];
  return { ...text, ...page };
}
