import { createFairLimit, type FairLimit } from './fair-limit.ts';

/**
 * The response of a host, in the pieces in which it arrived. It's untrusted, so the process that fetched it doesn't read
 * it.
 */
export interface SourceBody {
  readonly bytes: number;
  /** Empty after it was released. */
  readonly pieces: readonly Uint8Array[];
  /** Releases the pieces and their memory. Callers that still need them must have copied the list. */
  free(): void;
}

/** So much of each answer needs no room of its own: lists of ordinary projects are smaller. */
export const freeBytes = 1024 * 1024;

/**
 * Room for what is larger, of all organizations and of one: for one list of 32 MiB, or several of 8. What finds no room
 * stays on the line until its turn, while small answers pass.
 */
export function createBodyRoom(): FairLimit {
  return createFairLimit({ max: 96 * 1024 * 1024, maxPerKey: 48 * 1024 * 1024 });
}

export interface BodyCollector {
  /** Waits until there is room for the piece and for all that may follow it. */
  add(piece: Uint8Array): Promise<void>;
  /** The two halves of it, for pieces whose place is known later. */
  reserve(bytes: number): Promise<void>;
  push(piece: Uint8Array): void;
  /** What was collected. */
  body(): SourceBody;
  /** Releases what was collected so far. */
  free(): void;
}

/** @param options.maxBytes that may come; more is not looked for here. */
export function createBodyCollector(
  room: FairLimit,
  options: { fairKey: string; maxBytes: number; signal: AbortSignal },
): BodyCollector {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let reserved = 0;
  let leave: (() => void) | null = null;

  function free(): void {
    pieces.length = 0;
    leave?.();
    leave = null;
  }

  async function reserve(more: number): Promise<void> {
    reserved += more;
    if (reserved <= freeBytes || leave) return;
    leave = await room.enter(options.fairKey, { weight: options.maxBytes, signal: options.signal });
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

export const noBody: SourceBody = { bytes: 0, pieces: [], free: () => undefined };
