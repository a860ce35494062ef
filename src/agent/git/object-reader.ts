import { killGit, startGit } from './git-process.ts';

export interface GitObject {
  oid: string;
  type: 'commit' | 'tree' | 'blob' | 'tag';
  size: number;
  /** Null if the object is larger than the requested maximum. */
  content: Buffer | null;
}

/**
 * Reads local objects through one git process. Concurrent reads are sent together and return in the same
 * order.
 */
export interface ObjectReader {
  /**
   * Returns an object, or null if it doesn't exist.
   * @param name An object ID, or a ref followed by `^{commit}`, without newlines.
   */
  read(name: string, maxBytes: number): Promise<GitObject | null>;
  close(): void;
}

interface Read {
  maxBytes: number;
  resolve(object: GitObject | null): void;
  reject(reason: unknown): void;
}

/** @param what `contents`, or `sizes` for objects of which only the type and size are required. */
export function openObjects(
  run: { env: Readonly<Record<string, string>>; cwd: string; signal: AbortSignal },
  what: 'contents' | 'sizes' = 'contents',
): ObjectReader {
  const child = startGit({
    args: ['cat-file', what === 'contents' ? '--batch' : '--batch-check'],
    env: run.env,
    cwd: run.cwd,
  });
  /** Pending reads, in the order in which git returns the objects. */
  const reads: Read[] = [];
  let pendingInput = '';
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
        // All reads of the same tick are sent in one write.
        if (pendingInput === '') {
          queueMicrotask(() => {
            child.stdin.write(pendingInput);
            pendingInput = '';
          });
        }
        pendingInput += `${name}\n`;
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
 * Parses the output of git piece by piece, and resolves each read with its object. It creates no further
 * promises, because additional ones caused a third of the agent's allocations when reading a thousand small
 * files.
 */
function createObjectParser(what: 'contents' | 'sizes', reads: Read[]): (piece: Buffer) => void {
  let header = '';
  let object: GitObject | null = null;
  /** Remaining bytes of the object, including the newline after it. */
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
