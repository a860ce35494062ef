import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * What tells a process from a later one with the same pid: when it was started. `undefined`: no such process.
 * A pid alone says little, since in a container the program has the same pid after every start.
 */
export function processIdentity(pid: number): string | undefined {
  if (process.platform !== 'linux') return ps(pid, 'lstart');
  const stat = readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name of the program stands in parentheses and may hold anything; the fields are counted behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startedAtTicks] = [fields[0], fields[19]];
  if (state === 'Z' || state === 'X') return undefined;
  return `${readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}:${startedAtTicks}`;
}

/** Whether this process is the main process of a PostgreSQL that serves this data folder. */
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
