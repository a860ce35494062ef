/** Preloaded in the processes of servers: does what `pacekeeper serve` does before it loads the server. */
import { isMainThread } from 'node:worker_threads';
import { keepYoungGenerationSmall } from '../src/platform/limit-memory.ts';

// Threads load this file too, after the server has let the young generation grow again.
if (isMainThread) keepYoungGenerationSmall();
