import { sql } from 'kysely';
import { canReceiveNotifications } from './can-receive-notifications.ts';
import type { ConnectionTarget, Database } from './connect-database.ts';

/** A reason why a database can't be used, or can be used only with a disadvantage. */
interface Unsuitable {
  about: 'encoding' | 'collation' | 'pooler';
  /** False if Pacekeeper works with a disadvantage. */
  isFatal: boolean;
  problem: string;
  remedy: string;
}

const notificationTimeoutMs = 3_000;

/**
 * Finds out if a database has the encoding and the collation that Pacekeeper requires. Neither can be changed later, so
 * the server checks both before it creates the first table.
 */
export async function findUnsuitableSettings(db: Database): Promise<Unsuitable[]> {
  const { rows } = await sql<{
    name: string;
    encoding: string;
    ctype: string;
    foldsAscii: boolean;
    encodesAll: boolean;
  }>`
    SELECT current_database() AS name, pg_encoding_to_char(encoding) AS encoding, datctype AS ctype,
      lower('TITLE') = 'title' AND upper('title') = 'TITLE' AS "foldsAscii",
      pg_encoding_to_char(encoding) = 'UTF8' AS "encodesAll"
    FROM pg_database WHERE datname = current_database()`.execute(db);
  const { name, encoding, ctype, foldsAscii, encodesAll } = rows[0]!;
  const remedy = `Create the database again: CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'.`;
  const found: Unsuitable[] = [];
  if (!encodesAll)
    found.push({
      about: 'encoding',
      isFatal: true,
      problem: `The database ${name} has the encoding ${encoding}, but Pacekeeper requires UTF8.`,
      remedy,
    });
  if (!foldsAscii)
    found.push({
      about: 'collation',
      isFatal: true,
      problem: `The database ${name} has the character type ${ctype}, in which "TITLE" and "title" are different words.`,
      remedy,
    });
  const sorting = await readSortingVersions(db);
  if (sorting !== null)
    found.push({
      about: 'collation',
      isFatal: false,
      problem: `The indexes of the database ${name} were created with version ${sorting.recorded} of the rules that sort texts, but the server uses version ${sorting.actual}. Searches can miss rows, and duplicates are possible.`,
      remedy: `Run REINDEX DATABASE "${name}", then ALTER DATABASE "${name}" REFRESH COLLATION VERSION.`,
    });
  if (encodesAll && foldsAscii && !(await foldsAll(db)))
    found.push({
      about: 'collation',
      isFatal: false,
      problem: `The database ${name} has the character type ${ctype}, so searches distinguish upper and lower case in letters such as Ä.`,
      remedy,
    });
  return found;
}

/**
 * Returns two versions of the library that sorts text, if they differ: the one with which the indexes were
 * created, and the one that the server uses. The version can change with an upgrade of the operating system,
 * another image, or a copy of the data directory to another machine. Only PostgreSQL 15 and later record it.
 */
async function readSortingVersions(db: Database): Promise<{ recorded: string; actual: string } | null> {
  const { rows: servers } = await sql<{ isRecorded: boolean }>`
    SELECT current_setting('server_version_num')::int >= 150000 AS "isRecorded"`.execute(db);
  if (!servers[0]!.isRecorded) return null;
  const { rows } = await sql<{ recorded: string; actual: string }>`
    SELECT datcollversion AS recorded, pg_database_collation_actual_version(oid) AS actual FROM pg_database
    WHERE datname = current_database() AND datcollversion <> pg_database_collation_actual_version(oid)`.execute(
    db,
  );
  return rows[0] ?? null;
}

async function foldsAll(db: Database): Promise<boolean> {
  const { rows } = await sql<{ folds: boolean }>`SELECT lower('Ä') = 'ä' AS folds`.execute(db);
  return rows[0]!.folds;
}

/**
 * Finds out if a pooler assigns a connection to each transaction. Prepared statements and notifications then
 * fail, unless the server has a direct connection for notifications.
 */
export async function findPooler(connection: ConnectionTarget, db: Database): Promise<Unsuitable[]> {
  if (await canReceiveNotifications(connection, db, notificationTimeoutMs)) return [];
  return [
    {
      about: 'pooler',
      isFatal: true,
      problem:
        "Notifications don't arrive: DATABASE_URL points to a pooler that assigns a connection to each transaction.",
      remedy: 'Set PACEKEEPER_DATABASE_LISTEN_URL to a direct connection to the same database.',
    },
  ];
}
