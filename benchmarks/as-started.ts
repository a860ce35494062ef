/** Loaded before anything else in the process of a server: what `pacekeeper serve` does before it loads the server. */
import { isMainThread } from 'node:worker_threads';
import { keepYoungGenerationSmall } from '../src/platform/limit-memory.ts';

// Threads load it too, later, when the server has let the generation grow again.
if (isMainThread) keepYoungGenerationSmall();
