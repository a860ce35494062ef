import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { createTestDatabase, type TestDatabase } from '../../../tests/helpers/database.ts';
import { databaseUrl } from '../../../tests/helpers/database-url.ts';
import { temporaryFolder } from '../../../tests/helpers/temporary-folder.ts';
import { runAdminCommand } from './admin-command.ts';

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Returns the environment variables for commands on a test database. */
export function environmentOf(
  { connection }: Pick<TestDatabase, 'connection'>,
  secretKey: Buffer,
): NodeJS.ProcessEnv {
  return {
    DATABASE_URL: databaseUrl(connection),
    PACEKEEPER_SECRET_KEY: secretKey.toString('base64'),
    PACEKEEPER_DATA_DIR: temporaryFolder(),
    PACEKEEPER_LOG_FORMAT: 'json',
  };
}

export async function createCommandWorld(secretKey: Buffer = randomBytes(32)) {
  const database = await createTestDatabase();
  const env = environmentOf(database, secretKey);
  return { ...database, env, run: (...argv: string[]) => runAdmin(argv, env) };
}

/**
 * Runs an admin command in this process.
 * @param stdin Standard input of the command. `null` simulates a terminal.
 */
export async function runAdmin(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  stdin: string | null = '',
): Promise<CommandResult> {
  const result = { stdout: '', stderr: '' };
  const output = {
    stdout: (text: string) => void (result.stdout += text),
    stderr: (text: string) => void (result.stderr += text),
  };
  const input = Object.assign(Readable.from([Buffer.from(stdin ?? '')]), { isTTY: stdin === null });
  const code = await runAdminCommand(argv, env, output, input);
  return { code, ...result };
}
