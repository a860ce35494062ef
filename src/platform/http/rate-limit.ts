/** A token bucket for each name. It allows a burst of `perMinute` requests and refills at that rate. */
export interface RateLimit {
  /** Takes one token. `retryAfterSeconds` is 0 if one was available. */
  take(name: string): { remaining: number; resetSeconds: number; retryAfterSeconds: number };
  readonly perMinute: number;
}

/**
 * Creates a rate limit. If `perMinute` is 0, the limit is disabled. `clock` returns monotonic milliseconds.
 */
export function createRateLimit(perMinute: number, clock: () => number = () => performance.now()): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const perMs = perMinute / 60_000;
  const maxBuckets = 100_000;

  function bucketOf(name: string): { tokens: number; at: number } {
    const now = clock();
    let bucket = buckets.get(name);
    if (!bucket) {
      if (buckets.size >= maxBuckets) removeFullBuckets(now);
      bucket = { tokens: perMinute, at: now };
      buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(perMinute, bucket.tokens + (now - bucket.at) * perMs);
    bucket.at = now;
    return bucket;
  }

  function removeFullBuckets(now: number): void {
    for (const [name, bucket] of buckets) {
      if (bucket.tokens + (now - bucket.at) * perMs >= perMinute) buckets.delete(name);
    }
    if (buckets.size >= maxBuckets) buckets.clear();
  }

  return {
    perMinute,
    take(name) {
      if (perMinute === 0) return { remaining: 0, resetSeconds: 0, retryAfterSeconds: 0 };
      const bucket = bucketOf(name);
      const retryAfterSeconds = bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / perMs / 1000);
      if (retryAfterSeconds === 0) bucket.tokens -= 1;
      return {
        remaining: Math.floor(bucket.tokens),
        resetSeconds: Math.ceil((perMinute - bucket.tokens) / perMs / 1000),
        retryAfterSeconds,
      };
    },
  };
}
