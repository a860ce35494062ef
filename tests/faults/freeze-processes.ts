import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Stops a PostgreSQL in the middle of whatever it does, with all its processes. Answers what lets it go on. */
export function freezePostgres(dataDir: string): () => void {
  const pid = Number(readFileSync(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
  // The postmaster first, so that it starts no more of them.
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
    // The name of the program, in brackets, may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return Number(fields[1]);
  } catch {
    return null;
  }
}

/** One that has ended meanwhile needs none. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
