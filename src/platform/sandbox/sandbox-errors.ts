/** A sandbox job returned no result. The caller decides which error the user gets. */
export class SandboxError extends Error {
  override name = 'SandboxError';
}

/** A job exceeded its deadline, so the sandbox killed its process. */
export class SandboxTimeoutError extends SandboxError {
  override name = 'SandboxTimeoutError';
  readonly deadlineMs: number;

  constructor(deadlineMs: number) {
    super(`exceeded ${deadlineMs} ms`);
    this.deadlineMs = deadlineMs;
  }
}

/** A job exceeded its memory limit, so its process ended. */
export class SandboxMemoryError extends SandboxError {
  override name = 'SandboxMemoryError';
  readonly maxHeapMb: number;

  constructor(maxHeapMb: number) {
    super(`exceeded ${maxHeapMb} MB of memory`);
    this.maxHeapMb = maxHeapMb;
  }
}

/** A job was rejected because too many jobs are pending. Retrying later can succeed. */
export class SandboxBusyError extends SandboxError {
  override name = 'SandboxBusyError';

  constructor() {
    super('too many pending jobs; try again later');
  }
}

/** The sandbox was closed before the job completed. */
export class SandboxClosedError extends SandboxError {
  override name = 'SandboxClosedError';

  constructor() {
    super('the sandbox is closed');
  }
}

/**
 * The function threw an error or doesn't exist, or its process crashed. This is a defect of Pacekeeper, not
 * of the input.
 */
export class SandboxJobError extends SandboxError {
  override name = 'SandboxJobError';
}
