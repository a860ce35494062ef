/** Maximum number of items in one submission of results. */
const maxItems = 1_000;

/**
 * Maximum size of a part as JSON. A submission can have 8 MiB, but each part stays in the memory of an agent
 * that can read fifty lists at the same time.
 */
const maxJsonBytes = 1024 * 1024;

/** Maximum size of items that wait for the next page, which can take a while to arrive. */
const maxWaitingBytes = 128 * 1024;

/** Creates a collector that groups items into parts for submission. Single items stay far below the limit. */
export function createPartCollector<T>() {
  let items: T[] = [];
  let bytes = 0;

  /**
   * Adds an item. If it doesn't fit into the current part, returns the full part and starts the next one with
   * the item.
   */
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
    /** Returns the collected items if they're too large to wait for more, or an empty list. */
    large: () => (bytes > maxWaitingBytes ? take() : []),
    /** Returns the remaining items, or an empty list. */
    rest: take,
  };
}
