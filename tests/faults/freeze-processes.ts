import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Freezes all processes of a PostgreSQL server at an arbitrary point.
 * @returns A function that resumes them.
 */
export function freezePostgres(dataDir: string): () => void {
  const pid = Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  // Freeze the postmaster first, so that it doesn't start more processes.
  process.kill(pid, 'SIGSTOP');
  const frozen = [pid, ...childrenOf(pid)];
  for (const child of frozen.slice(1)) signal(child, 'SIGSTOP');
  return () => {
    for (const each of frozen) signal(each, 'SIGCONT');
  };
}

export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): number | null {
  try {
    // The program name is in parentheses and can contain any characters, so read only the fields after the last
    // parenthesis.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return Number(fields[1]);
  } catch {
    return null;
  }
}

/** Sends a signal to a process. Ignores a process that has already exited. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
