/** Number of IDs per request. The API allows 500, but smaller requests update the progress more often. */
const idsPerRequest = 100;

/** Results of the successful requests, and the IDs that weren't processed because a request failed. */
export interface PartsResult<Part> {
  parts: Part[];
  /** IDs of the failed request and of all later requests. */
  remaining: number[];
  /** Error of the failed request. Null if all requests succeeded. */
  error: unknown;
}

/**
 * Sends IDs in requests of 100 until a request fails. The results of earlier requests are kept, so a retry
 * sends only the remaining IDs.
 * @param onProgress Callback that receives the number of processed IDs.
 */
export async function sendInBatches<Part>(
  ids: readonly number[],
  send: (ids: number[]) => Promise<Part>,
  onProgress?: (count: number) => void,
): Promise<PartsResult<Part>> {
  const parts: Part[] = [];
  for (let from = 0; from < ids.length; from += idsPerRequest) {
    onProgress?.(from);
    try {
      parts.push(await send(ids.slice(from, from + idsPerRequest)));
    } catch (error) {
      return { parts, remaining: ids.slice(from), error };
    }
  }
  return { parts, remaining: [], error: null };
}
