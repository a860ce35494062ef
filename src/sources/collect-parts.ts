/** One submission of results has at most this many items. */
const maxItems = 1_000;

/** A submission has at most 8 MiB; the rest is room for its frame. */
const maxJsonBytes = 6 * 1024 * 1024;

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

  /** What is left, maybe nothing. */
  return { add, rest: take };
}
