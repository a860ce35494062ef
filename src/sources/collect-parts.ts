/** One submission of results has at most this many items. */
const maxItems = 1_000;

/**
 * Of the items as JSON. A submission may have 8 MiB; but each part is a while in the memory of an agent that may read
 * fifty lists at the same time.
 */
const maxJsonBytes = 1024 * 1024;

/** So much may wait for what comes next, which may take a while. */
const maxWaitingBytes = 128 * 1024;

/** Gathers items until they fill a part that can be handed in. Single items stay far below the limit. */
export function createPartCollector<T>() {
  let items: T[] = [];
  let bytes = 0;

  /** The full part, when the item does not fit into it any more; the item then begins the next. */
  function add(item: T): T[] | null {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    const isFull = items.length >= maxItems || (items.length > 0 && bytes + size > maxJsonBytes);
    const part = isFull ? take() : null;
    items.push(item);
    bytes += size;
    return part;
  }

  function take(): T[] {
    const part = items;
    items = [];
    bytes = 0;
    return part;
  }

  return {
    add,
    /** What is too much to wait for more, maybe nothing. */
    large: () => (bytes > maxWaitingBytes ? take() : []),
    /** What is left, maybe nothing. */
    rest: take,
  };
}
