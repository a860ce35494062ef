import type { ConfigStateReason } from './config-evaluation.ts';

/** Text that explains the state of an alert configuration: the reason and the remedy. */
interface StateReasonText {
  /** Short form for lists. */
  short: string;
  message: string;
  remedy: string;
  /** Text for the UI, set only if it uses other terms for a resource or field than the API. */
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
  numbering_ended: {
    short: 'numbering ended',
    message:
      'The deployed version has a number that upstream no longer uses, and its releases continue with other numbers.',
    remedy:
      'Switch to the release that the explanation names, or count the deployed one in counted_versions.',
    page: { remedy: 'Switch to one of those releases, or count the deployed one.' },
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
  lifecycle_only: {
    short: 'only a lifecycle',
    message: 'The gather job has no releases: its source has only a lifecycle.',
    remedy: 'Use an end_of_life rule, or a gather job that lists releases.',
    page: {
      message: 'The upstream source has no releases: it has only a lifecycle.',
      remedy: 'Use an end-of-life rule, or an upstream source that lists releases.',
    },
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
  not_seen_there: {
    short: 'not seen there',
    message:
      "The deployed version has never run in the other environment and can't be compared with the versions that have.",
    remedy: 'Check that both scrape jobs report the same service.',
    page: { remedy: 'Check that both version trackers report the same service.' },
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
  upstream_silent: {
    short: 'upstream silent',
    message: 'Upstream has had no new release for a long time.',
    remedy:
      'Check whether the software is still maintained, or relax the rule if the software no longer needs releases.',
  },
  end_of_life: {
    short: 'end of life',
    message: 'Support for the deployed version ends soon or has ended.',
    remedy: 'Upgrade to a supported release line. If you have bought longer support, set lifecycle_override.',
    page: {
      remedy: 'Upgrade to a supported release line. If you have bought longer support, enter its end.',
    },
  },
  reference_not_loaded: {
    short: 'data not loaded',
    message: "The reference data for this rule isn't loaded.",
    remedy:
      'Wait for the first fetch, or ask the operator: GET /reference-sources shows why it failed. Without internet access, load a file with pacekeeper admin load-reference.',
    page: {
      remedy:
        'An agent fetches it once a day. If it stays missing, ask the operator: Today shows why the fetch failed, and files can be loaded instead.',
    },
  },
  no_lifecycle: {
    short: 'product unknown',
    message: "The lifecycle product or the application version of this software isn't known.",
    remedy:
      'Set lifecycle_product of the gather job. GET /lifecycle-products lists the products. For a chart, the release must name its app_version.',
    page: { remedy: 'Select the lifecycle of the upstream source.' },
  },
  no_support_date: {
    short: 'no date in the data',
    message: 'The lifecycle data contains no end of support for the deployed version.',
    remedy:
      'Check lifecycle_product of the gather job. If you know the date, set lifecycle_override of the alert configuration.',
    page: {
      remedy:
        'Check the lifecycle of the upstream source. If you have bought longer support, enter its end in the monitor.',
    },
  },
  known_vulnerabilities: {
    short: 'vulnerable',
    message: 'The deployed version has known vulnerabilities.',
    remedy:
      "Upgrade to the release that the explanation names. If one doesn't affect you, add it to ignored_vulnerabilities.",
    page: { remedy: "Upgrade to a release without them. If one doesn't affect you, ignore it." },
  },
  fix_available: {
    short: 'fix not deployed',
    message: 'An upgrade that fixes a vulnerability of the deployed version has been available for too long.',
    remedy:
      "Upgrade to the release that the explanation names. If a vulnerability doesn't affect you, add it to ignored_vulnerabilities.",
    page: {
      remedy:
        "Upgrade to a release without known vulnerabilities. If a vulnerability doesn't affect you, ignore it.",
    },
  },
  no_vulnerability_data: {
    short: 'packages unknown',
    message: "The vulnerability packages of this software aren't known or aren't loaded yet.",
    remedy:
      "Set vulnerability_packages of the gather job. For new packages, wait for the daily fetch, or run 'pacekeeper admin load-reference' again.",
    page: {
      remedy:
        'Set the vulnerability packages of the upstream source. New packages are loaded with the next daily fetch.',
    },
  },
  no_vulnerability_records: {
    short: 'no vulnerability records',
    message: 'The vulnerability data contains no records for the packages of this software.',
    remedy:
      'Check vulnerability_packages of the gather job: the software might have another name in the database, or not be in any.',
    page: {
      remedy:
        'Check the vulnerability packages of the upstream source: the software might have another name in the database, or not be in any.',
    },
  },
  release_moved: {
    short: 'release changed',
    message: 'The commit or digest of the deployed release changed after it was published.',
    remedy:
      'Find out who changed it before you deploy it again. Then upgrade to another release, or resolve the alert.',
  },
  release_unchecked: {
    short: 'release not checked',
    message:
      "Pacekeeper can't detect changes to the deployed release, because its commit or digest isn't known.",
    remedy:
      'Use a gather job whose source returns commits or digests, and check that it still lists the deployed version.',
    page: {
      remedy:
        'Use an upstream source that returns commits or digests, and check that it still lists the deployed version.',
    },
  },
  line_unknown: {
    short: 'line unknown',
    message: 'The deployed version is newer than every release line in the lifecycle data.',
    remedy:
      'No action needed: newer data usually includes the release line. Otherwise, check lifecycle_product of the gather job.',
    page: {
      remedy:
        'No action needed: newer data usually includes the release line. Otherwise, check the lifecycle of the upstream source.',
    },
  },
  list_incomplete: {
    short: 'list incomplete',
    message: "The gather job couldn't read the complete list of releases, so a newer one might be missing.",
    remedy: "Check the warnings of the job's last run.",
    page: {
      message:
        "The upstream source couldn't read the complete list of releases, so a newer one might be missing.",
      remedy: 'Check the warnings of its last run.',
    },
  },
  mirror_only: {
    short: 'only a mirror is read',
    message: 'The gather job reads a mirror, which might lack newer releases of the upstream.',
    remedy: 'Compare with a gather job that reads the upstream.',
    page: {
      message: 'The upstream source reads a mirror, which might lack newer releases of the original.',
      remedy: 'Compare with an upstream source that reads the original.',
    },
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

/** Returns the text of a reason with the terms of the UI. */
export function stateReasonForUi(reason: ConfigStateReason): Omit<StateReasonText, 'page'> {
  const { page, ...text } = stateReasons[reason];
  return { ...text, ...page };
}

/** Terms for resources and fields in a sentence. */
export type StateReasonTerms = 'ui' | 'api';

/** Returns sentences that state the reason and the remedy. */
export function describeStateReason(reason: ConfigStateReason, terms: StateReasonTerms): string {
  const { message, remedy } = terms === 'ui' ? stateReasonForUi(reason) : stateReasons[reason];
  return `${message} ${remedy}`;
}
