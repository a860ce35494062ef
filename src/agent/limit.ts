/** Lets work run while the sum of its weights is within a limit; the rest waits in order. */
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

  /** Waits for room and returns a function that frees it. Work that is heavier than the limit runs alone. */
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

  /** Resolves or rejects as the work does. */
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

export type Limit = ReturnType<typeof createLimit>;
