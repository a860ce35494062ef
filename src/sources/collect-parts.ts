/** One submission of results has at most this many items. */
const maxItems = 1_000;

/**
 * Size of the items as JSON. A submission can have 8 MiB, but each part stays in the memory of an agent that can read
 * fifty lists at the same time.
 */
const maxJsonBytes = 1024 * 1024;

/** How much can wait for the next item, which can take a while. */
const maxWaitingBytes = 128 * 1024;

/** Collects items until they fill a part that can be submitted. Single items stay far below the limit. */
export function createPartCollector<T>() {
  let items: T[] = [];
  let bytes = 0;

  /** The full part if the item doesn't fit into it. The item then starts the next part. */
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
    /** The collected items if they are too large to wait for more; can be empty. */
    large: () => (bytes > maxWaitingBytes ? take() : []),
    /** The remaining items; can be empty. */
    rest: take,
  };
}
