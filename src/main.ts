import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { cliCommands } from './cli/command-list.ts';

// What was compiled once is not compiled again: a later start takes half the time. Not in the shared temporary folder,
// where another user could put code into it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

type Command = (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;

/** Each command loads only what it needs. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./server/commands/serve-command.ts')).runServeCommand,
  agent: async () => (await import('./agent/run-agent-command.ts')).runAgentCommand,
  migrate: async () => (await import('./server/commands/migrate-command.ts')).runMigrateCommand,
  backup: async () => (await import('./server/commands/backup-command.ts')).runBackupCommand,
  restore: async () => (await import('./server/commands/restore-command.ts')).runRestoreCommand,
  'migrate-data': async () =>
    (await import('./server/commands/migrate-data-command.ts')).runMigrateDataCommand,
  doctor: async () => (await import('./server/commands/doctor-command.ts')).runDoctorCommand,
  admin: async () => (await import('./server/commands/admin-command.ts')).runAdminCommand,
};

const usage = `Usage: pacekeeper COMMAND

  serve         Start the server (with embedded PostgreSQL unless DATABASE_URL is set)
  agent         Start an agent that connects to a remote server
  migrate       Apply database migrations
  backup        Back up the database to a file
  restore       Restore a backup into an empty database
  migrate-data  Copy the embedded database to an external PostgreSQL
  doctor        Check the installation and suggest fixes
  admin         Manage organizations, users, system keys, and settings

API commands (require a login or an API key):

${Object.entries(cliCommands)
  .map(([name, { summary }]) => `  ${name.padEnd(13)} ${summary}\n`)
  .join('')}
Run 'pacekeeper COMMAND --help' for details. Configure with environment variables; see docs/configuration.md.
`;

const [name = '--help', ...argv] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (Object.hasOwn(cliCommands, name)) {
  const { runCli } = await import('./cli/run-cli.ts');
  process.exitCode = await runCli(name, argv, process.env);
} else if (load) {
  const command = await load();
  process.exitCode = await command(argv, process.env);
} else if (name === '--help' || name === '-h' || name === 'help') {
  process.stdout.write(usage);
} else {
  process.stderr.write(`pacekeeper: unknown command "${name}".\n\n${usage}`);
  process.exitCode = 2;
}
