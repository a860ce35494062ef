import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { createLog, type LogOptions } from '../platform/log.ts';
import type { AgentConfig } from './agent-config.ts';
import { runAgent } from './agent-loop.ts';
import { type AgentSettings, createAgentParts, usableCapabilities } from './agent-parts.ts';

/** Data that the server passes to the thread. */
export interface EmbeddedAgentData {
  serverUrl: string;
  token: string;
  agent: AgentConfig;
  settings: AgentSettings;
  /** Log settings of the server. */
  log: Required<Pick<LogOptions, 'level' | 'format' | 'isTerminal'>>;
}

// The thread can be killed before it ends normally, so the cache is written now.
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
