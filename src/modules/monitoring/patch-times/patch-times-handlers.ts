import type { Handlers } from '../../../platform/http/index.ts';
import type { Simulations } from '../simulation/simulations.ts';

/**
 * Handles `GET /freshness/patch-times`. The simulation thread computes the response, so that the computation
 * doesn't delay the server.
 */
export function patchTimesHandlers({ simulations }: { simulations: Simulations }): Handlers<'getPatchTimes'> {
  return {
    async getPatchTimes({ caller: { organizationId }, query: { months = 12 } }) {
      return { status: 200, body: await simulations.share('patch_times', { organizationId, months }) };
    },
  };
}
