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

interface Read {
  maxBytes: number;
  resolve(object: GitObject | null): void;
  reject(reason: unknown): void;
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
  /** Those that wait for git, in the order in which it answers. */
  const reads: Read[] = [];
  let asked = '';
  let ended: Error | null = null;
  let stderr = '';
  const onAbort = (): void => killGit(child);
  run.signal.addEventListener('abort', onAbort, { once: true });

  function end(reason: Error): void {
    ended ??= reason;
    for (const read of reads.splice(0)) read.reject(ended);
  }

  child.stdout.on('data', createObjectParser(what, reads));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2_000);
  });
  child.stdin.on('error', () => {});
  child.on('error', end);
  child.on('close', () => end(new Error(`git ended early: ${stderr}`)));

  return {
    read(name, maxBytes) {
      return new Promise((resolve, reject) => {
        run.signal.throwIfAborted();
        if (ended) throw ended;
        reads.push({ maxBytes, resolve, reject });
        // What is asked for at one moment is one write, not a thousand.
        if (asked === '') {
          queueMicrotask(() => {
            child.stdin.write(asked);
            asked = '';
          });
        }
        asked += `${name}\n`;
      });
    },
    close() {
      run.signal.removeEventListener('abort', onAbort);
      child.stdin.end();
      killGit(child);
    },
  };
}

/**
 * Takes the output of git piece by piece, and gives each of the reads its object. Without promises of its own: with them,
 * reading objects was a third of what the agent allocated for a thousand small files.
 */
function createObjectParser(what: 'contents' | 'sizes', reads: Read[]): (piece: Buffer) => void {
  let header = '';
  let object: GitObject | null = null;
  /** Bytes of the object that are still to come, with the line end after it. */
  let left = 0;
  let kept: Buffer[] | null = null;

  function begin(): void {
    const [, oid = '', type = '', size = ''] =
      /^([0-9a-f]{40}|[0-9a-f]{64}) (commit|tree|blob|tag) (\d+)$/u.exec(header) ?? [];
    header = '';
    object = oid === '' ? null : { oid, type: type as GitObject['type'], size: Number(size), content: null };
    if (object === null || what === 'sizes') return reads.shift()?.resolve(object);
    left = object.size + 1;
    kept = object.size <= (reads[0]?.maxBytes ?? 0) ? [] : null;
  }

  function finish(): void {
    if (object !== null && kept !== null) object.content = Buffer.concat(kept, object.size);
    kept = null;
    reads.shift()?.resolve(object);
  }

  return (piece) => {
    for (let at = 0; at < piece.byteLength; ) {
      if (left === 0) {
        const lineEnd = piece.indexOf(10, at);
        header += piece.toString('latin1', at, lineEnd < 0 ? piece.byteLength : lineEnd);
        if (lineEnd < 0) return;
        at = lineEnd + 1;
        begin();
      } else {
        const part = piece.subarray(at, at + left);
        at += part.byteLength;
        left -= part.byteLength;
        kept?.push(part);
        if (left === 0) finish();
      }
    }
  };
}
