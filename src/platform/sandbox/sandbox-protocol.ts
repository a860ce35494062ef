/**
 * Message from the pool to a process. An order starts a job. A process has one order at a time, and the other
 * messages belong to that order.
 */
export type SandboxMessage =
  | SandboxJobRequest
  /** A piece of the body of an order, or `null` after the last piece. */
  | { kind: 'piece'; job: number; piece: Uint8Array | null }
  /** The previous part was consumed, so the process can send the next one. */
  | { kind: 'next'; job: number };

export interface SandboxJobRequest {
  kind: 'order';
  /** Distinguishes messages of this order from late messages of the previous one. */
  job: number;
  moduleUrl: string;
  exportName: string;
  input: unknown;
  /** True if the function receives the body as its second argument and yields the result in parts. */
  isStream: boolean;
}

/** Message from a process to the pool: `started`, then the parts of a stream, then `done` or `failed`. */
export type SandboxResponse =
  | { kind: 'started' }
  /** A part of a stream, sent after the previous part was consumed. */
  | { kind: 'part'; part: unknown }
  /** `heapMb` is the used heap after the job, including garbage that isn't collected yet. */
  | { kind: 'done'; output: unknown; heapMb: number }
  | { kind: 'failed'; message: string; heapMb: number };
