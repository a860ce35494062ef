import { readFile } from 'node:fs/promises';
import { RunError } from '../../domain/runs/run-error.ts';
import type { FairLimit } from '../../platform/fairness/index.ts';
import {
  type NetworkSettings,
  OutboundError,
  openOutboundTo,
  type ResolveName,
} from '../../platform/outbound/index.ts';
import { createBodyCollector, type SourceBody } from '../../sources/source-body.ts';
import { outboundRunError } from '../../sources/unexpected-response.ts';
import type { ClusterCredential } from '../agent-credential.ts';
import { pause } from '../back-off.ts';
import type { ExecClusterCredential, ProgramCredentials } from '../program-credentials.ts';

/** Client for the API of one cluster. */
export interface ClusterApi {
  /**
   * Requests a path with `GET`. Requests to busy servers are retried up to three times.
   *
   * @throws RunError if the cluster doesn't respond or rejects the token
   */
  get(path: string, query?: Readonly<Record<string, string>>): Promise<ClusterResponse>;
  /** Returns the number of requests that were sent. */
  requests(): number;
  close(): Promise<void>;
}

/** If the status isn't 200, the body is empty. */
export interface ClusterResponse {
  status: number;
  body: SourceBody;
}

export interface ClusterApiOptions {
  network: NetworkSettings;
  userAgent: string;
  /** Memory limit for large responses, shared by all organizations. */
  room: FairLimit;
  /** Tokens of credentials with an exec plugin. */
  programs: ProgramCredentials;
  resolveName?: ResolveName;
}

/**
 * Maximum size of a page. A page of 500 large pods is 15 MB. A list that exceeds the limit is read in smaller
 * pages.
 */
export const maxPageBytes = 32 * 1024 * 1024;
const requestTimeoutMs = 60_000;
const maxAttempts = 3;
const maxPauseMs = 10_000;

export type OpenCluster = (
  credential: ClusterCredential,
  of: { fairKey: string; signal: AbortSignal },
) => Promise<ClusterApi>;

/**
 * Creates clients for cluster APIs.
 * @throws RunError if the token or the certificates can't be read
 */
export function createClusterOpener({
  network,
  userAgent,
  room,
  programs,
  resolveName,
}: ClusterApiOptions): OpenCluster {
  async function readToken(credential: ClusterCredential): Promise<string> {
    if (isExec(credential)) return programs.clusterToken(credential);
    const token = (await readAccess(credential, credential.tokenFile ?? '')).trim();
    if (/^[\x21-\x7e]+$/.test(token)) return token;
    throw new RunError('unauthorized', `The token file of the credential "${credential.name}" has no token.`);
  }

  return async (credential, { fairKey, signal }) => {
    const { apiServer, caFile, isInCluster } = credential;
    let token = await readToken(credential);
    const ca = caFile === null ? null : await readAccess(credential, caFile);
    const client = openOutboundTo(network, {
      host: new URL(apiServer).hostname,
      ca,
      isDirect: isInCluster,
      userAgent,
      ...(resolveName && { resolveName }),
    });
    let requests = 0;

    async function request(url: string): Promise<ClusterResponse & { retryAfter: string | undefined }> {
      requests += 1;
      const { status, headers, body } = await client.stream({
        url,
        purpose: 'source',
        maxBytes: maxPageBytes,
        timeoutMs: requestTimeoutMs,
        signal,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${token}`,
        },
      });
      const retryAfter = headers['retry-after'];
      if (status !== 200) {
        for await (const _ of body) break;
        return { status, retryAfter, body: { bytes: 0, pieces: [], free: () => undefined } };
      }
      const collector = createBodyCollector(room, { fairKey, maxBytes: maxPageBytes, signal });
      try {
        for await (const piece of body) await collector.add(piece);
        return { status, retryAfter, body: collector.body() };
      } catch (error) {
        collector.free();
        throw error;
      }
    }

    /** Reads the token again. Returns true if it's different from the rejected one. */
    async function renewToken(): Promise<boolean> {
      const rejected = token;
      if (isExec(credential)) programs.rejectClusterToken(credential);
      token = await readToken(credential);
      return token !== rejected;
    }

    return {
      async get(path, query = {}) {
        const search = new URLSearchParams(query).toString();
        const url = `${apiServer}${path}${search === '' ? '' : `?${search}`}`;
        for (let tries = 1; ; tries++) {
          const response = await request(url).catch(explain);
          const { status } = response;
          if (status === 401 && tries === 1 && (await renewToken())) continue;
          if (status === 401)
            throw new RunError(
              'unauthorized',
              `The API server rejected the token. Check the ${credential.exec ? 'exec plugin' : 'token file'}.`,
            );
          const isBusy = status === 429 || status >= 500;
          if (!isBusy) return response;
          if (tries === maxAttempts)
            throw new RunError('upstream_error', `The API server returned ${status}.`);
          await pause(pauseMs(response.retryAfter, tries), signal);
          signal.throwIfAborted();
        }
      },
      requests: () => requests,
      close: () => client.close(),
    };
  };
}

function isExec(credential: ClusterCredential): credential is ExecClusterCredential {
  return credential.exec !== null;
}

function pauseMs(retryAfter: string | undefined, tries: number): number {
  const seconds = Number(retryAfter);
  return Math.min(Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : tries * 500, maxPauseMs);
}

async function readAccess(credential: ClusterCredential, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
    throw new RunError(
      'credential_missing',
      `The agent can't read a file of the credential "${credential.name}" (${code}).`,
      { cause: error },
    );
  }
}

function explain(error: unknown): never {
  throw error instanceof OutboundError ? outboundRunError(error) : error;
}
