/** What the pool sends to a process: one order at a time, then what belongs to it. */
export type SandboxMessage =
  | SandboxOrder
  /** A piece of the body of an order, `null` behind the last one. */
  | { kind: 'piece'; job: number; piece: Uint8Array | null }
  /** The part before was taken: go on. */
  | { kind: 'next'; job: number };

export interface SandboxOrder {
  kind: 'order';
  /** Tells apart what belongs to this order and what is left of the one before. */
  job: number;
  moduleUrl: string;
  exportName: string;
  input: unknown;
  /** The function gets the body as its second argument and returns parts, one by one. */
  isStream: boolean;
}

/** What the process sends back: `started`, parts (of a stream), then one of the others. */
export type SandboxAnswer =
  | { kind: 'started' }
  /** Sent once the one before was taken. */
  | { kind: 'part'; part: unknown }
  /** `heapMb`: what the job left behind, used or not yet collected. */
  | { kind: 'done'; output: unknown; heapMb: number }
  | { kind: 'failed'; message: string; heapMb: number };
