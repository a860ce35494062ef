import { ownValue } from '../../domain/json/own-value.ts';

/** Remedies for errors of PostgreSQL that only an operator can solve, by SQL state. */
const remedies: Readonly<Record<string, string>> = {
  '42501':
    'Grant the missing privilege, for example with GRANT CREATE ON SCHEMA public TO <role>, or make the role the owner of the database.',
  '25006':
    'The database is read-only: it is a standby, or default_transaction_read_only is on. Use the address of the primary server, or name all servers (postgres://…@db1,db2/name).',
  '53300':
    'All connections of the server, the database, or the role are in use. Raise max_connections or the CONNECTION LIMIT, or stop other programs. Each Pacekeeper server needs up to 15.',
};

/** Returns a sentence for an error of PostgreSQL that the operator can solve; null for other errors. */
export function explainDatabaseError(error: unknown): string | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    const remedy = 'code' in each ? ownValue(remedies, String(each.code)) : undefined;
    if (remedy !== undefined) return `DATABASE_URL: ${each.message.replace(/\.$/, '')}. ${remedy}`;
  }
  return null;
}
