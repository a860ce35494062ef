/**
 * The codes of error responses: status, what happened, and what to do. Codes are stable. The contract's enum and the
 * troubleshooting page are generated from this list.
 */
export const httpErrorCodes = {
  validation_failed: [400, 'The request is invalid.', 'Fix the fields listed in `errors`.'],
  unauthenticated: [
    401,
    'Authentication failed.',
    'Send a valid API key in X-API-Key or an access token in Authorization.',
  ],
  login_required: [401, 'This action requires a user login.', "Log in; API keys can't perform this action."],
  forbidden: [
    403,
    "You don't have permission to do this.",
    'Ask an organization administrator for a higher role.',
  ],
  two_factor_required: [
    403,
    "Your organization requires two-factor authentication, and you haven't set it up.",
    'Log in to the web UI and set it up, then retry.',
  ],
  not_found: [
    404,
    'Not found.',
    'Check the ID. The resource may have been deleted, or may belong to another organization.',
  ],
  method_not_allowed: [405, 'Method not allowed.', 'Use a method listed in the Allow header.'],
  conflict: [409, "The resource's current state doesn't allow this.", 'Fetch the resource again and retry.'],
  in_use: [409, 'The resource is in use.', 'Delete the resources that use it first, or add ?cascade=true.'],
  request_in_progress: [
    409,
    'A request with this Idempotency-Key is in progress.',
    'Wait for the number of seconds in Retry-After, then repeat the request.',
  ],
  already_completed: [
    409,
    "The request with this Idempotency-Key was completed before, and its response can't be returned again.",
    'Look up the resource by `resource_id`, or send a new Idempotency-Key to run the request again.',
  ],
  lease_lost: [409, 'The task lease was lost.', 'Stop working on the task.'],
  precondition_failed: [
    412,
    'The resource changed after you read it.',
    'Fetch it again, then repeat your change with the new ETag in If-Match.',
  ],
  payload_too_large: [413, 'The request body is too large.', 'Stay under the limit given in `detail`.'],
  unsupported_media_type: [415, 'The request body must be JSON.', 'Send Content-Type: application/json.'],
  idempotency_key_reused: [
    422,
    'The Idempotency-Key was used for a different request.',
    'Send a new key with each new request, and the same key only with an identical repeat.',
  ],
  rate_limited: [429, 'Too many requests.', 'Wait for the number of seconds in Retry-After, then retry.'],
  internal: [500, 'Internal server error.', 'Try again. If it keeps failing, report the request ID.'],
  unavailable: [503, 'The service is temporarily unavailable.', 'Try again shortly.'],
} as const satisfies Record<string, readonly [number, string, string]>;

export type HttpErrorCode = keyof typeof httpErrorCodes;
