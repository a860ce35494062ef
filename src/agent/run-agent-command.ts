import { parseArgs } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { parseContentLimits } from '../domain/parsers/content-limits.ts';
import { ConfigError, readConfig } from '../platform/config.ts';
import { keepYoungGenerationSmall, limitMemory } from '../platform/limit-memory.ts';
import { createLog } from '../platform/log.ts';
import { type NetworkSettings, openOutbound, prepareNetwork } from '../platform/outbound/index.ts';
import { createSandbox } from '../platform/sandbox/index.ts';
import { onStopSignal } from '../platform/stop-signals.ts';
import { createBodyMemoryLimit } from '../sources/source-body.ts';
import { readAgentConfig, readAgentCredentials } from './agent-config.ts';
import type { AnyCredential } from './agent-credential.ts';
import { runAgent } from './agent-loop.ts';
import { createAgentComponents, usableCapabilities } from './agent-parts.ts';
import { AgentRefusedError } from './agent-presence.ts';
import { checkAgentAccess } from './check-agent-access.ts';
import { createHostOpener } from './docker/host-api.ts';
import { createAppTokens } from './github-app-tokens.ts';
import { createClusterOpener } from './kubernetes/cluster-api.ts';
import { createProgramCredentials } from './program-credentials.ts';
import { createLiveCredentials, watchConfig } from './watch-config.ts';

const usage = `Usage: pacekeeper agent [check] [--config FILE]

Run an agent for a remote server. The agent reads releases, repositories, and clusters
that the server can't reach, using credentials the server never sees. With "check", it
only prints what each GitHub App, Kubernetes credential, and container host in FILE can read,
and whether each credential helper returns a password.
Required, except with "check":

  PACEKEEPER_SERVER_URL   Server URL (or "server" in FILE)
  PACEKEEPER_API_KEY      API key with the agent role (or "api_key" in FILE)

FILE is YAML or JSON and can also be set with PACEKEEPER_AGENT_CONFIG. It can include
"name", "capabilities", and "credentials", or "name" and "hosts". Values can reference env:NAME or file:/path.
`;

/**
 * Runs `pacekeeper agent`.
 * @returns The exit code: 0 after SIGTERM or Ctrl-C, 1 if the agent can't run, 2 for invalid arguments.
 */
export async function runAgentCommand(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const file = readArguments(argv);
  if (typeof file === 'number') return file;
  limitMemory();
  keepYoungGenerationSmall();
  const stopping = new AbortController();
  const restore = onStopSignal(() => stopping.abort());
  try {
    const config = readConfig(env, { role: 'client' });
    const path = file.config ?? config.agentConfigPath;
    if (file.isCheck) {
      const credentials = readAgentCredentials(path, env);
      prepareNetwork(config);
      return await check(credentials, config, stopping.signal);
    }
    const agent = readAgentConfig(path, env);
    const log = createLog({ level: config.logLevel, format: config.logFormat });
    for (const warning of config.warnings) log.warn(warning);
    prepareNetwork(config);
    const { credentials, replace } = createLiveCredentials(agent.credentials);
    const parts = createAgentComponents({ ...config, version: packageJson.version }, credentials, log);
    const unwatch = watchConfig(agent, { read: () => readAgentConfig(path, env), onChange: replace, log });
    try {
      await runAgent({
        connection: { serverUrl: agent.serverUrl, apiKey: agent.apiKey },
        ...agent,
        credentials,
        capabilities: await usableCapabilities(agent.capabilities, log),
        version: packageJson.version,
        runners: parts.runners,
        log,
        signal: stopping.signal,
      });
      return 0;
    } finally {
      unwatch();
      await parts.close();
    }
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof AgentRefusedError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 1;
  } finally {
    restore();
  }
}

/** Command-line options of `pacekeeper agent`. */
export const agentOptions = { config: { type: 'string', short: 'c' } } as const;

async function check(
  credentials: readonly AnyCredential[],
  network: NetworkSettings,
  signal: AbortSignal,
): Promise<number> {
  const sandbox = createSandbox({ ...parseContentLimits, workers: 1 });
  const userAgent = `Pacekeeper/${packageJson.version}`;
  const room = createBodyMemoryLimit();
  const programs = createProgramCredentials({ clock: () => new Date() });
  const openCluster = createClusterOpener({ network, userAgent, room, programs });
  const openHost = createHostOpener({ userAgent, room });
  const { client } = openOutbound(network, { userAgent });
  const appTokens = createAppTokens({ client, clock: () => new Date() });
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const deps = { openCluster, openHost, appTokens, programs, sandbox, signal, print };
  try {
    return (await checkAgentAccess(credentials, deps)) ? 0 : 1;
  } finally {
    await Promise.all([client.close(), sandbox.close()]);
  }
}

interface Arguments {
  config: string | undefined;
  isCheck: boolean;
}

function readArguments(argv: readonly string[]): Arguments | number {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { ...agentOptions, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) {
      process.stdout.write(usage);
      return 0;
    }
    const [command, ...rest] = positionals;
    if (rest.length > 0 || (command !== undefined && command !== 'check'))
      throw new Error(`Unexpected argument '${rest[0] ?? command}'.`);
    return { config: values.config, isCheck: command === 'check' };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
}
