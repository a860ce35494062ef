/**
 * The codes of responses and runs, with a sentence and what to do. Codes are stable. The contract's enums and the
 * troubleshooting page are generated from this list, `deliveryCodes`, and `stateReasons`.
 *
 * - `http`: the `code` of an ErrorResponse, with its status.
 * - `run`: why a gather, scrape, or helm sync run failed. `retryable` ones are retried.
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
      'Check the ID. The resource may have been deleted, or may belong to another organization.',
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
} as const satisfies Record<string, Record<string, readonly [...(number | boolean)[], string, string]>>;

export type HttpErrorCode = keyof typeof errorCatalogue.http;
export type RunErrorCode = keyof typeof errorCatalogue.run;
