import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../platform/config.ts';
import { endThread } from '../platform/end-thread.ts';
import type { Log } from '../platform/log.ts';
import { type NetworkSettings, pickNetwork } from '../platform/outbound/index.ts';
import { readEmbeddedAgentConfig } from './agent-config.ts';
import { createBackOff, pause } from './back-off.ts';
import type { EmbeddedAgentData } from './embedded-agent-worker.ts';

export interface EmbeddedAgentOptions {
  /** Where the server itself listens, on loopback. */
  serverUrl: string;
  /** Authenticates the embedded agent. No API issues such a token. */
  token: string;
  config: Pick<Config, keyof NetworkSettings | 'agentConfigPath' | 'dataDir' | 'logLevel' | 'logFormat'>;
  log: Log;
}

export interface EmbeddedAgent {
  /** Claims no more, gives what is in flight 20 s to end, and ends the thread. */
  stop(): Promise<void>;
}

/**
 * The heap of the thread, in MB. Four lists of 200,000 tags and four Helm indices of 23 MB, at the same time, pass with it
 * and not with two thirds of it.
 */
const maxHeapMb = 192;

/** What a stop may take beyond the 20 s of the agent itself. */
const stopAllowanceMs = 25_000;

/**
 * Runs an agent in a thread of this process, so that it doesn't block the server, and with a memory limit, so that what
 * it reads can't use up the server's memory. It's the same agent that runs on other machines, and uses the same API. If
 * the thread dies, it is restarted after a delay that grows with each failure.
 *
 * @throws ConfigError when the configuration of the agent is wrong
 */
export async function startEmbeddedAgent(options: EmbeddedAgentOptions): Promise<EmbeddedAgent> {
  const log = options.log.child({ part: 'agent' });
  const { agentConfigPath, dataDir, logLevel, logFormat } = options.config;
  const data: EmbeddedAgentData = {
    serverUrl: options.serverUrl,
    token: options.token,
    agent: readEmbeddedAgentConfig(agentConfigPath, process.env),
    settings: { ...pickNetwork(options.config), dataDir, version: packageJson.version },
    log: { level: logLevel, format: logFormat, isTerminal: process.stdout.isTTY },
  };
  const stopping = new AbortController();
  let worker: Worker | null = null;

  async function superviseWorker(): Promise<void> {
    const backOff = createBackOff();
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      worker = new Worker(new URL('./embedded-agent-worker.ts', import.meta.url), {
        workerData: data,
        // The configuration is in `data`. The thread gets none of the server's variables except these, which git needs.
        env: {
          ...pick(process.env, [
            'PATH',
            'SSL_CERT_FILE',
            'SSL_CERT_DIR',
            'GIT_SSL_CAINFO',
            'GIT_SSL_CAPATH',
            'TMPDIR',
          ]),
          // From the second start on no TypeScript is read, which saves the thread 28 of 77 MB.
          NODE_COMPILE_CACHE: path.join(dataDir, 'compile-cache'),
        },
        resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 8 },
      });
      worker.on('error', (error) => log.error({ err: error }, 'embedded agent crashed'));
      const [code] = (await once(worker, 'exit').catch(() => [1])) as [number];
      worker = null;
      if (stopping.signal.aborted) return;
      if (performance.now() - startedAt > 60_000) backOff.reset();
      const delayMs = backOff.nextMs();
      log.error({ code, nextInMs: Math.round(delayMs) }, 'embedded agent exited; restarting');
      await pause(delayMs, stopping.signal);
    }
  }

  const running = superviseWorker();

  return {
    async stop() {
      stopping.abort();
      if (worker) await endThread(worker, stopAllowanceMs);
      await running;
    },
  };
}

function pick(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    names.map((name) => [name, env[name]]).filter(([, value]) => value !== undefined),
  );
}
