import type { Schemas } from '../../../generated/client-api.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { SandboxBusyError } from '../../../platform/sandbox/index.ts';
import { createRequestLimit } from '../../../sources/request-limit.ts';
import { canSeeBodies } from '../deliveries/secrets/sees-bodies.ts';
import { sendTestNotification, type TestDeps } from '../deliveries/send/send-test.ts';
import { findChannel } from './channel-queries.ts';
import { readChannelStats } from './channel-stats.ts';
import { validateWebhookConfig } from './validate-webhook-config.ts';
import type { UrlPolicy } from './webhook-url.ts';

export interface ChannelCheckDeps extends Omit<TestDeps, 'signal'> {
  urlPolicy: UrlPolicy;
}

export type ChannelCheckOperations =
  | 'testNotificationChannel'
  | 'getNotificationChannelStats'
  | 'validateWebhookConfig';

/** Handlers that test channels, report their statistics, and validate webhook configurations. */
export function channelCheckHandlers(deps: ChannelCheckDeps): Handlers<ChannelCheckOperations> {
  const { db } = deps;
  const turns = createRequestLimit('test');
  return {
    async testNotificationChannel({ caller, path, signal }) {
      const { organizationId } = caller;
      const send = () =>
        sendTestNotification({ ...deps, signal }, organizationId, path.id, {
          withBodies: canSeeBodies(caller),
        });
      // Tests are limited per organization, because receivers can be slow and each test keeps a connection
      // open.
      const result = await turns.run(organizationId, send, signal).catch((error: unknown) => {
        if (!signal.aborted && !(error instanceof SandboxBusyError)) throw error;
        throw new ApiError('unavailable', "The test wasn't sent.", { retryAfterSeconds: 1, cause: error });
      });
      if (!result) throw notFound();
      return { status: 200, body: result };
    },

    async getNotificationChannelStats({ caller, path }) {
      const channel = await findChannel(db, caller.organizationId, path.id);
      if (!channel) throw notFound();
      const { byStatus, latencyMs } = await readChannelStats(
        db,
        caller.organizationId,
        channel.id,
        windowDays,
      );
      return {
        status: 200,
        body: {
          total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
          by_status: byStatus,
          success_rate: successRate(byStatus),
          latency_ms: latencyMs,
          last_success_at: channel.last_success_at?.toISOString() ?? null,
          last_failure_at: channel.last_failure_at?.toISOString() ?? null,
          consecutive_failures: channel.consecutive_failures,
          window_days: windowDays,
        },
      };
    },

    async validateWebhookConfig({ caller, body }) {
      const config = { ...body, category: body.category ?? null };
      return { status: 200, body: await validateWebhookConfig(deps, caller.organizationId, config) };
    },
  };
}

const windowDays = 30;

/**
 * Returns the part of the completed deliveries that succeeded. Canceled deliveries are excluded, because they
 * provide no information about the receiver.
 */
function successRate({ succeeded, dead_letter }: Schemas['DeliveryStatusCounts']): number | null {
  const tried = succeeded + dead_letter;
  return tried === 0 ? null : succeeded / tried;
}
