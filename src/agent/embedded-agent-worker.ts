import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { createLog, type LogOptions } from '../platform/log.ts';
import type { AgentConfig } from './agent-config.ts';
import { runAgent } from './agent-loop.ts';
import { type AgentSettings, createAgentParts, usableCapabilities } from './agent-parts.ts';

/** What the server gives to the thread. */
export interface EmbeddedAgentData {
  serverUrl: string;
  token: string;
  agent: AgentConfig;
  settings: AgentSettings;
  /** As the server writes its own. */
  log: Required<Pick<LogOptions, 'level' | 'format' | 'isTerminal'>>;
}

// Now and not at the end, which may come by force.
flushCompileCache();

const data: EmbeddedAgentData = workerData;
const log = createLog(data.log).child({ part: 'agent' });
const stopping = new AbortController();
parentPort?.on('message', () => stopping.abort());

const parts = createAgentParts(data.settings, data.agent.credentials, log);
try {
  await runAgent({
    connection: { serverUrl: data.serverUrl, token: data.token },
    ...data.agent,
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
