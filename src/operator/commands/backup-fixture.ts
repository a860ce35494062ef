import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { runBackupCommand } from './backup-command.ts';
import type { CommandResult } from './command-fixture.ts';
import { runDoctorCommand } from './doctor-command.ts';
import { runMigrateCommand } from './migrate-command.ts';
import { runMigrateDataCommand } from './migrate-data-command.ts';
import type { CommandOutput } from './operator-command.ts';
import { runRestoreCommand } from './restore-command.ts';

const commands = {
  backup: runBackupCommand,
  restore: runRestoreCommand,
  'migrate-data': runMigrateDataCommand,
  doctor: runDoctorCommand,
  migrate: runMigrateCommand,
} satisfies Record<
  string,
  (argv: string[], env: NodeJS.ProcessEnv, output: CommandOutput) => Promise<number>
>;

/** Runs a maintenance command in this process. */
export async function runMaintenanceCommand(
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

/** Returns the column names of each table. */
export async function columnsOf(db: Database): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name) AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY table_name ORDER BY table_name`.execute(
    db,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/**
 * Returns the row count and a checksum of the values of each table, regardless of row order, and the last
 * value of each sequence.
 */
export async function contentOf(
  db: Database,
  columnsByTable?: ReadonlyMap<string, readonly string[]>,
): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const [name, columns] of columnsByTable ?? (await columnsOf(db))) {
    const values = sql`ROW(${sql.join(columns.map((column) => sql.id(column)))})::text`;
    const { rows } = await sql<{ content: string }>`
      SELECT count(*) || ' ' || coalesce(md5(string_agg(md5(${values}), '' ORDER BY md5(${values}))), '') AS content
      FROM ${sql.id(name)}`.execute(db);
    content[name] = rows[0]!.content;
  }
  const sequences = await sql<{ name: string; value: string | null }>`
    SELECT sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`.execute(
    db,
  );
  for (const { name, value } of sequences.rows) content[name] = String(value);
  return content;
}
