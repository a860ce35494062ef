/**
 * Reasons for a failed run. Each entry contains a flag (true if the run is retried), a description of the problem, and
 * a remedy. Codes are stable.
 */
export const runErrorCodes = {
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
  credential_failed: [
    true,
    'The program that issues the credential failed.',
    "The run retries automatically. Run the program on the agent's machine to see its error.",
  ],
  credential_not_for_host: [
    false,
    "The credential isn't valid for this host.",
    "Add the host to the credential in the agent's configuration.",
  ],
  wrong_cluster: [
    false,
    'The credential is for a different cluster.',
    'Check the credential. For a cluster that replaces another one, create a new discovery job.',
  ],
  wrong_host: [
    false,
    'The socket belongs to a different host.',
    'Check the credential. For a host that replaces another one, create a new discovery job.',
  ],
  file_not_found: [false, "The file doesn't exist in the repository.", 'Check target_file and ref.'],
  ref_not_found: [false, "The branch, tag, or commit doesn't exist in the repository.", 'Check ref.'],
  file_refused: [false, "The file can't be read.", 'Use a regular file inside the repository.'],
  parse_failed: [false, 'No version found.', 'Test the expression with the preview.'],
  outdated: [
    false,
    'The data is older than the stored data.',
    'Check that the mirror is up to date. The stored data is kept.',
  ],
  agent_lost: [
    true,
    'The agent stopped responding.',
    "The run retries automatically. Check the agent's log.",
  ],
  internal: [true, 'The run failed because of an internal error.', "Check the agent's log."],
} as const satisfies Record<string, readonly [boolean, string, string]>;

export type RunErrorCode = keyof typeof runErrorCodes;
