import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { cliCommands } from './cli/command-list.ts';
import { callerDirectory } from './platform/caller-directory.ts';
import { keepYoungGenerationSmall } from './platform/limit-memory.ts';

// Caches compiled code, which halves the time of later starts. The cache isn't in the shared temporary
// directory, because another user could put code into it there.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

type Command = (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;

/** Each command is imported on demand, so that it loads only the code it needs. */
const commands: Readonly<Record<string, { summary: string; load(): Promise<Command> }>> = {
  serve: {
    summary: 'Start the server (with embedded PostgreSQL unless DATABASE_URL is set)',
    load: async () => {
      // Keep the young generation of the heap small only during startup. The running server sets a higher limit.
      keepYoungGenerationSmall();
      return (await import('./operator/commands/serve-command.ts')).runServeCommand;
    },
  },
  agent: {
    summary: 'Start an agent that connects to a remote server',
    load: async () => (await import('./agent/run-agent-command.ts')).runAgentCommand,
  },
  migrate: {
    summary: 'Apply database migrations',
    load: async () => (await import('./operator/commands/migrate-command.ts')).runMigrateCommand,
  },
  backup: {
    summary: 'Back up the database to a file',
    load: async () => (await import('./operator/commands/backup-command.ts')).runBackupCommand,
  },
  restore: {
    summary: 'Restore a backup into an empty database',
    load: async () => (await import('./operator/commands/restore-command.ts')).runRestoreCommand,
  },
  'migrate-data': {
    summary: 'Copy the embedded database to an external PostgreSQL',
    load: async () => (await import('./operator/commands/migrate-data-command.ts')).runMigrateDataCommand,
  },
  doctor: {
    summary: 'Check the installation and suggest fixes',
    load: async () => (await import('./operator/commands/doctor-command.ts')).runDoctorCommand,
  },
  admin: {
    summary: 'Manage organizations, users, system keys, and settings',
    load: async () => (await import('./operator/commands/admin-command.ts')).runAdminCommand,
  },
};

const nameWidth = Math.max(
  ...[...Object.keys(commands), ...Object.keys(cliCommands)].map(({ length }) => length),
);

const usage = `Usage: pacekeeper COMMAND

${summariesOf(commands)}
API commands (require a login or an API key):

${summariesOf(cliCommands)}
Run 'pacekeeper COMMAND --help' for details. Configure with environment variables; see docs/configuration.md.
`;

function summariesOf(list: Readonly<Record<string, { summary: string }>>): string {
  return Object.entries(list)
    .map(([name, { summary }]) => `  ${name.padEnd(nameWidth)}  ${summary}\n`)
    .join('');
}

async function run(name: string, argv: readonly string[]): Promise<number> {
  if (Object.hasOwn(cliCommands, name)) {
    const { runCli } = await import('./cli/run-cli.ts');
    const directory = callerDirectory(process.env);
    if (directory !== null) process.chdir(directory);
    if (!(await useNetwork(process.env))) return 2;
    return runCli(name, argv, process.env, { operatorCommands });
  }
  if (Object.hasOwn(commands, name)) {
    const command = await commands[name]!.load();
    return command(argv, process.env);
  }
  const [topic] = argv;
  if (name === 'help' && topic !== undefined) return run(topic, ['--help']);
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(usage);
    return 0;
  }
  if (name === '--version' || name === '-V') {
    process.stdout.write(`pacekeeper ${packageJson.version}\n`);
    return 0;
  }
  const { unknownCommandMessage } = await import('./cli/unknown-command.ts');
  process.stderr.write(
    unknownCommandMessage(name, [...Object.keys(commands), ...Object.keys(cliCommands), 'help']),
  );
  return 2;
}

/**
 * Prepares the network only if a proxy or CA file is set, because reading the configuration takes time and most
 * commands don't need it.
 */
async function useNetwork(env: NodeJS.ProcessEnv): Promise<boolean> {
  const names = ['PACEKEEPER_PROXY_URL', 'PACEKEEPER_PROXY_URL_FILE', 'PACEKEEPER_CA_FILE'];
  if (!names.some((name) => env[name])) return true;
  const [{ ConfigError, readConfig }, { prepareNetwork }] = await Promise.all([
    import('./platform/config.ts'),
    import('./platform/outbound/index.ts'),
  ]);
  try {
    prepareNetwork(readConfig(env, { role: 'client' }));
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return false;
  }
}

/** Returns the commands above with their options, for shell completion. */
async function operatorCommands() {
  const [server, { agentOptions }] = await Promise.all([
    import('./operator/commands/operator-commands.ts'),
    import('./agent/run-agent-command.ts'),
  ]);
  const optionsOf = (path: string) =>
    path === 'agent'
      ? agentOptions
      : (server.operatorCommands.find(({ name }) => name === path)?.options ?? {});
  const node = (path: string, summary: string) => ({
    name: path.split(' ').at(-1)!,
    summary,
    options: [
      ...Object.entries(optionsOf(path)).map(([name, { type, short }]) => ({
        names: short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`],
        summary: '',
        takesValue: type === 'string',
        values: [],
      })),
      { names: ['--help', '-h'], summary: 'Show help', takesValue: false, values: [] },
    ],
    arguments: [],
    commands: [],
  });
  return Object.entries(commands).map(([name, { summary }]) => ({
    ...node(name, summary),
    commands: server.operatorCommands
      .filter((inner) => inner.name.startsWith(`${name} `))
      .map((inner) => node(inner.name, inner.summary)),
  }));
}

const [name = '--help', ...argv] = process.argv.slice(2);
process.exitCode = await run(name, argv);
