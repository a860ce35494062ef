/**
 * Runs work that a user can make slow or large in a pool of processes with a deadline and a memory limit. A
 * *job* is a call to an exported function with plain data. A job with a large result returns it part by part.
 */
export { readUntrustedJson, type UntrustedJsonReader } from './read-untrusted-json.ts';
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
