import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { runBackupCommand } from './backup-command.ts';
import type { CommandResult } from './command-fixture.ts';
import { runDoctorCommand } from './doctor-command.ts';
import { runMigrateDataCommand } from './migrate-data-command.ts';
import type { CommandOutput } from './operator-command.ts';
import { runRestoreCommand } from './restore-command.ts';

const commands = {
  backup: runBackupCommand,
  restore: runRestoreCommand,
  'migrate-data': runMigrateDataCommand,
  doctor: runDoctorCommand,
} satisfies Record<
  string,
  (argv: string[], env: NodeJS.ProcessEnv, output: CommandOutput) => Promise<number>
>;

/** Runs one of the commands that care for an installation, in this process. */
export async function runCare(
  name: keyof typeof commands,
  argv: string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandResult> {
  const result = { stdout: '', stderr: '' };
  const code = await commands[name](argv, env, {
    stdout: (text) => void (result.stdout += text),
    stderr: (text) => void (result.stderr += text),
  });
  return { code, ...result };
}

/** Of each table how many rows it has and a checksum of their values, whatever their order. */
export async function contentOf(db: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    ORDER BY relname`.execute(db);
  const content: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ content: string }>`
      SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))), '') AS content
      FROM ${sql.id(name)} t`.execute(db);
    content[name] = rows[0]!.content;
  }
  const sequences = await sql<{ name: string; value: string | null }>`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`.execute(
    db,
  );
  for (const { name, value } of sequences.rows) content[name] = String(value);
  return content;
}
