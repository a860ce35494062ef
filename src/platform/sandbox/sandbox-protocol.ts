/** What the pool sends to a process. One at a time. */
export interface SandboxOrder {
  moduleUrl: string;
  exportName: string;
  input: unknown;
}

/** What the process sends back: `started`, then one of the others. */
export type SandboxAnswer =
  | { kind: 'started' }
  | { kind: 'done'; output: unknown }
  | { kind: 'failed'; message: string };
