import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** CPU time of a group of threads, as shares of the time of one CPU. */
export interface CpuShare {
  /** Share of the time in which the threads ran. More than 1 if several ran at the same time. */
  running: number;
  /** Share of the time in which threads were ready to run, but waited for a CPU. */
  waiting: number;
}

/** Names of the groups, in the order in which they are printed. */
export type CpuGroup =
  | "server's thread"
  | "server's other threads"
  | "server's processes"
  | 'PostgreSQL'
  | 'load program'
  | 'other processes';

interface Spent {
  ranNs: number;
  waitedNs: number;
}

/**
 * Measures which processes use CPU time until the returned function is called. Linux only: elsewhere, the
 * function returns null.
 *
 * @param pids The process IDs of the server, of PostgreSQL's postmaster, and of the processes that create the
 * load. Their child processes are included.
 */
export function measureCpuShares(pids: {
  server: number;
  postmaster: number;
  load: () => number[];
}): () => Record<CpuGroup, CpuShare> | null {
  const first = readGroups(pids);
  const startedAt = performance.now();
  return () => {
    const last = readGroups(pids);
    if (!first || !last) return null;
    const tookNs = (performance.now() - startedAt) * 1e6;
    const shares = {} as Record<CpuGroup, CpuShare>;
    let ranNs = 0;
    for (const [name, threads] of Object.entries(last.threads)) {
      const spent = { ranNs: 0, waitedNs: 0 };
      for (const [id, now] of threads) {
        // A thread that started during the measurement has no first value. The CPU time of a thread that
        // ended before the last measurement is attributed to the other processes.
        const before = first.threads[name as CountedGroup].get(id) ?? { ranNs: 0, waitedNs: 0 };
        spent.ranNs += now.ranNs - before.ranNs;
        spent.waitedNs += now.waitedNs - before.waitedNs;
      }
      ranNs += spent.ranNs;
      shares[name as CountedGroup] = { running: spent.ranNs / tookNs, waiting: spent.waitedNs / tookNs };
    }
    const busy = (last.busyTicks - first.busyTicks) / (last.allTicks - first.allTicks);
    const running = busy * availableParallelism() - ranNs / tookNs;
    shares['other processes'] = { running: Math.max(0, running), waiting: Number.NaN };
    return shares;
  };
}

type CountedGroup = Exclude<CpuGroup, 'other processes'>;

interface Reading {
  threads: Record<CountedGroup, Map<string, Spent>>;
  busyTicks: number;
  allTicks: number;
}

function readGroups({ server, postmaster, load }: Parameters<typeof measureCpuShares>[0]): Reading | null {
  try {
    const children = readChildren();
    const threads: Reading['threads'] = {
      "server's thread": new Map(),
      "server's other threads": new Map(),
      "server's processes": new Map(),
      PostgreSQL: new Map(),
      'load program': new Map(),
    };
    for (const [id, spent] of readThreads(server))
      threads[id === `${server}/${server}` ? "server's thread" : "server's other threads"].set(id, spent);
    const add = (group: CountedGroup, pid: number) => {
      for (const [id, spent] of readThreads(pid)) threads[group].set(id, spent);
    };
    for (const pid of descendantsOf(children, server)) add("server's processes", pid);
    for (const pid of [postmaster, ...descendantsOf(children, postmaster)]) add('PostgreSQL', pid);
    for (const pid of load()) add('load program', pid);
    const ticks = readFileSync('/proc/stat', 'utf8').split('\n')[0]!.split(/\s+/).slice(1, 9).map(Number);
    const allTicks = ticks.reduce((sum, value) => sum + value, 0);
    // The fourth and fifth values are idle time.
    return { threads, busyTicks: allTicks - ticks[3]! - ticks[4]!, allTicks };
  } catch {
    return null;
  }
}

/** Reads the times of the threads of a process from `schedstat`, which has nanoseconds. */
function readThreads(pid: number): Map<string, Spent> {
  const threads = new Map<string, Spent>();
  for (const thread of list(`/proc/${pid}/task`)) {
    const text = read(`/proc/${pid}/task/${thread}/schedstat`);
    const [ranNs = 0, waitedNs = 0] = text.split(' ').map(Number);
    if (text !== '') threads.set(`${pid}/${thread}`, { ranNs, waitedNs });
  }
  return threads;
}

function readChildren(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of list('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    // The name of the program can contain spaces and parentheses.
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function descendantsOf(children: ReadonlyMap<number, number[]>, pid: number): number[] {
  return (children.get(pid) ?? []).flatMap((child) => [child, ...descendantsOf(children, child)]);
}

/** Returns the names in a directory. A process can end while its directory is read. */
function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
