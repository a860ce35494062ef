/** Why a job of the sandbox gave no answer. Whoever ran it says what that means for the user. */
export class SandboxError extends Error {
  override name = 'SandboxError';
}

/** It took longer than its deadline; its process is gone. */
export class SandboxTimeoutError extends SandboxError {
  override name = 'SandboxTimeoutError';
  readonly deadlineMs: number;

  constructor(deadlineMs: number) {
    super(`exceeded ${deadlineMs} ms`);
    this.deadlineMs = deadlineMs;
  }
}

/** It needed more memory than it may have; its process is gone. */
export class SandboxMemoryError extends SandboxError {
  override name = 'SandboxMemoryError';
  readonly maxHeapMb: number;

  constructor(maxHeapMb: number) {
    super(`exceeded ${maxHeapMb} MB of memory`);
    this.maxHeapMb = maxHeapMb;
  }
}

/** Too many jobs wait; it was not begun. Trying again later can help. */
export class SandboxBusyError extends SandboxError {
  override name = 'SandboxBusyError';

  constructor() {
    super('too many pending jobs; try again later');
  }
}

/** The sandbox was closed before the job had an answer. */
export class SandboxClosedError extends SandboxError {
  override name = 'SandboxClosedError';

  constructor() {
    super('the sandbox is closed');
  }
}

/** The function itself threw, or there is none of that name, or its process broke: a defect of ours, not of the input. */
export class SandboxJobError extends SandboxError {
  override name = 'SandboxJobError';
}
