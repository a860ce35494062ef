import { RunError, type RunErrorCode } from '../../platform/errors.ts';
import { outboundRunError } from '../../sources/refused-answer.ts';
import type { GitResult } from './git-process.ts';
import type { ProxyTicket } from './guarded-proxy.ts';

export interface FailedGit {
  result: GitResult;
  ticket: ProxyTicket;
  /** `host` or `host:port`. */
  host: string;
  credentialName: string | null;
  maxBytes: number;
  timeoutMs: number;
}

/**
 * Why git could not read a repository, as a sentence for people. What git says is not handed on: it may hold what the
 * other side wrote.
 */
export function gitFailure(failed: FailedGit): RunError {
  const { result, ticket, host, credentialName } = failed;
  const fail = (code: RunErrorCode, message: string) =>
    new RunError(code, message, { cause: new Error(`git: ${result.stderr.slice(0, 2_000)}`) });
  const refusal = ticket.failure();
  if (refusal) return outboundRunError(refusal);
  if (ticket.isOverLimit()) {
    return fail(
      'too_large',
      `The repository at ${host} sends more than ${megabytes(failed.maxBytes)} MB, which is more than is read.`,
    );
  }
  if (result.end === 'timeout')
    return fail('timeout', `The repository at ${host} was not read within ${failed.timeoutMs / 1_000} s.`);
  if (result.end === 'too_much_output')
    return fail('too_large', `The repository at ${host} lists more refs than are read.`);
  const own = result.stderr.replaceAll(/^remote: .*$/gmu, '');
  const row = reasons.find(([pattern]) => pattern.test(own));
  if (!row) return fail('upstream_error', `The repository at ${host} could not be read. It is tried again.`);
  const [, code, sentence] = row;
  return fail(code, sentence(host, credentialName));
}

type Sentence = (host: string, credentialName: string | null) => string;

/** Both are said for what does not exist and for what may not be seen: hosts tell strangers neither. */
const refused: Sentence = (host, credentialName) =>
  credentialName === null
    ? `${host} does not let anyone read the repository without a credential, or there is no such repository. Check the address; if it is private, name a credential in the job.`
    : `${host} refuses the credential "${credentialName}" for this repository. Check that it is valid and its rights.`;

const missing: Sentence = (host, credentialName) =>
  credentialName === null
    ? `${host} has no such repository that can be seen without a credential. Check the address; if it is private, name a credential in the job.`
    : `${host} has no such repository, or the credential "${credentialName}" may not see it. Check the address and the rights.`;

/** What git and ssh say (with LC_ALL=C), the first that fits. */
const reasons: readonly (readonly [RegExp, RunErrorCode, Sentence])[] = [
  [
    /host key verification failed|no .* host key is known|remote host identification has changed/iu,
    'unauthorized',
    (host, name) =>
      `The key of ${host} is not in the known hosts of the credential "${name}". Check them; nothing was sent to it.`,
  ],
  [
    /invalid format|error in libcrypto|load key/iu,
    'unauthorized',
    (_, name) =>
      `The private key of the credential "${name}" cannot be used. Check that it is whole and has no passphrase.`,
  ],
  [
    /returned error: 401|returned error: 403|authentication failed|could not read (?:username|password)|permission denied/iu,
    'unauthorized',
    refused,
  ],
  [
    /returned error: (?:404|410)|repository .*not found|does not appear to be a git repository|not found|no such file or directory.*repository/iu,
    'not_found',
    missing,
  ],
  [
    /returned error: 429/iu,
    'rate_limited',
    (host) => `${host} limits how often it is asked. It is asked again later.`,
  ],
  [
    /returned error: 5\d\d/iu,
    'upstream_error',
    (host) => `${host} answered with an error. It is tried again.`,
  ],
  [
    /returned error: 3\d\d/iu,
    'invalid_index',
    (host) => `${host} redirects to where it cannot be followed. Use the final address.`,
  ],
  [
    /ssl|certificate|tls/iu,
    'unreachable',
    (host) => `The encrypted connection to ${host} could not be made. Check its certificate.`,
  ],
  [
    /not valid: (?:is this a git repository|could not determine hash)|invalid (?:server response|refspec|pkt-?len)|protocol error|bad line length|expected flush|remote end hung up upon initial contact|expected '|expected \w+,|unexpected/iu,
    'invalid_index',
    (host) => `${host} does not answer as a git repository does. Check the address.`,
  ],
  [
    /out of memory|malloc failed|mmap failed|cannot allocate|too large/iu,
    'too_large',
    (host) => `The repository at ${host} takes more memory than is allowed.`,
  ],
  [
    /no space left on device|disk quota exceeded/iu,
    'internal',
    () => 'The disk of the agent is full. Make room in its data folder.',
  ],
  [
    /could not resolve|failed to connect|couldn't connect|timed out|connection (?:reset|refused|closed)|early eof|unexpected disconnect|rpc failed|hung up|empty reply|operation too slow/iu,
    'unreachable',
    (host) => `The connection to ${host} failed. It is tried again.`,
  ],
  [
    /bad object|invalid .*object|corrupt|inflate|unresolved deltas|did not send all necessary objects|bad pack|index-pack failed|invalid index-pack/iu,
    'invalid_index',
    (host) => `What the repository at ${host} sends is damaged.`,
  ],
];

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
