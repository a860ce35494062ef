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
  /** Only the embedded agent says which credentials serve which organization. */
  isEmbedded: boolean;
  log: Log;
  signal: AbortSignal;
}

const heartbeatMs = 15_000;

/** The agent as the service knows it: its heartbeats, its id there, and the length of its leases. */
export function createPresence(
  api: ApiClient,
  options: PresenceOptions,
  running: ReadonlyMap<number, HeldTask>,
) {
  const { log, signal, credentials, isEmbedded } = options;
  let agentId = 0;
  let leaseSeconds = 60;
  let isAway = false;
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
        // More than the service wants to hear of at once are held only of one repository.
        running: [...running.keys()].slice(0, 1_000),
      },
      signal,
      timeoutMs: 10_000,
    });
    agentId = answer.agent_id;
    leaseSeconds = answer.lease_seconds;
    if (isAway) log.info('server connection restored');
    isAway = false;
  }

  function noteFailure(error: unknown): void {
    if (!isAway && !signal.aborted) {
      const { fields, sentence } = describeCallFailure(error);
      log.warn(fields, `heartbeat failed${sentence}`);
    }
    isAway = true;
  }

  return {
    agentId: () => agentId,
    leaseSeconds: () => leaseSeconds,

    /** The first heartbeat, repeated until it is taken. */
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

    /** One every 15 seconds, until the signal. */
    async beat(): Promise<void> {
      for (;;) {
        await pause(heartbeatMs, signal);
        if (signal.aborted) return;
        await send().catch(noteFailure);
      }
    },

    /** After the service said that it does not know the agent. Two lanes that hear so send one heartbeat. */
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
 * For the log: a sentence if the server couldn't be reached or returned an error, else the error with its stack. The agent
 * retries, so the sentence ends with it.
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

/** The service refuses this agent's credential, so that trying again cannot help. */
export class AgentRefusedError extends Error {
  override name = 'AgentRefusedError';
}
