import { ApiError } from '../errors.ts';
import { bodyLanes } from './body-limits.ts';

export type BodyLane = keyof typeof bodyLanes;

/** Bytes that are held for one body. */
export interface BodyReservation {
  /** Keeps only so many, once it is known how many there are. */
  shrinkTo(bytes: number): void;
  /** To be called when the body is no longer held, whatever became of it. A second call does nothing. */
  release(): void;
}

/** The bytes of bodies that a server holds at the same time. Taken before the first byte is read. */
export interface BodyBudget {
  /** @throws ApiError 429 when its holder has too many, 503 when all together have */
  reserve(lane: BodyLane, holder: string, bytes: number): BodyReservation;
  bytesInFlight(): number;
}

const retryAfterSeconds = 2;

export function createBodyBudget(
  lanes: Readonly<Record<BodyLane, { bytes: number; bytesOfHolder: number }>> = bodyLanes,
): BodyBudget {
  const held = new Map<BodyLane, { bytes: number; byHolder: Map<string, number> }>();
  for (const lane of Object.keys(lanes) as BodyLane[]) held.set(lane, { bytes: 0, byHolder: new Map() });

  return {
    reserve(lane, holder, bytes) {
      const inLane = held.get(lane)!;
      const ofHolder = inLane.byHolder.get(holder) ?? 0;
      if (ofHolder + bytes > lanes[lane].bytesOfHolder) {
        throw new ApiError('rate_limited', 'Too many bodies are being read at the same time.', {
          retryAfterSeconds,
        });
      }
      if (inLane.bytes + bytes > lanes[lane].bytes)
        throw new ApiError('unavailable', 'The server is reading too many bodies.', { retryAfterSeconds });

      let kept = 0;
      const keep = (count: number) => {
        inLane.bytes += count - kept;
        const left = (inLane.byHolder.get(holder) ?? 0) + count - kept;
        if (left > 0) inLane.byHolder.set(holder, left);
        else inLane.byHolder.delete(holder);
        kept = count;
      };
      keep(bytes);
      return { shrinkTo: (count) => keep(Math.min(kept, count)), release: () => keep(0) };
    },
    bytesInFlight: () => [...held.values()].reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
