import { runAdminCommand } from './server/commands/admin-command.ts';
import { runMigrateCommand } from './server/commands/migrate-command.ts';
import { runServeCommand } from './server/commands/serve-command.ts';
import { runAgentCommand } from './agent/run-agent-command.ts';

const usage = `Usage: pacekeeper COMMAND

  serve     the API, its loops, the embedded agent and, without DATABASE_URL, the database
  agent     an agent that works for a server elsewhere
  migrate   brings the schema of the database up to date
  admin     what operators do: organizations, users, system keys, settings

pacekeeper COMMAND --help says more. Variables of the environment configure it.
`;

type Command = (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<number>;

const commands: Readonly<Record<string, Command>> = {
  serve: runServeCommand,
  agent: runAgentCommand,
  migrate: runMigrateCommand,
  admin: runAdminCommand,
};

const [name = '--help', ...argv] = process.argv.slice(2);
const command = commands[name];
if (command) {
  process.exitCode = await command(argv, process.env);
} else if (name === '--help' || name === '-h' || name === 'help') {
  process.stdout.write(usage);
} else {
  process.stderr.write(`pacekeeper: there is no command "${name}".\n\n${usage}`);
  process.exitCode = 2;
}
