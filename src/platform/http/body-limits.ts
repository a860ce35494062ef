const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** Limits of a body, checked while it's read and before its fields are validated. */
export interface BodyLimits {
  /** Maximum number of bytes after decompression. */
  bytes: number;
  /** Maximum number of fields and items at all levels of nesting. */
  values: number;
}

/**
 * Default limits. Operations of the contract can override them with `x-max-body-bytes` and
 * `x-max-body-values`.
 */
export const bodyLimits = {
  /** For operations that work without credentials. */
  anonymous: { bytes: 16 * kibibyte, values: 100 },
  /** For operations without a body. Clients can still send one. */
  ignored: { bytes: 16 * kibibyte, values: 0 },
  known: { bytes: mebibyte, values: 2_000 },
} as const satisfies Record<string, BodyLimits>;

/**
 * Limits up to which a body is checked in the server's thread. Larger bodies are checked in the sandbox.
 * Measured: a body at both limits keeps the thread busy for 15 ms.
 */
export const inlineLimits: BodyLimits = { bytes: mebibyte, values: 20_000 };

/**
 * Number of values up to which validation finds all errors of a body. For larger bodies, it stops at the
 * first error.
 */
export const maxValuesForAllErrors = 2_000;

/**
 * Maximum number of members of one list or object in a body. Parsing an object of a million fields takes
 * seconds; the longest allowed list has 10,000 items.
 */
export const maxBodyMembers = 20_000;

/**
 * Maximum nesting depth of a body. It's far beyond the depth that `checkTexts` accepts, so that bodies with
 * excessive nesting reach its specific error.
 */
export const maxBodyDepth = 1_000;

/** Maximum number of errors in a response. */
export const maxListedErrors = 20;

/**
 * Limits for the request bodies that a server holds at the same time, in bytes by lane: for all bodies, and for those
 * of one holder (an organization, or the address block of a client without credentials). Small bodies have a separate
 * lane, so that large ones never delay ordinary writes.
 */
export const bodyLanes = {
  anonymous: { bytes: 8 * mebibyte, bytesOfHolder: 512 * kibibyte },
  /**
   * Events that hooks receive. They have a separate lane, because the sender is unknown until the whole event has
   * arrived.
   */
  hooks: { bytes: 16 * mebibyte, bytesOfHolder: 4 * mebibyte },
  small: { bytes: 16 * mebibyte, bytesOfHolder: 4 * mebibyte },
  large: { bytes: 64 * mebibyte, bytesOfHolder: 24 * mebibyte },
  /** The embedded agent works for all organizations, so it can use the whole lane. */
  embeddedAgent: { bytes: 32 * mebibyte, bytesOfHolder: 32 * mebibyte },
} as const;

/** Maximum size of a small body of an authenticated client. */
export const smallBodyBytes = 16 * kibibyte;

/**
 * Returns the deadline for receiving a body: time for the first byte, plus the time that a slow connection
 * requires for the rest.
 */
export function bodyDeadlineMs(bytes: number): number {
  return Math.min(55_000, 10_000 + bytes / ((200 * kibibyte) / 1_000));
}
