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
    validation_failed: [400, 'The request is invalid.', 'Fix the fields listed in `errors`.'],
    unauthenticated: [
      401,
      'Authentication failed.',
      'Send a valid API key in X-API-Key or an access token in Authorization.',
    ],
    login_required: [
      401,
      'This action requires a user login.',
      "Log in; API keys can't perform this action.",
    ],
    forbidden: [
      403,
      "You don't have permission to do this.",
      'Ask an organization administrator for a higher role.',
    ],
    not_found: [
      404,
      'Not found.',
      'Check the ID. The resource may be deleted or belong to another organization.',
    ],
    method_not_allowed: [405, 'Method not allowed.', 'Use a method listed in the Allow header.'],
    conflict: [
      409,
      "The resource's current state doesn't allow this.",
      'Fetch the resource again and retry.',
    ],
    in_use: [409, 'The resource is in use.', 'Delete the resources that use it first, or add ?cascade=true.'],
    precondition_failed: [
      412,
      'The resource changed after you read it.',
      'Fetch it again, then repeat your change with the new ETag in If-Match.',
    ],
    payload_too_large: [413, 'The request body is too large.', 'Stay under the limit given in `detail`.'],
    unsupported_media_type: [415, 'The request body must be JSON.', 'Send Content-Type: application/json.'],
    rate_limited: [429, 'Too many requests.', 'Wait for the number of seconds in Retry-After, then retry.'],
    internal: [500, 'Internal server error.', 'Try again. If it keeps failing, report the request ID.'],
    unavailable: [503, 'The service is temporarily unavailable.', 'Try again shortly.'],
  },
  run: {
    not_found: [false, "The source wasn't found.", 'Check the name. Private sources need a credential.'],
    unauthorized: [
      false,
      'The source rejected the credential.',
      'Check that the credential is valid and has read access.',
    ],
    rate_limited: [
      true,
      "The source's rate limit was reached.",
      'The run retries when the limit resets. Add a credential to raise the limit.',
    ],
    timeout: [
      true,
      "The source didn't respond in time.",
      'The run retries automatically. Check that the agent can reach the source.',
    ],
    unreachable: [true, "Couldn't reach the source.", "Check the host name and the agent's network access."],
    upstream_error: [
      true,
      'The source returned an error.',
      "The run retries automatically. Check the source's status page.",
    ],
    invalid_index: [
      false,
      'The source returned an unexpected format.',
      'Check that the URL matches the source type.',
    ],
    too_large: [false, 'The response exceeds the size limit.', 'Narrow what the job reads.'],
    target_not_allowed: [
      false,
      "The address isn't allowed.",
      'An operator can allow private ranges with PACEKEEPER_EGRESS_ALLOW.',
    ],
    credential_missing: [
      false,
      'No agent has this credential.',
      "Add the credential to an agent's configuration.",
    ],
    credential_not_for_host: [
      false,
      "The credential isn't valid for this host.",
      "Add the host to the credential in the agent's configuration.",
    ],
    file_not_found: [false, "The file doesn't exist in the repository.", 'Check target_file and ref.'],
    ref_not_found: [false, "The branch, tag, or commit doesn't exist in the repository.", 'Check ref.'],
    file_refused: [false, "The file can't be read.", 'Use a regular file inside the repository.'],
    parse_failed: [false, 'No version found in the file.', 'Test parse_expression with the preview.'],
    agent_lost: [
      true,
      'The agent stopped responding.',
      "The run retries automatically. Check the agent's log.",
    ],
    internal: [true, 'The run failed because of an internal error.', "Check the agent's log."],
  },
  delivery: {
    http_status: ['The receiver returned an error status.', 'Check the response in the attempt details.'],
    redirect: [
      "The receiver returned a redirect. Pacekeeper doesn't follow redirects for webhooks.",
      'Use the final URL.',
    ],
    gone: [
      'The receiver returned 410 Gone, so the channel was disabled.',
      'Update the URL and enable the channel again.',
    ],
    timeout: ["The receiver didn't respond in time.", 'Respond first, then process the message.'],
    connection_failed: [
      "Couldn't connect to the receiver.",
      "Check that it's running and accepting connections.",
    ],
    name_not_found: ["Couldn't resolve the receiver's host name.", 'Check the host name.'],
    tls_failed: ['The TLS connection failed.', "Check the receiver's certificate."],
    invalid_response: ['The receiver returned an invalid HTTP response.', 'Check the host and port.'],
    target_not_allowed: [
      "The address isn't allowed.",
      'An operator can allow private ranges with PACEKEEPER_EGRESS_ALLOW.',
    ],
    expired: ['The delivery ran out of retry time.', 'Retry it when the receiver is healthy.'],
    template_failed: [
      'The template failed, so the default message was sent.',
      'Fix the template. Its preview shows the error.',
    ],
    worker_lost: [
      'The server stopped while sending.',
      'No action needed. Pacekeeper retries with the same webhook-id.',
    ],
    channel_inactive: ['The channel is disabled.', 'Enable the channel, then retry the delivery.'],
    channel_deleted: ['The channel was deleted.', 'Select another channel in the notification rule.'],
    alert_deleted: ['The alert was deleted.', 'No action needed.'],
    no_channel: [
      'No notification rule matched and no default channel is set.',
      'Set a default channel or add a notification rule.',
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
    snoozed: ['The alert is snoozed.', 'End the snooze to resume notifications.'],
  },
  state: {
    ahead_of_upstream: [
      'The deployed version is newer than every known release.',
      'Check that the gather job tracks the right artifact. A chart and its application have different versions.',
    ],
    variant_ended: [
      'The deployed version is the last of its variant, and the software continues in another one.',
      'Switch to the variant that the explanation names.',
    ],
    resolved_by_hand: [
      'The alert was resolved manually while the deployed version was still behind.',
      'It alerts again when the deployed version changes or the severity increases.',
    ],
    snoozed: ['The alert is snoozed.', 'End the snooze to resume notifications.'],
    no_release: ['The gather job has no releases yet.', 'Wait for its first run, or check its last error.'],
    no_version: ['No deployed version yet.', "Wait for the scrape job's first run, or set a version."],
    no_candidate: [
      'The rule and configuration filters exclude every release.',
      'Relax stable_only, candidate_pattern, or ignored_versions.',
    ],
    not_comparable: [
      "This rule type can't compare the deployed version with the releases.",
      'Use a days_behind rule, or set version_pattern.',
    ],
    version_not_found: [
      "The deployed version doesn't exist upstream.",
      'Check that both jobs track the same artifact.',
    ],
    version_unparseable: [
      "The deployed value isn't a valid version.",
      'Deploy a version tag instead of a branch or digest.',
    ],
    source_failing: [
      "The gather job or scrape job hasn't succeeded for too long.",
      "Check the job's last error.",
    ],
  },
} as const satisfies Record<string, Record<string, readonly [...(number | boolean)[], string, string]>>;

export type HttpErrorCode = keyof typeof errorCatalogue.http;
export type RunErrorCode = keyof typeof errorCatalogue.run;
export type DeliveryErrorCode = keyof typeof errorCatalogue.delivery;
export type StateReason = keyof typeof errorCatalogue.state;
