import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Limits heap growth between two full collections to a fifth of the live size. On machines with much memory, V8 lets
 * the heap grow to four times the live size, so that a large evaluation uses 450 MB instead of 300 MB and is only 10%
 * faster.
 *
 * Disables allocation directly in the old generation (pretenuring), because objects there keep everything that they
 * refer to alive until a full collection, although most of them are used only during one request.
 */
export function limitMemory(): void {
  setFlagsFromString('--heap-growing-percent=20');
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Sets the remaining limits after the server has started. Loading modules makes the young generation grow
 * past its limit and creates most of the garbage.
 */
export function limitMemoryOnceStarted(): void {
  limitYoungGeneration();
  collectGarbage();
}

/** Maximum size of the young generation (both semispaces). */
const maxYoungBytes = 16 * 1024 * 1024;
/** Initial size of one semispace in threads that start later. */
const threadSemispaceMb = 4;

/**
 * Stops the growth of the young generation at 16 MB. On machines with much memory, V8 lets it grow to 128 MB
 * in each thread and never shrinks it. V8's own limit can only be set when Node starts, so growth is disabled
 * after the collection that reaches 16 MB, or sometimes after the next one. This also applies to threads that
 * start later, so their initial size is larger.
 */
function limitYoungGeneration(): void {
  setFlagsFromString(`--min-semi-space-size=${threadSemispaceMb}`);
  // Enable growth, which may have been disabled during startup.
  setFlagsFromString('--semi-space-growth-factor=2');
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young === undefined || young.space_size < maxYoungBytes) return;
    setFlagsFromString('--semi-space-growth-factor=1');
    observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * Keeps the young generation of this process at its initial size. V8 lets it grow to 64 MB while modules are
 * loaded. In a mostly idle process, it grows to 32 MB and never shrinks, without a speed benefit for agents.
 * The initial size can only be set when Node starts.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Collects all garbage, which takes about 0.1 s. Before the first full collection, V8 doesn't know the live
 * size: it lets the old generation grow far beyond the fifth that `limitMemory` sets, and keeps objects that
 * only the startup required.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as (() => void) | undefined;
  setFlagsFromString('--no-expose-gc');
  collect?.();
}
