/** What one request takes is up to 500; fewer show how far it has come. */
const idsPerRequest = 100;

/** What has been done, and what hasn't because a request failed. */
export interface PartsResult<Part> {
  parts: Part[];
  /** Those of the request that failed, and those after it. */
  remaining: number[];
  /** Null: everything is done. */
  error: unknown;
}

/**
 * Sends IDs a hundred at a time, until one request fails. What was done before that isn't lost, and isn't sent again when
 * the remaining ones are retried.
 * @param onProgress called with how many have been processed.
 */
export async function sendInParts<Part>(
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
