import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { endMessage } from '../platform/end-thread.ts';
import { createLog, type LogOptions } from '../platform/log.ts';
import type { AgentConfig } from './agent-config.ts';
import type { AnyCredential } from './agent-credential.ts';
import { runAgent } from './agent-loop.ts';
import { type AgentSettings, createAgentComponents, usableCapabilities } from './agent-parts.ts';
import { createLiveCredentials } from './watch-config.ts';

/** Data that the server passes to the thread. */
export interface EmbeddedAgentData {
  serverUrl: string;
  token: string;
  agent: AgentConfig;
  settings: AgentSettings;
  /** Log settings of the server. */
  log: Required<Pick<LogOptions, 'level' | 'format' | 'isTerminal'>>;
}

/** Message that ends the thread or replaces its credentials. */
export type EmbeddedAgentMessage = typeof endMessage | { credentials: readonly AnyCredential[] };

// Write the compile cache now, because the thread can be killed before it ends normally.
flushCompileCache();

const data: EmbeddedAgentData = workerData;
const log = createLog(data.log).child({ part: 'agent' });
const stopping = new AbortController();
const { credentials, replace } = createLiveCredentials(data.agent.credentials);
parentPort?.on('message', (message: EmbeddedAgentMessage) => {
  if (message === endMessage) stopping.abort();
  else replace(message.credentials);
});

const parts = createAgentComponents(data.settings, credentials, log);
try {
  await runAgent({
    connection: { serverUrl: data.serverUrl, token: data.token },
    ...data.agent,
    credentials,
    capabilities: await usableCapabilities(data.agent.capabilities, log),
    version: data.settings.version,
    runners: parts.runners,
    log,
    signal: stopping.signal,
  });
} finally {
  await parts.close();
  parentPort?.close();
}
