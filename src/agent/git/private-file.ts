import { execFile } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';

/** A file that only this process and those that it starts can open. */
export interface PrivateFile {
  path: string;
  close(): void;
}

/**
 * Creates the file without a name where that works, so that nothing is left of it when this process is killed: its name is
 * removed before it has any content, and others open it through the descriptor of this process. OpenSSH closes inherited
 * descriptors at its start, so it can't use one of its own.
 *
 * Without `/proc`, or if others may not read it there, the file has the given name.
 */
export async function createPrivateFile(file: string, content: string): Promise<PrivateFile> {
  const descriptor = openSync(file, 'wx', 0o600);
  const path = `/proc/${process.pid}/fd/${descriptor}`;
  const close = () => closeSync(descriptor);
  try {
    rmSync(file);
    if (await canOthersOpen(path)) {
      writeFileSync(descriptor, content);
      return { path, close };
    }
  } catch (error) {
    close();
    throw error;
  }
  close();
  writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
  return { path: file, close: () => rmSync(file, { force: true }) };
}

function canOthersOpen(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('/bin/sh', ['-c', ': < "$0"', path], (error) => resolve(error === null));
  });
}
