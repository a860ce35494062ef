import { ApiError } from '../errors.ts';
import { bodyLanes } from './body-limits.ts';

export type BodyLane = keyof typeof bodyLanes;

/** Bytes reserved for one body. */
export interface BodyReservation {
  /** Aborted when the body is evicted for another holder. The eviction releases the bytes of the body. */
  readonly evicted: AbortSignal;
  /** Call this when the body has arrived. It can't be evicted after that. */
  arrived(): void;
  /** Reduces the reservation to this number of bytes, once the actual size is known. */
  shrinkTo(bytes: number): void;
  /**
   * Releases the bytes. Call this when the body is no longer in memory, also after a failure. A second call
   * does nothing.
   */
  release(): void;
}

/**
 * Limits the bytes of request bodies in memory. Capacity is reserved before the first byte is read. If a lane
 * is full, a new body evicts a body of the holder with the most bytes, so no holder can block a lane for the
 * others.
 */
export interface BodyBudget {
  /**
   * Reserves the bytes of one body.
   *
   * @throws ApiError 429 if the holder exceeds its limit, 503 if all holders together exceed the lane's
   * limit.
   */
  reserve(lane: BodyLane, holder: string, bytes: number): BodyReservation;
  bytesInFlight(): number;
}

interface Holder {
  bytes: number;
  /** Bodies that are still arriving, newest last. */
  arriving: Set<{ evict(): void }>;
}

const retryAfterSeconds = 2;

export function createBodyBudget(
  lanes: Readonly<Record<BodyLane, { bytes: number; bytesOfHolder: number }>> = bodyLanes,
): BodyBudget {
  const held = new Map<BodyLane, { bytes: number; holders: Map<string, Holder> }>();
  for (const lane of Object.keys(lanes) as BodyLane[]) held.set(lane, { bytes: 0, holders: new Map() });

  return {
    reserve(lane, name, bytes) {
      const inLane = held.get(lane)!;
      const holder: Holder = inLane.holders.get(name) ?? { bytes: 0, arriving: new Set() };
      if (holder.bytes + bytes > lanes[lane].bytesOfHolder) throw tooManyBodies();
      while (inLane.bytes + bytes > lanes[lane].bytes) {
        const largestHolder = findGreediest(inLane.holders, holder.bytes + bytes);
        if (!largestHolder)
          throw new ApiError('unavailable', 'The server is reading too many bodies.', { retryAfterSeconds });
        [...largestHolder.arriving].at(-1)!.evict();
      }

      const evicted = new AbortController();
      let kept = 0;
      const body = {
        evict() {
          release();
          evicted.abort(tooManyBodies());
        },
      };
      const keep = (count: number) => {
        inLane.bytes += count - kept;
        holder.bytes += count - kept;
        kept = count;
        if (holder.bytes > 0) inLane.holders.set(name, holder);
        else if (inLane.holders.get(name) === holder) inLane.holders.delete(name);
      };
      const arrived = () => void holder.arriving.delete(body);
      const release = () => {
        arrived();
        keep(0);
      };
      holder.arriving.add(body);
      keep(bytes);
      return {
        evicted: evicted.signal,
        arrived,
        release,
        shrinkTo: (count) => keep(Math.min(kept, count)),
      };
    },
    bytesInFlight: () => [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/**
 * Returns the holder with the most bytes among those with more than `bytes` and a body that can be evicted.
 */
function findGreediest(holders: ReadonlyMap<string, Holder>, bytes: number): Holder | undefined {
  let largestHolder: Holder | undefined;
  for (const holder of holders.values()) {
    const most = largestHolder?.bytes ?? bytes;
    if (holder.bytes > most && holder.arriving.size > 0) largestHolder = holder;
  }
  return largestHolder;
}

function tooManyBodies(): ApiError {
  return new ApiError('rate_limited', 'Too many bodies are being read at the same time.', {
    retryAfterSeconds,
  });
}
