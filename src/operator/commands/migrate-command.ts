import { listPendingMigrations } from '../../platform/database/index.ts';
import { type CommandOutput, type OperatorCommand, runOperatorCommand } from './operator-command.ts';

export const migrate: OperatorCommand = {
  name: 'migrate',
  synopsis: '',
  summary: 'Apply database migrations',
  help: `
Applies pending migrations. \`serve\` does this on startup, so run this only to migrate ahead of time. Safe to run concurrently. Servers on the previous version can keep running.`,
  positionals: [],
  options: {},
  migrates: true,
  async run({ open, print }) {
    const { db } = await open();
    const pending = await listPendingMigrations(db);
    if (pending.length > 0) throw new Error(`couldn't apply ${pending.join(', ')}.`);
    print('The schema is up to date.');
  },
};

/**
 * Runs `pacekeeper migrate`.
 *
 * @returns The exit code.
 */
export function runMigrateCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output?: CommandOutput,
): Promise<number> {
  return runOperatorCommand(migrate, argv, env, output);
}
