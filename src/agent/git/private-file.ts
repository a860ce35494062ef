import { execFile } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';

/** A file that only this process and its child processes can open. */
export interface PrivateFile {
  path: string;
  close(): void;
}

/**
 * Creates a file without a name if the platform supports it, so that nothing remains if this process is
 * killed. The name is removed before anything is written to the file. Child processes open the file through
 * `/proc` with the descriptor of this process, because OpenSSH closes inherited descriptors when it starts.
 *
 * Without `/proc`, or if child processes can't read the file there, the file keeps the given name.
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
