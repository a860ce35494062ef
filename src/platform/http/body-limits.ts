const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;

/** What a body may cost: checked while it is read, and before its fields are looked at. */
export interface BodyLimits {
  /** Unpacked. */
  bytes: number;
  /** Fields and items, however they are nested. */
  values: number;
}

/** Operations of the contract can name others: `x-max-body-bytes`, `x-max-body-values`. */
export const bodyLimits = {
  /** For operations that work without credentials. */
  anonymous: { bytes: 16 * kibibyte, values: 100 },
  /** For operations without a body, whatever is sent to them. */
  ignored: { bytes: 16 * kibibyte, values: 0 },
  known: { bytes: mebibyte, values: 2_000 },
} as const satisfies Record<string, BodyLimits>;

/**
 * A body beyond one of these is checked in the sandbox. Measured: one at both limits keeps the server's thread busy for
 * 15 ms.
 */
export const inlineLimits: BodyLimits = { bytes: mebibyte, values: 20_000 };

/** Up to here all errors of a body are searched for; a larger one is read up to its first error. */
export const maxValuesForAllErrors = 2_000;

/** Errors that an answer lists. */
export const maxListedErrors = 20;

/**
 * Bytes of bodies that a server holds at the same time, by lane: together, and for one holder (an organization, or the
 * block of addresses of a caller without credentials). Small bodies have a lane of their own, so that large ones never
 * hold up ordinary writes.
 */
export const bodyLanes = {
  anonymous: { bytes: 8 * mebibyte, bytesOfHolder: 512 * kibibyte },
  /** Events that hooks receive: their senders are known when the whole event is there. */
  hooks: { bytes: 16 * mebibyte, bytesOfHolder: 4 * mebibyte },
  small: { bytes: 16 * mebibyte, bytesOfHolder: 4 * mebibyte },
  large: { bytes: 64 * mebibyte, bytesOfHolder: 24 * mebibyte },
  /** The embedded agent works for all organizations. */
  embeddedAgent: { bytes: 32 * mebibyte, bytesOfHolder: 32 * mebibyte },
} as const;

/** Up to here a body of a known caller is a small one. */
export const smallBodyBytes = 16 * kibibyte;

/** How long the bytes of a body may take to arrive: time for the first byte, then a pace that a slow line keeps. */
export function bodyDeadlineMs(bytes: number): number {
  return Math.min(55_000, 10_000 + bytes / ((200 * kibibyte) / 1_000));
}
