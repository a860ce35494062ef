import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import {
  endAllLoginsAcrossOrganizations,
  findAdminEmailWithGeneratedPassword,
  forgetProviderTokensAcrossOrganizations,
  resealSecondFactorsAcrossOrganizations,
} from '../../modules/accounts/index.ts';
import { resealSecretsAcrossOrganizations } from '../../modules/notifications/index.ts';
import { type Database, type Tx, transaction } from '../../platform/database/index.ts';
import { createSecretBox, keyFingerprint, parseSecretKey } from '../../platform/secrets/index.ts';
import { StartError } from '../../server/open-installation.ts';
import { type CommandContext, CommandError, type OperatorCommand } from './operator-command.ts';

/**
 * The `admin rotate-secret-key` command. Servers must be stopped, because a running server can't decrypt
 * secrets that use the new key, and would continue to encrypt with the old key. One transaction re-encrypts
 * all secrets and changes the fingerprint last, so the database always belongs to exactly one key. The new
 * key is on disk, or printed, before any data changes.
 */
export const rotateSecretKeyCommand: OperatorCommand = {
  name: 'admin rotate-secret-key',
  synopsis: '[--new-key-file FILE]',
  summary: 'Rotate the secret key and re-encrypt all secrets',
  help: `
  --new-key-file FILE  32 bytes in base64 (openssl rand -base64 32); default: generated

1. Stop all servers. The command doesn't run while a server is running.
2. Run the command with the current key (PACEKEEPER_SECRET_KEY, or secret-key in the data directory).
3. All secrets are re-encrypted in one transaction.
4. A key in the data directory is replaced. Otherwise, a generated key is the only output on standard output, printed
   before anything changes. Set PACEKEEPER_SECRET_KEY to it on all servers, then start them.

The administrator must have changed the password generated on the first start, because the old key reveals it.

If the command is interrupted, run it again with the same options. Afterward, everyone has to log in again, and
acknowledge links in earlier messages no longer work.`,
  positionals: [],
  options: { 'new-key-file': { type: 'string' } },
  async run(context) {
    const given = readGivenKey(context);
    const { secretKey, dataDir } = context.config;
    // Replace only a key in the data directory. If the key is set in the environment, the operator replaces
    // it.
    const rotated =
      secretKey === null
        ? await rotateKeyFile(context, dataDir, given)
        : await rotateGivenKey(context, given);
    context.note(rotated);
  },
};

async function rotateGivenKey({ open, print, note }: CommandContext, given: Buffer | null): Promise<string> {
  const { db, secretKey } = await open();
  const newKey = given ?? randomBytes(32);
  if (given === null) {
    note('New key (save it; valid only if rotation succeeds):');
    print(newKey.toString('base64'));
  }
  const count = await rotate(db, secretKey, newKey);
  return `Re-encrypted ${count} values. Set PACEKEEPER_SECRET_KEY to the new key, then start the servers.`;
}

/**
 * Rotates the key in the data directory. The file is replaced after the commit. After a crash in between, the
 * new key still exists next to the old one, and the next call completes the rotation.
 */
async function rotateKeyFile(
  { open, config }: CommandContext,
  dataDir: string,
  given: Buffer | null,
): Promise<string> {
  const file = path.join(dataDir, 'secret-key');
  const newFile = `${file}.new`;
  const interruptedKey = existsSync(newFile) ? parseSecretKey(readFileSync(newFile, 'utf8'), newFile) : null;
  let installation;
  try {
    installation = await open();
  } catch (error) {
    if (!(error instanceof StartError) || interruptedKey === null) throw error;
    await open({ ...config, secretKey: Buffer.from(interruptedKey) });
    renameSync(newFile, file);
    return 'Finished an interrupted rotation. Start the server.';
  }
  // A rotation that was interrupted before its commit changed nothing, so its key can be reused.
  const newKey = given ?? interruptedKey ?? randomBytes(32);
  writeDurably(newFile, newKey);
  const count = await rotate(installation.db, installation.secretKey, newKey);
  renameSync(newFile, file);
  return `Re-encrypted ${count} values. The new key is in ${file}. Start the server.`;
}

async function rotate(db: Database, oldKey: Buffer, newKey: Buffer): Promise<number> {
  if (oldKey.equals(newKey)) throw new CommandError('the new key is the same as the current key.');
  await assertGeneratedPasswordChanged(db, oldKey);
  const secretBox = createSecretBox({ current: newKey, previous: [oldKey] });
  return transaction(db, async (tx) => {
    // Lock the migrations, so that a server that starts now waits before it checks the fingerprint.
    await sql`SET LOCAL statement_timeout = 0`.execute(tx);
    await sql`LOCK TABLE schema_migrations IN ACCESS EXCLUSIVE MODE`.execute(tx);
    await assertNoRunningServers(tx);
    const count =
      (await resealSecretsAcrossOrganizations(tx, secretBox)) +
      (await resealSecondFactorsAcrossOrganizations(tx, secretBox));
    await forgetProviderTokensAcrossOrganizations(tx);
    await endAllLoginsAcrossOrganizations(tx);
    await assertNoRunningServers(tx);
    const result = await sql`
      UPDATE installation SET secret_key_fingerprint = ${keyFingerprint(newKey)}
      WHERE secret_key_fingerprint = ${keyFingerprint(oldKey)}`.execute(tx);
    if (result.numAffectedRows !== 1n) throw new CommandError('the key was changed by another process.');
    return count;
  });
}

/**
 * Throws if a user still has the generated password. This password is derived from the old key, so anyone who has that
 * key could still derive it after the rotation.
 */
async function assertGeneratedPasswordChanged(db: Database, oldKey: Buffer): Promise<void> {
  const email = await findAdminEmailWithGeneratedPassword(db, oldKey);
  if (email !== null)
    throw new CommandError(
      `${email} still has the generated password, which is derived from the current key. Change it on the account page, or run 'pacekeeper admin reset-password ${email}'.`,
    );
}

/** Throws if a server is running. Every server keeps a connection with this application name. */
async function assertNoRunningServers(tx: Tx): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'pacekeeper wake-ups'`.execute(tx);
  const count = rows[0]!.count;
  if (count > 0)
    throw new CommandError(
      `${count === 1 ? 'a server is' : `${count} servers are`} running. Stop all servers first.`,
    );
}

function readGivenKey({ option }: CommandContext): Buffer | null {
  const file = option('new-key-file');
  if (file === null) return null;
  try {
    return parseSecretKey(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new CommandError(`can't read ${file} (${String(error.code)}).`);
    throw error;
  }
}

/**
 * Writes a key and flushes it to disk. Call it before the commit, because afterward no other key decrypts the secrets.
 */
function writeDurably(file: string, key: Buffer): void {
  const handle = openSync(file, 'w', 0o600);
  try {
    writeSync(handle, `${key.toString('base64')}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
