const [seedHigh = 0, seedLow = 0] = crypto.getRandomValues(new Uint32Array(2));

const noSlots = new Uint32Array(0);

/**
 * Maximum number of slots checked per tag, which limits the cost of tags chosen to collide. Tags beyond it
 * aren't stored and can occur twice.
 */
const maxProbes = 64;

/**
 * Creates a set of the tags seen in a list. Each tag takes at most 32 bytes outside the heap: as strings,
 * 200,000 tags take 30 MB, and an agent reads dozens of lists at the same time. Tags are compared by 64-bit
 * hashes, so the chance that a list of 200,000 tags loses one to a collision is one in a billion.
 */
export function createTagSet() {
  // Allocate slots with the first tag: an unchanged source has no tags to store.
  let slots = noSlots;
  let size = 0;

  /** Adds a tag. Returns false if the set already contains it. */
  function add(tag: string): boolean {
    if (size * 4 >= slots.length) grow();
    let high = seedHigh;
    let low = seedLow ^ tag.length;
    for (let at = 0; at < tag.length; at += 1) {
      const code = tag.charCodeAt(at);
      high = Math.imul(high ^ code, 0x01000193);
      high ^= high >>> 13;
      low = Math.imul(low ^ code, 0x5bd1e995);
      low ^= low >>> 15;
    }
    const isNew = insert(mix(high ^ (low >>> 7)), mix(low) || 1);
    if (isNew) size += 1;
    return isNew;
  }

  function insert(high: number, low: number): boolean {
    const mask = slots.length / 2 - 1;
    for (let probe = 0, at = low & mask; probe < maxProbes; probe += 1, at = (at + 1) & mask) {
      const isFree = slots[at * 2 + 1] === 0;
      if (!isFree && slots[at * 2] === high && slots[at * 2 + 1] === low) return false;
      if (!isFree) continue;
      slots[at * 2] = high;
      slots[at * 2 + 1] = low;
      return true;
    }
    return true;
  }

  function grow(): void {
    const before = slots;
    slots = new Uint32Array(Math.max(128, before.length * 2));
    for (let at = 0; at < before.length; at += 2) {
      const low = before[at + 1] ?? 0;
      if (low !== 0) insert(before[at] ?? 0, low);
    }
  }

  return { add, size: () => size };
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
