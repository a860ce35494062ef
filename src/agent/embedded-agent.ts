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
import type { EmbeddedAgentData, EmbeddedAgentMessage } from './embedded-agent-worker.ts';
import { watchConfig } from './watch-config.ts';

export interface EmbeddedAgentOptions {
  /** Loopback URL of the server. */
  serverUrl: string;
  /** Token of the embedded agent. It can't be issued through the API. */
  token: string;
  config: Pick<Config, keyof NetworkSettings | 'agentConfigPath' | 'dataDir' | 'logLevel' | 'logFormat'>;
  log: Log;
}

export interface EmbeddedAgent {
  /** Stops claiming tasks, allows in-flight tasks 20 s to finish, and ends the thread. */
  stop(): Promise<void>;
}

/**
 * Heap limit of the thread, in MB. With this limit, four lists of 200,000 tags and four Helm indexes of 23 MB
 * can be read at the same time. Two thirds of it aren't enough for that.
 */
const maxHeapMb = 192;

/** Time after which a stopping thread is terminated. It's longer than the 20 s of the agent itself. */
const stopAllowanceMs = 25_000;

/**
 * Runs an agent in a thread of this process, so that the agent doesn't block the server. A memory limit
 * prevents the data that the agent reads from using up the server's memory. The agent is the same one that
 * runs on other machines, and uses the same API. If the thread dies, it is restarted after a delay that grows
 * with each failure.
 *
 * @throws ConfigError if the configuration of the agent is invalid
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
  // The thread has none of the environment variables that the configuration can refer to, so the server reads
  // the file.
  const unwatch = watchConfig(data.agent, {
    read: () => readEmbeddedAgentConfig(agentConfigPath, process.env),
    onChange(credentials) {
      data.agent = { ...data.agent, credentials };
      const message: EmbeddedAgentMessage = { credentials };
      worker?.postMessage(message);
    },
    log,
  });

  async function superviseWorker(): Promise<void> {
    const backOff = createBackOff();
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      worker = new Worker(new URL('./embedded-agent-worker.ts', import.meta.url), {
        workerData: data,
        // The configuration is in `data`. The thread gets none of the server's environment variables except
        // these, which git requires.
        env: {
          ...pick(process.env, [
            'PATH',
            'SSL_CERT_FILE',
            'SSL_CERT_DIR',
            'GIT_SSL_CAINFO',
            'GIT_SSL_CAPATH',
            'TMPDIR',
          ]),
          // From the second start on, the thread loads compiled code instead of TypeScript, which saves 28 of
          // its 77 MB.
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
      unwatch();
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
