import { nearestName } from '../../domain/text/nearest-name.ts';
import { accountCommands } from './account-commands.ts';
import { checkCatalogCommand } from './check-catalog-command.ts';
import { confirmReferenceCommand } from './confirm-reference-command.ts';
import { installationCommands } from './installation-commands.ts';
import { loadReferenceCommand } from './load-reference-command.ts';
import {
  type CommandInput,
  type CommandOutput,
  type OperatorCommand,
  processOutput,
  runOperatorCommand,
} from './operator-command.ts';
import { rotateSecretKeyCommand } from './rotate-secret-key.ts';
import { seedCatalogCommand } from './seed-catalog-command.ts';

export const adminCommands: readonly OperatorCommand[] = [
  ...accountCommands,
  ...installationCommands,
  rotateSecretKeyCommand,
  loadReferenceCommand,
  confirmReferenceCommand,
  seedCatalogCommand(),
  checkCatalogCommand(),
];

const prefix = 'admin ';
const usage = `Usage: pacekeeper admin COMMAND

${adminCommands.map(({ name, summary }) => `  ${name.slice(prefix.length).padEnd(21)} ${summary}`).join('\n')}

These commands access the database directly; the server can be running or stopped.
Run 'pacekeeper admin COMMAND --help' for details.
`;

/**
 * Runs the `pacekeeper admin` commands for operators.
 *
 * @returns The exit code.
 */
export async function runAdminCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output: CommandOutput = processOutput,
  input: CommandInput = process.stdin,
): Promise<number> {
  const [name = '--help', ...rest] = argv;
  if (name === '--help' || name === '-h' || name === 'help') {
    output.stdout(usage);
    return 0;
  }
  const command = adminCommands.find((each) => each.name === prefix + name);
  if (command) return runOperatorCommand(command, rest, env, output, input);
  const near = nearestName(
    name,
    adminCommands.map((each) => each.name.slice(prefix.length)),
  );
  output.stderr(
    `pacekeeper admin: unknown command "${name}".${near ? ` Did you mean ${near}?` : ''} Run 'pacekeeper admin --help' to list commands.\n`,
  );
  return 2;
}
