import type { ApiCallError } from './api-call-error.ts';

interface ConnectionProblem {
  /** Error codes of Node.js and its HTTP client. */
  codes: readonly string[];
  /** Description of the problem, which follows "Can't connect to URL: ". */
  meaning: string;
  remedy: string;
  /** True if retrying can't help. */
  isPermanent?: boolean;
}

/**
 * Reasons why a request got no response, and their remedies. docs/troubleshooting.md is generated from this
 * list.
 */
export const connectionProblems: readonly ConnectionProblem[] = [
  {
    codes: ['ECONNREFUSED'],
    meaning: 'connection refused',
    remedy: 'Check that the server is running and that the port is correct.',
  },
  {
    codes: ['ENOTFOUND'],
    meaning: 'host not found',
    remedy: 'Check the host name in the server URL.',
  },
  {
    codes: ['EAI_AGAIN'],
    meaning: 'the DNS lookup failed',
    remedy: 'Check your network and DNS, then try again.',
  },
  {
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
    meaning: 'no route to the host',
    remedy: 'Check your network, VPN, and firewall.',
  },
  {
    codes: [
      'TIMEOUT',
      'ETIMEDOUT',
      'UND_ERR_CONNECT_TIMEOUT',
      'UND_ERR_HEADERS_TIMEOUT',
      'UND_ERR_BODY_TIMEOUT',
    ],
    meaning: 'no response in time',
    remedy: 'Check that the server is running and that no firewall blocks the port.',
  },
  {
    codes: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'],
    meaning: 'the connection was closed',
    remedy: 'Try again. If the server uses HTTPS, make sure its URL starts with https://.',
  },
  {
    codes: ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
    meaning: "the TLS certificate isn't valid at this time",
    remedy: 'Renew the certificate, or correct the clock of this machine.',
    isPermanent: true,
  },
  {
    codes: ['ERR_TLS_CERT_ALTNAME_INVALID'],
    meaning: 'the TLS certificate is for another host',
    remedy: 'Use the host name in the certificate as the server URL.',
    isPermanent: true,
  },
  {
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'CERT_UNTRUSTED',
      'CERT_REVOKED',
    ],
    meaning: "the TLS certificate isn't trusted",
    remedy: 'For a private CA, set PACEKEEPER_CA_FILE to the path of its certificate file.',
    isPermanent: true,
  },
  {
    codes: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'],
    meaning: "the server doesn't use HTTPS on this port",
    remedy: 'Check the port, or use http:// if the network is trusted.',
    isPermanent: true,
  },
  {
    codes: ['NOT_HTTP'],
    meaning: "a program that doesn't use HTTP responded",
    remedy: 'Check the port.',
    isPermanent: true,
  },
  {
    codes: ['BAD_PORT'],
    meaning: 'the port is reserved for another protocol',
    remedy: 'Use another port.',
    isPermanent: true,
  },
];

/**
 * Returns the reason why a call didn't reach the server. Null for an error that isn't about the connection.
 */
export function connectionProblemOf(
  error: ApiCallError,
): { code: string | null; problem: ConnectionProblem | null } | null {
  if (error.code !== 'no_answer') return null;
  const code = causeCode(error.cause);
  return { code, problem: connectionProblems.find(({ codes }) => codes.includes(code ?? '')) ?? null };
}

/** Describes the problem and its remedy in sentences. Null for an error that isn't about the connection. */
export function describeConnectionProblem(error: ApiCallError): string | null {
  const connection = connectionProblemOf(error);
  if (connection === null) return null;
  const { code, problem } = connection;
  if (!problem) return error.detail;
  return `Can't connect to ${error.server}: ${problem.meaning}${code === null ? '' : ` (${code})`}. ${problem.remedy}`;
}

/**
 * Returns the code of an error. fetch throws a TypeError whose cause has a code, or only a name or message.
 */
function causeCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  const { cause } = error;
  if (!(cause instanceof Error)) return null;
  if ('code' in cause && typeof cause.code === 'string') return cause.code;
  if (cause.name === 'HTTPParserError') return 'NOT_HTTP';
  return cause.message === 'bad port' ? 'BAD_PORT' : null;
}
