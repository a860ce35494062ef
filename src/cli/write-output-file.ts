import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { ownValue } from '../domain/json/own-value.ts';
import { usageError } from './cli-error.ts';
import type { CliIo } from './cli-io.ts';
import { confirm } from './confirm.ts';

export interface OutputFileOptions {
  hasSecrets: boolean;
  /** True with `--yes`: an existing file is overwritten without confirmation. */
  mayOverwrite: boolean;
}

/**
 * Writes a file that was specified on the command line. A file with secrets is readable only by its owner,
 * even if it existed with a different mode. Symbolic links aren't followed, because the author of a checkout
 * could have added one.
 */
export async function writeOutputFile(
  io: CliIo,
  file: string,
  text: string,
  { hasSecrets, mayOverwrite }: OutputFileOptions,
): Promise<void> {
  const mode = hasSecrets ? 0o600 : 0o666;
  const handle =
    (mayOverwrite ? null : await openNew(file, mode)) ?? (await openExisting(io, file, mode, mayOverwrite));
  try {
    // The mode above applies only to new files, so set it for existing files too. Devices and pipes keep their mode.
    if (hasSecrets && (await handle.stat()).isFile()) await handle.chmod(0o600);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/**
 * Creates a file.
 * @returns The handle, or `null` if the path already exists.
 */
async function openNew(file: string, mode: number): Promise<FileHandle | null> {
  return open(file, 'wx', mode).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw cannotWrite(file, error);
  });
}

async function openExisting(
  io: CliIo,
  file: string,
  mode: number,
  mayOverwrite: boolean,
): Promise<FileHandle> {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
  // Windows doesn't support `O_NOFOLLOW`.
  const links = isOpenFile(file) ? 0 : (O_NOFOLLOW ?? 0);
  const handle = await open(file, O_WRONLY | O_CREAT | links, mode).catch((error: NodeJS.ErrnoException) => {
    throw cannotWrite(file, error);
  });
  try {
    const found = await handle.stat();
    // Overwriting a non-empty file requires confirmation. Files opened by the shell, devices, pipes, and
    // empty files can't lose content.
    const hasContent = found.isFile() && found.size > 0 && !isOpenFile(file);
    if (hasContent && !mayOverwrite) await confirm(io, `${file} already exists. Overwrite it? `);
    if (found.isFile()) await handle.truncate();
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * True for files that the shell has opened. The operating system provides them as links, which must be
 * followed.
 */
function isOpenFile(file: string): boolean {
  return /^\/dev\/(?:stdout|stderr|fd\/\d+)$/.test(path.resolve(file));
}

function cannotWrite(file: string, { code, message }: NodeJS.ErrnoException): Error {
  return usageError(`Can't write ${file}: ${ownValue(reasons, code ?? '') ?? message}`);
}

const reasons: Readonly<Record<string, string>> = {
  ELOOP: "it's a symbolic link. Remove it, or specify the file it points to.",
  ENOENT: 'directory not found.',
  ENOTDIR: 'directory not found.',
  EISDIR: "it's a directory.",
  EACCES: "you don't have permission.",
};
