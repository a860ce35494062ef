/**
 * Every code that Pacekeeper answers, stores or shows, with its sentence and what to do about it.
 * Codes are stable. The contract's enums and the troubleshooting page are made from this list.
 *
 * - `http`: the `code` of an ErrorResponse, with its status.
 * - `run`: why a gather, scrape or helm sync run failed. `retryable` ones are tried again.
 * - `delivery`: why an attempt, a delivery or a channel ended as it did.
 * - `state`: the `state_reason` of an alert configuration.
 */
export const errorCatalogue = {
  http: {
    validation_failed: [400, 'The request is not valid.', 'Correct the fields that `errors` names.'],
    unauthenticated: [
      401,
      'Credentials are missing or not valid.',
      'Send a valid key in X-API-Key, or a login token in Authorization.',
    ],
    login_required: [401, 'This needs a login.', 'Log in; an API key cannot do this.'],
    forbidden: [403, 'Your role does not allow this.', 'Ask an administrator of the organization.'],
    not_found: [
      404,
      'There is no such thing.',
      'Check the id; it may have been deleted or belong to another organization.',
    ],
    method_not_allowed: [
      405,
      'This method does not exist here.',
      'Use a method that the Allow header names.',
    ],
    conflict: [
      409,
      'The state of the thing does not allow this.',
      'Read it again and act on its present state.',
    ],
    in_use: [409, 'Other things use this.', 'Delete those first, or add ?cascade=true.'],
    precondition_failed: [
      412,
      'It was changed after you read it.',
      'Read it again, and repeat your change with its new ETag in If-Match.',
    ],
    payload_too_large: [413, 'The body is too large.', 'Send at most the size that `detail` names.'],
    unsupported_media_type: [415, 'The body must be JSON.', 'Send Content-Type: application/json.'],
    rate_limited: [429, 'Too many requests.', 'Wait for the seconds that Retry-After names.'],
    internal: [500, 'Something went wrong on our side.', 'Try again; report the request id if it stays.'],
    unavailable: [503, 'The service cannot answer now.', 'Try again in a moment.'],
  },
  run: {
    not_found: [false, 'The source does not exist.', 'Check the name; a private one needs a credential.'],
    unauthorized: [
      false,
      'The source refuses the credential.',
      'Check the credential in the agent’s configuration and its rights.',
    ],
    rate_limited: [
      true,
      'The source limits how often it is asked.',
      'It is asked again when the limit ends; a credential raises it.',
    ],
    timeout: [
      true,
      'The source did not answer in time.',
      'It is tried again; check whether the agent can reach it.',
    ],
    unreachable: [
      true,
      'The source could not be reached.',
      'Check the host name and the network of the agent.',
    ],
    upstream_error: [
      true,
      'The source answered with an error.',
      'It is tried again; look at the status of the source.',
    ],
    invalid_index: [
      false,
      'The source answered with something that cannot be read.',
      'Check that the address is that of the right kind of source.',
    ],
    too_large: [false, 'The answer is larger than allowed.', 'Narrow what is read.'],
    target_not_allowed: [
      false,
      'The address may not be reached.',
      'An operator can allow a private range with PACEKEEPER_EGRESS_ALLOW.',
    ],
    credential_missing: [false, 'No agent has the credential.', 'Add it to the configuration of an agent.'],
    credential_not_for_host: [
      false,
      'The credential is not meant for this host.',
      'Add the host to the credential in the agent’s configuration.',
    ],
    file_not_found: [false, 'The file is not in the repository.', 'Check target_file and ref.'],
    ref_not_found: [false, 'The branch, tag or commit is not in the repository.', 'Check ref.'],
    file_refused: [false, 'The file may not be read.', 'Name a plain file within the repository.'],
    parse_failed: [
      false,
      'The version was not found in the file.',
      'Check parse_expression with the preview.',
    ],
    agent_lost: [true, 'The agent stopped answering.', 'Look at the agent’s log.'],
    internal: [true, 'The run failed by a fault of ours.', 'Look at the log of the agent.'],
  },
  delivery: {
    http_status: [
      'The target answered with a status that is no success.',
      'Look at the answer in the attempt.',
    ],
    redirect: ['The target answered with a redirect, which webhooks never follow.', 'Use the final address.'],
    gone: [
      'The target answered 410: it wants no more.',
      'Correct the address and turn the channel on again.',
    ],
    timeout: ['The target did not answer in time.', 'Answer first and work later.'],
    connection_failed: ['The target could not be reached.', 'Check that it runs and listens.'],
    name_not_found: ['The name of the target could not be resolved.', 'Check the host name.'],
    tls_failed: ['The encrypted connection failed.', 'Check the certificate of the target.'],
    invalid_response: ['The target answered with something that is no HTTP.', 'Check the address and port.'],
    target_not_allowed: [
      'The address may not be reached.',
      'An operator can allow a private range with PACEKEEPER_EGRESS_ALLOW.',
    ],
    expired: [
      'It was not delivered within the time of the schedule.',
      'Retry it when the target is well again.',
    ],
    template_failed: [
      'The template failed; the default body was sent instead.',
      'Correct the template; the preview shows where it fails.',
    ],
    worker_lost: [
      'The server stopped while it sent this.',
      'Nothing: it is sent again with the same webhook-id.',
    ],
    channel_inactive: ['The channel is inactive.', 'Turn it on and retry the delivery.'],
    channel_deleted: ['The channel was deleted.', 'Choose another channel in the notification rule.'],
    alert_deleted: ['The alert was deleted.', 'Nothing.'],
    no_channel: [
      'No notification rule matched and there is no default channel.',
      'Set a default channel or make a notification rule.',
    ],
    fallback_off: [
      "No notification rule matched, and alerts without a matching rule aren't sent to the default channel.",
      'Add a notification rule, or enable the fallback to the default channel.',
    ],
    no_default_channel: [
      'The matching notification rule sends to the default channel, and no default channel is set.',
      'Set a default channel, or select channels in the notification rule.',
    ],
    channels_deleted: [
      'The channels of the matching notification rules were deleted.',
      'Select other channels in the notification rules.',
    ],
    all_channels_inactive: [
      'Every channel that this was routed to is disabled.',
      'Enable a channel, then retry the delivery.',
    ],
    snoozed: ['The alert is snoozed.', 'Unsnooze it to hear of it again.'],
  },
  state: {
    ahead_of_upstream: [
      'The deployed version is above every known release.',
      'Check that the gather job follows the right artifact (a chart is not its application).',
    ],
    variant_ended: [
      'The deployed version is the last of its variant, and the software continues in another one.',
      'Switch to the variant that the explanation names.',
    ],
    resolved_by_hand: [
      'Somebody resolved the alert while the deployed version stayed behind.',
      'It speaks again when the version changes or the severity rises.',
    ],
    snoozed: ['The alert is snoozed.', 'Unsnooze it to hear of it again.'],
    no_release: ['The gather job has no releases yet.', 'Wait for its first run or look at its last error.'],
    no_version: [
      'No deployed version is known yet.',
      'Wait for the first run of the scrape job or set a version.',
    ],
    no_candidate: [
      'No release is left after the filters of the rule and the configuration.',
      'Loosen stable_only, candidate_pattern or ignored_versions.',
    ],
    not_comparable: [
      'The deployed version cannot be compared with the releases.',
      'Use the days rule, or set version_pattern.',
    ],
    version_not_found: [
      'The deployed version is unknown upstream.',
      'Check that both jobs follow the same artifact.',
    ],
    version_unparseable: [
      'The deployed version is not a version.',
      'Deploy a version rather than a branch or a digest.',
    ],
    source_failing: [
      'The source of releases or versions has not succeeded for too long.',
      'Look at the last error of the job.',
    ],
  },
} as const satisfies Record<string, Record<string, readonly [...(number | boolean)[], string, string]>>;

export type HttpErrorCode = keyof typeof errorCatalogue.http;
export type RunErrorCode = keyof typeof errorCatalogue.run;
export type DeliveryErrorCode = keyof typeof errorCatalogue.delivery;
export type StateReason = keyof typeof errorCatalogue.state;
