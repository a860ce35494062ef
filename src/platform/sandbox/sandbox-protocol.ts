/** What the pool sends to a process. One at a time. */
export interface SandboxOrder {
  moduleUrl: string;
  exportName: string;
  input: unknown;
}

/** What the process sends back: `started`, then one of the others. */
export type SandboxAnswer =
  | { kind: 'started' }
  /** `heapMb`: what the job left behind, used or not yet collected. */
  | { kind: 'done'; output: unknown; heapMb: number }
  | { kind: 'failed'; message: string; heapMb: number };
