/**
 * Where work runs that a user can make slow or large: a pool of processes with a deadline and a limit on memory. A *job* is
 * a call of an exported function with plain data; one that finds much returns it part by part.
 */
export {
  createSandbox,
  type RunOptions,
  type Sandbox,
  type SandboxOptions,
  type StreamOptions,
} from './sandbox.ts';
export {
  SandboxBusyError,
  SandboxClosedError,
  SandboxError,
  SandboxJobError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from './sandbox-errors.ts';
export { throwSandboxFailure } from './throw-sandbox-failure.ts';
