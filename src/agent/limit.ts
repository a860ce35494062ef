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

  /** Resolves or rejects as the work does. Work that is heavier than the limit runs alone. */
  async function run<T>(work: () => Promise<T>, weight = 1): Promise<T> {
    await new Promise<void>((begin) => {
      waiting.push({ weight, begin });
      next();
    });
    try {
      return await work();
    } finally {
      used -= weight;
      next();
    }
  }

  return { run };
}

export type Limit = ReturnType<typeof createLimit>;
