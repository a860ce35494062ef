import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Returns the start time of a process, which distinguishes the process from a later one with the same PID. `undefined`
 * if the process doesn't exist. The PID alone isn't sufficient, because the program has the same PID after every start
 * of a container.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The program name is in parentheses and can contain any character, so count the fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startedAtTicks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X') return undefined;
  return `${readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${startedAtTicks}`;
}

/** True if this process is the main process of a PostgreSQL server for this data directory. */
export function isPostgresOf(pid: number, pgDataDir: string): boolean {
  if (process.platform !== 'linux') return (ps(pid, 'command') ?? '').includes(`postgres -D ${pgDataDir}`);
  const args = readIfThere(`/proc/${pid}/cmdline`)?.split('\0') ?? [];
  return basename(args[0] ?? '') === 'postgres' && args.includes(pgDataDir);
}

function ps(pid: number, column: string): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
