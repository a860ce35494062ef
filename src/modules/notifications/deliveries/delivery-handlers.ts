import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, transaction } from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Caller, Handlers } from '../../../platform/http/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import {
  findDelivery,
  listAttempts,
  listDeliveries,
  readStoredBody,
  type StoredAttempt,
  type StoredBody,
  toDeliveries,
} from './delivery-queries.ts';
import { bodyContext, responseContext } from './message/prepare-message.ts';
import type { InstallationDefaults } from './model/delivery-settings.ts';
import { maskSpans } from './secrets/find-secrets.ts';
import { canSeeBodies } from './secrets/sees-bodies.ts';
import { findSentDelivery, retryDeliveries } from './worker/retry-deliveries.ts';

export interface DeliveryHandlerDeps {
  db: Database;
  secretBox: SecretBox;
  defaults?: InstallationDefaults;
}

type DeliveryOperations =
  | 'listNotificationDeliveries'
  | 'listDeadNotificationDeliveries'
  | 'getNotificationDelivery'
  | 'retryNotificationDelivery'
  | 'retryNotificationDeliveries';

export function deliveryHandlers({
  db,
  secretBox,
  defaults,
}: DeliveryHandlerDeps): Handlers<DeliveryOperations> {
  return {
    async listNotificationDeliveries({ caller, query }) {
      const body = await listDeliveries(db, caller.organizationId, query, query, defaults);
      return { status: 200, body };
    },

    async listDeadNotificationDeliveries({ caller, query }) {
      return {
        status: 200,
        body: await listDeliveries(db, caller.organizationId, { status: 'dead_letter' }, query, defaults),
      };
    },

    async getNotificationDelivery({ caller, path }) {
      const { organizationId } = caller;
      const row = await findDelivery(db, organizationId, path.id);
      if (!row) throw notFound();
      const stored = await readStoredBody(db, organizationId, row.id);
      const attempts = await listAttempts(db, organizationId, row.id);
      const [delivery] = await toDeliveries(db, organizationId, [row], defaults);
      return {
        status: 200,
        body: {
          ...delivery!,
          payload: payloadFor(caller, row.id, stored),
          attempts: attempts.map((attempt) => toAttempt(caller, row.id, attempt)),
        },
      };
    },

    async retryNotificationDelivery({ caller, path }) {
      const { organizationId } = caller;
      const row = await transaction(db, async (tx) => {
        const carrier = await findSentDelivery(tx, organizationId, path.id);
        if (!carrier) throw notFound();
        const { status } = carrier;
        if (status !== 'dead_letter' && status !== 'canceled') {
          throw new ApiError(
            'conflict',
            `This delivery is ${status}. Only dead-letter and canceled deliveries can be retried.`,
          );
        }
        if (!carrier.hasChannel) {
          throw new ApiError('conflict', "The channel was deleted, so the delivery can't be retried.");
        }
        const { retried } = await retryDeliveries(tx, organizationId, { status, deliveryId: carrier.id });
        if (retried === 0) throw new ApiError('conflict');
        return findDelivery(tx, organizationId, path.id);
      });
      const [body] = await toDeliveries(db, organizationId, [row!], defaults);
      return { status: 200, body: body! };
    },

    async retryNotificationDeliveries({ caller, body }) {
      const { status, channel_id, event_type, since } = body;
      const filter = {
        status,
        channelId: channel_id,
        eventType: event_type,
        since: since === undefined ? undefined : new Date(since),
      };
      const result = await transaction(db, (tx) => retryDeliveries(tx, caller.organizationId, filter));
      return { status: 200, body: result };
    },
  };

  /**
   * Returns the body with secrets masked. Text that was secret when the body was created stays masked, even
   * if the channel has changed since.
   */
  function payloadFor(caller: Caller, id: number, stored: StoredBody | undefined): string | null {
    if (!canSeeBodies(caller) || !stored?.body_sealed || stored.body_hidden === null) return null;
    const body = secretBox.openText(stored.body_sealed, bodyContext(caller.organizationId, id));
    return maskSpans(body, stored.body_hidden);
  }

  function toAttempt(
    caller: Caller,
    id: number,
    { response_body_sealed: sealed, error_code, error_message, started_at, ...row }: StoredAttempt,
  ): Schemas['DeliveryAttempt'] {
    const context = responseContext(caller.organizationId, id, row.number);
    return {
      ...row,
      response_body: canSeeBodies(caller) && sealed !== null ? secretBox.openText(sealed, context) : null,
      started_at: started_at.toISOString(),
      error: error_code === null ? null : { code: error_code, message: error_message ?? '' },
    };
  }
}
