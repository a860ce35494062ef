import { RunError } from '../../domain/runs/run-error.ts';
import type { RunErrorCode } from '../../domain/runs/run-error-codes.ts';
import { outboundRunError } from '../../sources/unexpected-response.ts';
import type { GitResult } from './git-process.ts';
import type { ProxyTicket } from './guarded-proxy.ts';

export interface FailedGit {
  result: GitResult;
  ticket: ProxyTicket;
  /** Host in the form `host` or `host:port`. */
  host: string;
  credentialName: string | null;
  maxBytes: number;
  timeoutMs: number;
}

/**
 * Returns the error that explains to users why git couldn't read a repository. Git's output isn't shown to
 * users, because the remote server can put any text into it.
 */
export function gitFailure(failed: FailedGit): RunError {
  const { result, ticket, host, credentialName } = failed;
  const fail = (code: RunErrorCode, message: string) =>
    new RunError(code, message, { cause: new Error(`git: ${result.stderr.slice(0, 2_000)}`) });
  const refusal = ticket.failure();
  if (refusal) return outboundRunError(refusal);
  if (ticket.isOverLimit()) {
    return fail('too_large', `The repository at ${host} exceeds the ${megabytes(failed.maxBytes)} MB limit.`);
  }
  if (result.end === 'timeout')
    return fail(
      'timeout',
      `Reading the repository at ${host} timed out after ${failed.timeoutMs / 1_000} s.`,
    );
  if (result.end === 'too_much_output')
    return fail('too_large', `The repository at ${host} has too many refs.`);
  // The names of hosts and repositories can contain any word that identifies a reason, so they are removed
  // first.
  const gitOutput = result.stderr
    .replaceAll(/^remote: .*$/gmu, '')
    .replaceAll(/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/[^\s']*/giu, '')
    .replaceAll(host, '');
  const row = reasons.find(([pattern]) => pattern.test(gitOutput));
  if (!row)
    return fail('upstream_error', `Couldn't read the repository at ${host}. The run will be retried.`);
  const [, code, sentence] = row;
  return fail(code, sentence(host, credentialName));
}

type Sentence = (host: string, credentialName: string | null) => string;

/**
 * Messages for a rejected credential and a missing repository. Each message also mentions the other cause,
 * because hosts don't reveal whether a private repository exists.
 */
const credentialRejected: Sentence = (host, credentialName) =>
  credentialName === null
    ? `${host} requires a credential, or the repository doesn't exist. Check the URL; for a private repository, add a credential to the job.`
    : `${host} rejected credential "${credentialName}". Check that it's valid and can read this repository.`;

const missing: Sentence = (host, credentialName) =>
  credentialName === null
    ? `Repository not found on ${host}. Check the URL; for a private repository, add a credential to the job.`
    : `Repository not found on ${host}, or credential "${credentialName}" can't access it. Check the URL and permissions.`;

/** Output of git and ssh (with LC_ALL=C) and its meaning. The first match applies. */
const reasons: readonly (readonly [RegExp, RunErrorCode, Sentence])[] = [
  [
    /host key verification failed|no \S+ host key is known|remote host identification has changed/iu,
    'unauthorized',
    (host, name) =>
      `The host key of ${host} isn't in known_hosts of credential "${name}". The credential wasn't sent.`,
  ],
  [
    /invalid format|error in libcrypto|load key/iu,
    'unauthorized',
    (_, name) =>
      `The private key of credential "${name}" is unusable. Check that it's complete and has no passphrase.`,
  ],
  [
    /returned error: 401|returned error: 403|authentication failed|could not read (?:username|password)|permission denied/iu,
    'unauthorized',
    credentialRejected,
  ],
  [
    /returned error: (?:404|410)|does not appear to be a git repository|not found|no such file or directory.{0,300}repository/iu,
    'not_found',
    missing,
  ],
  [
    /returned error: 429/iu,
    'rate_limited',
    (host) => `${host} is rate limiting requests. The run will be retried later.`,
  ],
  [
    /returned error: 5\d\d/iu,
    'upstream_error',
    (host) => `${host} returned an error. The run will be retried.`,
  ],
  [
    /returned error: 3\d\d/iu,
    'invalid_index',
    (host) => `${host} redirects to an address that isn't allowed. Use the final URL.`,
  ],
  [
    /ssl|certificate|tls/iu,
    'unreachable',
    (host) => `TLS connection to ${host} failed. Check its certificate.`,
  ],
  [
    /not valid: (?:is this a git repository|could not determine hash)|invalid (?:server response|refspec|pkt-?len)|protocol error|bad line length|expected flush|remote end hung up upon initial contact|expected '|expected \w+,|unexpected/iu,
    'invalid_index',
    (host) => `${host} isn't a Git repository. Check the URL.`,
  ],
  [
    /out of memory|malloc failed|mmap failed|cannot allocate|too large/iu,
    'too_large',
    (host) => `The repository at ${host} exceeds the memory limit.`,
  ],
  [
    /no space left on device|disk quota exceeded/iu,
    'internal',
    () => "The agent's disk is full. Free up space in its data directory.",
  ],
  [
    /could not resolve|failed to connect|couldn't connect|timed out|connection (?:reset|refused|closed)|early eof|unexpected disconnect|rpc failed|hung up|empty reply|operation too slow/iu,
    'unreachable',
    (host) => `Connection to ${host} failed. The run will be retried.`,
  ],
  [
    /bad object|invalid .{0,100}object|corrupt|inflate|unresolved deltas|did not send all necessary objects|bad pack|index-pack failed|invalid index-pack/iu,
    'invalid_index',
    (host) => `The repository data from ${host} is corrupt.`,
  ],
];

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}
