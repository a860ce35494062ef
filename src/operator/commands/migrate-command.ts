import { listPendingMigrations } from '../../platform/database/index.ts';
import { type CommandOutput, type OperatorCommand, runOperatorCommand } from './operator-command.ts';

export const migrate: OperatorCommand = {
  name: 'migrate',
  synopsis: '',
  summary: 'brings the schema of the database up to date',
  help: `
Applies what the schema of the database lacks. \`serve\` does the same when it starts, so that this is needed only to
have it done before. Of several that run at once one does it. A server of the version before may go on serving.`,
  positionals: [],
  options: {},
  async run({ open, print }) {
    const { db } = await open();
    const pending = await listPendingMigrations(db);
    if (pending.length > 0) throw new Error(`${pending.join(', ')} could not be applied.`);
    print('The schema is up to date.');
  },
};

/** `pacekeeper migrate`. Answers the exit code. */
export function runMigrateCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  output?: CommandOutput,
): Promise<number> {
  return runOperatorCommand(migrate, argv, env, output);
}
