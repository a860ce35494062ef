import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from './cli-error.ts';

/**
 * Writes a file named on the command line. A file with secrets is readable only by its owner, even if it existed with
 * another mode. Symbolic links aren't followed: in a checkout, anybody can have put one there.
 */
export async function writeOutputFile(
  file: string,
  text: string,
  { hasSecrets }: { hasSecrets: boolean },
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  // Windows doesn't have the flag.
  const links = isOpenFile(file) ? 0 : (O_NOFOLLOW ?? 0);
  const mode = hasSecrets ? 0o600 : 0o666;
  const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | links, mode).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ELOOP') throw error;
      throw usageError(`Can't write ${file}: it's a symbolic link. Remove it, or name the file it leads to.`);
    },
  );
  try {
    // The mode above applies to new files. Devices and pipes keep their mode.
    if (hasSecrets && (await handle.stat()).isFile()) await handle.chmod(0o600);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** Files that the shell has opened are links of the system. */
function isOpenFile(file: string): boolean {
  return /^\/dev\/(?:stdout|stderr|fd\/\d+)$/.test(path.resolve(file));
}
