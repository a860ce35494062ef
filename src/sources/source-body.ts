import { createFairLimit, type FairLimit } from '../platform/fairness/index.ts';

/**
 * Response body of a host, in the pieces in which it arrived. The body is untrusted, so the process that
 * fetched it doesn't parse it.
 */
export interface SourceBody {
  readonly bytes: number;
  /** Pieces of the body. Empty after `free`. */
  readonly pieces: readonly Uint8Array[];
  /** Releases the pieces and their memory. A caller that still needs the pieces must copy the list first. */
  free(): void;
}

/**
 * Number of bytes of each body that don't count against the memory limit. The lists of ordinary projects are
 * smaller.
 */
export const unmeteredBytes = 1024 * 1024;

/**
 * Creates the memory limit for bodies larger than `unmeteredBytes`: 96 MiB in total and 48 MiB per organization, which
 * is enough for one list of 32 MiB or several of 8 MiB. The rest of a body that exceeds the limit isn't read from its
 * connection until memory is available. Small bodies don't wait.
 */
export function createBodyMemoryLimit(): FairLimit {
  return createFairLimit({ max: 96 * 1024 * 1024, maxPerKey: 48 * 1024 * 1024 });
}

export interface BodyCollector {
  /** Adds a piece, then waits until there is memory for the largest body that can follow. */
  add(piece: Uint8Array): Promise<void>;
  /**
   * Reserves memory without adding a piece. Use `reserve` and `push` instead of `add` if the position of a
   * piece isn't known yet.
   */
  reserve(bytes: number): Promise<void>;
  push(piece: Uint8Array): void;
  /** Returns the collected body. */
  body(): SourceBody;
  /** Releases the collected pieces and their memory. */
  free(): void;
}

/**
 * @param options.maxBytes Maximum size of the body, which is the amount of memory to reserve. The collector
 * doesn't enforce it.
 */
export function createBodyCollector(
  room: FairLimit,
  options: { fairKey: string; maxBytes: number; signal: AbortSignal },
): BodyCollector {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let reserved = 0;
  let releaseMemory: (() => void) | null = null;

  function free(): void {
    pieces.length = 0;
    releaseMemory?.();
    releaseMemory = null;
  }

  async function reserve(more: number): Promise<void> {
    reserved += more;
    if (reserved <= unmeteredBytes || releaseMemory) return;
    releaseMemory = await room.enter(options.fairKey, { weight: options.maxBytes, signal: options.signal });
  }

  function push(piece: Uint8Array): void {
    pieces.push(piece);
    bytes += piece.byteLength;
  }

  return {
    async add(piece) {
      push(piece);
      await reserve(piece.byteLength);
    },
    reserve,
    push,
    body: () => ({ bytes, pieces, free }),
    free,
  };
}

export const emptyBody: SourceBody = { bytes: 0, pieces: [], free: () => undefined };
