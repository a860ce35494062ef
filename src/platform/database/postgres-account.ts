import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EmbeddedPostgresError, externalServerRemedy } from './embedded-postgres-error.ts';

/** The account that PostgreSQL runs as when Pacekeeper runs as root. */
export interface PostgresAccount {
  name: string;
  uid: number;
  gid: number;
}

/**
 * Returns the account for PostgreSQL if Pacekeeper runs as root, because PostgreSQL doesn't run as root: the account
 * that already owns the data, `postgres`, or `nobody`. `undefined` if Pacekeeper runs as a regular user, because
 * PostgreSQL then uses the same user.
 */
export function choosePostgresAccount(pgDataDir: string): PostgresAccount | undefined {
  const ownUid = process.getuid?.();
  const owner = statSync(pgDataDir, { throwIfNoEntry: false });
  if (ownUid !== 0) {
    if (owner && owner.uid !== ownUid) {
      throw new EmbeddedPostgresError(
        'folder_not_usable',
        `The database in ${pgDataDir} is owned by user ${owner.uid}, but Pacekeeper is running as user ${ownUid}. ` +
          'Run it as that user or as root, or set a different PACEKEEPER_DATA_DIR.',
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return { name: `user ${owner.uid}`, uid: owner.uid, gid: owner.gid };
  const account = findAccount('postgres') ?? findAccount('nobody');
  if (!account) {
    throw new EmbeddedPostgresError(
      'folder_not_usable',
      'PostgreSQL can\'t run as root, and this system has no "postgres" or "nobody" user. ' +
        `Run Pacekeeper as a regular user. ${externalServerRemedy}`,
    );
  }
  return account;
}

/** Returns spawn options to run a program as the account. Every account can access the working directory. */
export function spawnOptionsFor(account: PostgresAccount | undefined): {
  uid?: number;
  gid?: number;
  cwd: string;
} {
  return account ? { uid: account.uid, gid: account.gid, cwd: '/' } : { cwd: '/' };
}

/**
 * Throws if the account can't access the directory. The error names the parent directory that prevents
 * access.
 */
export function assertDirectoryAccessible(folder: string, account: PostgresAccount): void {
  const { status } = spawnSync('/bin/sh', ['-c', 'cd -- "$0"', folder], spawnOptionsFor(account));
  if (status === 0) return;
  throw new EmbeddedPostgresError(
    'folder_not_usable',
    `PostgreSQL can't run as root, so it runs as ${account.name}, which can't access ` +
      `${findInaccessibleParent(folder, account)}. Put PACEKEEPER_DATA_DIR elsewhere (as root the default is ` +
      '/var/lib/pacekeeper), or run Pacekeeper as a regular user.',
  );
}

function findInaccessibleParent(folder: string, { uid, gid }: PostgresAccount): string {
  const above = [folder];
  while (dirname(above[0] ?? '/') !== above[0]) above.unshift(dirname(above[0] ?? '/'));
  const isClosed = (path: string): boolean => {
    const stat = statSync(path);
    const mayEnter = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    return (stat.mode & mayEnter) === 0;
  };
  return above.find(isClosed) ?? folder;
}

function findAccount(name: string): PostgresAccount | undefined {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [entry, , uid, gid] = line.split(':');
    if (entry === name && Number(uid) > 0)
      return { name: `the user "${name}"`, uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}
