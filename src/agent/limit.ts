/** Limits concurrent work by its total weight. Work beyond the limit waits in order. */
export function createLimit(max: number) {
  let used = 0;
  const waiting: { weight: number; begin: () => void }[] = [];

  function next(): void {
    for (let first = waiting[0]; first && (used === 0 || used + first.weight <= max); first = waiting[0]) {
      waiting.shift();
      used += first.weight;
      first.begin();
    }
  }

  /**
   * Waits for capacity and returns a function that releases it. Work that is heavier than the limit runs
   * alone.
   */
  async function enter(weight = 1): Promise<() => void> {
    await new Promise<void>((begin) => {
      waiting.push({ weight, begin });
      next();
    });
    let isInside = true;
    return () => {
      if (isInside) used -= weight;
      isInside = false;
      next();
    };
  }

  /** Runs the work within the limit, and settles with its result. */
  async function run<T>(work: () => Promise<T>, weight = 1): Promise<T> {
    const leave = await enter(weight);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  return { enter, run };
}

export type WeightLimit = ReturnType<typeof createLimit>;
