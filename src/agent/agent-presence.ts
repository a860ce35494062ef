import { hostname } from 'node:os';
import { ApiCallError, type ApiClient } from '../client/api-client.ts';
import { describeConnectionProblem } from '../client/connection-problems.ts';
import type { Log } from '../platform/log.ts';
import type { AnyCredential } from './agent-credential.ts';
import type { HeldTask } from './agent-task.ts';
import { createBackOff, pause } from './back-off.ts';

export interface PresenceOptions {
  name: string;
  version: string;
  capabilities: readonly string[];
  credentials: readonly AnyCredential[];
  /** True for the embedded agent. Only this agent reports which credentials serve which organization. */
  isEmbedded: boolean;
  log: Log;
  signal: AbortSignal;
}

const heartbeatMs = 15_000;

/**
 * Maintains the agent's registration with the server: its heartbeats, its ID, and the length of its leases.
 */
export function createPresence(
  api: ApiClient,
  options: PresenceOptions,
  running: ReadonlyMap<number, HeldTask>,
) {
  const { log, signal, credentials, isEmbedded } = options;
  let agentId = 0;
  let leaseSeconds = 60;
  let isDisconnected = false;
  let renewing: Promise<void> | null = null;

  async function send(): Promise<void> {
    const answer = await api.call('sendHeartbeat', {
      body: {
        name: options.name,
        hostname: hostname().slice(0, 255) || 'unknown',
        version: options.version,
        capabilities: [...options.capabilities],
        credential_names: credentials.map((credential) => credential.name),
        ...(isEmbedded && { credential_names_by_organization: namesByOrganization(credentials) }),
        // The server accepts at most 1,000 tasks. An agent holds more only while it runs many tasks of one repository.
        running: [...running.keys()].slice(0, 1_000),
      },
      signal,
      timeoutMs: 10_000,
    });
    agentId = answer.agent_id;
    leaseSeconds = answer.lease_seconds;
    if (isDisconnected) log.info('server connection restored');
    isDisconnected = false;
  }

  function noteFailure(error: unknown): void {
    if (!isDisconnected && !signal.aborted) {
      const { fields, sentence } = describeCallFailure(error);
      log.warn(fields, `heartbeat failed${sentence}`);
    }
    isDisconnected = true;
  }

  return {
    agentId: () => agentId,
    leaseSeconds: () => leaseSeconds,

    /**
     * Sends the first heartbeat, and retries until the server accepts it.
     * @throws AgentRefusedError if the server rejects the credential
     */
    async begin(): Promise<void> {
      const backOff = createBackOff();
      while (!signal.aborted) {
        try {
          await send();
          log.info({ agent: options.name, capabilities: options.capabilities }, 'agent ready');
          return;
        } catch (error) {
          if (error instanceof ApiCallError && (error.status === 401 || error.status === 403)) {
            throw new AgentRefusedError(refusalSentence(error), { cause: error });
          }
          noteFailure(error);
          await pause(backOff.nextMs(), signal);
        }
      }
    },

    /** Sends a heartbeat every 15 seconds until the signal is aborted. */
    async beat(): Promise<void> {
      for (;;) {
        await pause(heartbeatMs, signal);
        if (signal.aborted) return;
        await send().catch(noteFailure);
      }
    },

    /**
     * Sends a heartbeat after the server reported that the agent ID is unknown. If two lanes call this
     * function, they share one heartbeat.
     */
    async renewIdentity(unknownId: number): Promise<void> {
      if (agentId !== unknownId) return;
      renewing ??= send()
        .catch(noteFailure)
        .finally(() => (renewing = null));
      await renewing;
    },
  };
}

function refusalSentence({ status, code, detail }: ApiCallError): string {
  if (code === 'no_api') return `The server rejected this agent: ${detail}`;
  return status === 401
    ? `The server rejected the API key. Check PACEKEEPER_API_KEY, or "api_key" in the agent's configuration file. The server responded: ${detail}`
    : `The API key doesn't have the agent role. Create a key with this role, and set it in PACEKEEPER_API_KEY, or as "api_key" in the agent's configuration file. The server responded: ${detail}`;
}

/**
 * Describes a failed call for the log. If the server couldn't be reached or returned an error, the
 * description is a sentence that ends with "Retrying." Otherwise, it's the error with its stack.
 */
export function describeCallFailure(error: unknown): { fields: object; sentence: string } {
  if (!(error instanceof ApiCallError)) return { fields: { err: error }, sentence: '' };
  const { code, status, requestId } = error;
  return {
    fields: {
      code,
      ...(status !== null && { status }),
      ...(requestId !== null && { request_id: requestId }),
    },
    sentence: `: ${describeConnectionProblem(error) ?? error.detail} Retrying.`,
  };
}

function namesByOrganization(credentials: readonly AnyCredential[]): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const { name, organizations } of credentials) {
    for (const id of organizations ?? []) (names[String(id)] ??= []).push(name);
  }
  return names;
}

/** The server rejects this agent's credential, so retrying can't help. */
export class AgentRefusedError extends Error {
  override name = 'AgentRefusedError';
}
