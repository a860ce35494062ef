/** Preloaded into server processes. Limits their memory, as `pacekeeper serve` does before it loads the server. */
import { isMainThread } from 'node:worker_threads';
import { keepYoungGenerationSmall } from '../src/platform/limit-memory.ts';

// Skip worker threads. They load this file too, but only after the server has lifted the limit on the young generation.
if (isMainThread) keepYoungGenerationSmall();
