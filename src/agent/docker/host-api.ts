import { type IncomingMessage, request } from 'node:http';
import { ownValue } from '../../domain/json/own-value.ts';
import { RunError } from '../../domain/runs/run-error.ts';
import type { FairLimit } from '../../platform/fairness/index.ts';
import { createBodyCollector, type SourceBody } from '../../sources/source-body.ts';
import type { HostCredential } from '../agent-credential.ts';

/**
 * The only paths that are requested from a socket, always with `GET`. Access to the socket is equivalent to
 * root access to its host, so this list is the only restriction.
 */
export const hostPaths = ['/version', '/info', '/containers/json', '/images/json', '/services'] as const;

export type HostPath = (typeof hostPaths)[number];

/** The API of one container host. */
export interface HostApi {
  /**
   * Sends a GET request.
   * @throws RunError if the host doesn't respond
   */
  get(path: HostPath): Promise<HostResponse>;
  /** Returns the number of requests that were sent. */
  requests(): number;
}

export interface HostResponse {
  status: number;
  /** Empty unless the status is 200. */
  body: SourceBody;
  /** Beginning of the body if the status isn't 200, otherwise empty. */
  problem: string;
}

export type OpenHost = (credential: HostCredential, of: { fairKey: string; signal: AbortSignal }) => HostApi;

/** Maximum size of a list. 10,000 containers with long labels take 40 MB. */
export const maxListBytes = 48 * 1024 * 1024;
const requestTimeoutMs = 60_000;
const maxProblemBytes = 4_096;

/**
 * Creates clients for the sockets of container hosts.
 * @param room Memory limit for large responses, shared by all organizations.
 */
export function createHostOpener({
  userAgent,
  room,
  timeoutMs = requestTimeoutMs,
}: {
  userAgent: string;
  room: FairLimit;
  timeoutMs?: number;
}): OpenHost {
  return (credential, { fairKey, signal }) => {
    let requests = 0;
    return {
      async get(path) {
        if (!hostPaths.includes(path)) throw new TypeError(`${path} isn't a path that agents request`);
        requests += 1;
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        try {
          const response = await send(credential.socket, path, userAgent, limited);
          const status = response.statusCode ?? 0;
          if (status !== 200) return { status, body: noBody, problem: await beginningOf(response) };
          return { status, body: await collect(response, limited), problem: '' };
        } catch (error) {
          signal.throwIfAborted();
          throw explain(error, credential.name, limited.aborted);
        }
      },
      requests: () => requests,
    };

    async function collect(response: IncomingMessage, limited: AbortSignal): Promise<SourceBody> {
      const collector = createBodyCollector(room, { fairKey, maxBytes: maxListBytes, signal: limited });
      let bytes = 0;
      try {
        for await (const piece of response as AsyncIterable<Uint8Array>) {
          bytes += piece.byteLength;
          if (bytes > maxListBytes) throw new RunError('too_large', 'A list from the host exceeds 48 MiB.');
          await collector.add(piece);
        }
        return collector.body();
      } catch (error) {
        collector.free();
        throw error;
      } finally {
        response.destroy();
      }
    }
  };
}

const noBody: SourceBody = { bytes: 0, pieces: [], free: () => undefined };

function send(
  socketPath: string,
  path: HostPath,
  userAgent: string,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({
    socketPath,
    path,
    method: 'GET',
    agent: false,
    signal,
    headers: {
      host: 'docker',
      accept: 'application/json',
      'user-agent': userAgent,
    },
  })
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of response as AsyncIterable<Buffer>) {
    text += piece.toString('latin1');
    if (text.length >= maxProblemBytes) break;
  }
  return text.slice(0, maxProblemBytes);
}

function explain(error: unknown, credential: string, isTimeout: boolean): unknown {
  if (error instanceof RunError) return error;
  if (isTimeout) return new RunError('timeout', 'The socket took too long to respond.', { cause: error });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [kind, sentence] = ownValue(problems, code) ?? ['unreachable', `fails (${code || 'error'}).`];
  return new RunError(kind, `The socket of the host "${credential}" ${sentence}`, { cause: error });
}

const problems: Readonly<Record<string, ['unreachable' | 'unauthorized', string] | undefined>> = {
  ENOENT: ['unreachable', "doesn't exist. Start Docker or Podman, or mount the socket."],
  ENOTSOCK: ['unreachable', "isn't a socket."],
  ECONNREFUSED: ['unreachable', 'has no service behind it. Start Docker or Podman.'],
  EACCES: ['unauthorized', "can't be opened by the agent's user. Add the user to the socket's group."],
  EPERM: ['unauthorized', "can't be opened by the agent's user. Add the user to the socket's group."],
};
