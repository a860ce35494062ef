import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { killGit, startGit } from './git-process.ts';

export interface GitObject {
  oid: string;
  type: 'commit' | 'tree' | 'blob' | 'tag';
  size: number;
  /** Null when it is larger than was asked for. */
  content: Buffer | null;
}

/** Reads objects that are in the repository already, through one git: all that is asked for at once, in this order. */
export interface ObjectReader {
  /** Null when it is not there. @param name an object id, or a ref and `^{commit}`; never a line end. */
  read(name: string, maxBytes: number): Promise<GitObject | null>;
  close(): void;
}

/** @param what `contents`, or `sizes` for objects of which only type and size count. */
export function openObjects(
  run: { env: Readonly<Record<string, string>>; cwd: string; signal: AbortSignal },
  what: 'contents' | 'sizes' = 'contents',
): ObjectReader {
  const child = startGit({
    args: ['cat-file', what === 'contents' ? '--batch' : '--batch-check'],
    env: run.env,
    cwd: run.cwd,
  });
  const bytes = createByteQueue(child);
  let last: Promise<unknown> = Promise.resolve();
  let isCorked = false;
  const onAbort = (): void => killGit(child);
  run.signal.addEventListener('abort', onAbort, { once: true });

  /** What is asked for at one moment is one write, not a thousand. */
  function ask(name: string): void {
    if (!isCorked) {
      isCorked = true;
      child.stdin.cork();
      queueMicrotask(() => {
        isCorked = false;
        child.stdin.uncork();
      });
    }
    child.stdin.write(`${name}\n`);
  }

  async function readNext(maxBytes: number): Promise<GitObject | null> {
    const header = await bytes.line();
    const [, oid = '', type = '', size = ''] =
      /^([0-9a-f]{40}|[0-9a-f]{64}) (commit|tree|blob|tag) (\d+)$/u.exec(header) ?? [];
    if (oid === '') return null;
    const object = { oid, type: type as GitObject['type'], size: Number(size) };
    if (what === 'sizes') return { ...object, content: null };
    const content = await bytes.take(object.size, object.size <= maxBytes);
    await bytes.take(1, false);
    return { ...object, content };
  }

  return {
    async read(name, maxBytes) {
      run.signal.throwIfAborted();
      ask(name);
      const next = last.then(() => readNext(maxBytes));
      last = next.catch(() => {});
      return next;
    },
    close() {
      run.signal.removeEventListener('abort', onAbort);
      child.stdin.end();
      killGit(child);
    },
  };
}

/** What comes out of a process, taken piece by piece; what nobody has taken yet holds the process up. */
function createByteQueue(child: ChildProcessWithoutNullStreams) {
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let rest: Buffer = Buffer.alloc(0);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2_000);
  });
  child.stdin.on('error', () => {});
  child.on('error', (error) => child.stdout.destroy(error));

  async function more(): Promise<Buffer> {
    const next = await chunks.next();
    if (next.done) throw new Error(`git ended early: ${stderr}`);
    return next.value;
  }

  async function line(): Promise<string> {
    for (;;) {
      const end = rest.indexOf(10);
      if (end >= 0) {
        const text = rest.toString('utf8', 0, end);
        rest = rest.subarray(end + 1);
        return text;
      }
      rest = Buffer.concat([rest, await more()]);
    }
  }

  /** So many bytes, or null when they are only passed over. */
  async function take(count: number, isKept: boolean): Promise<Buffer | null> {
    const kept: Buffer[] = [];
    let left = count;
    for (;;) {
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.byteLength);
      left -= part.byteLength;
      if (isKept) kept.push(part);
      if (left === 0) return isKept ? Buffer.concat(kept) : null;
      rest = await more();
    }
  }

  return { line, take };
}
