/** Loaded before anything else in the process of a server: what `pacekeeper serve` does before it loads the server. */
import { keepYoungGenerationSmall } from '../src/platform/limit-memory.ts';

keepYoungGenerationSmall();
