import { sql } from 'kysely';
import { signOnErrors } from '../../../../domain/sign-on/sign-on-errors.ts';
import type { Tx } from '../../../../platform/database/index.ts';
import { planServiceEvent } from './plan-service-event.ts';
import { endProblem } from './reported-problems.ts';

/**
 * A provider that doesn't accept the client's credentials, and the identity whose session depends on the
 * provider.
 */
interface RejectedClient {
  userId: number;
  identityId: number;
  provider: { id: string; name: string };
}

/**
 * Notifies organizations that sessions of this identity are paused. These are the organizations that the
 * person can access with the identity. Each of them is notified at most once a day about a provider. The text
 * of the provider isn't included, because only operators can act on it.
 */
export async function notifyRejectedClientAcrossOrganizations(
  tx: Tx,
  { userId, identityId, provider }: RejectedClient,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    WITH affected AS (
      SELECT id FROM organizations
      WHERE id IN (
        SELECT organization_id FROM memberships
        WHERE user_id = ${userId} AND coalesce(granted_by_identity_id, ${identityId}) = ${identityId}
      ) AND coalesce(
        (sign_on_failing_notified ->> ${provider.id})::timestamptz <= pacekeeper_now() - interval '1 day', true)
      ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE organizations
    SET sign_on_failing_notified = sign_on_failing_notified || jsonb_build_object(${provider.id}::text, pacekeeper_now())
    FROM affected
    WHERE organizations.id = affected.id
    RETURNING organizations.id`.execute(tx);
  const data = { provider: { ...provider, reason: signOnErrors.client_rejected.message } };
  for (const { id } of rows) await planServiceEvent(tx, id, { type: 'login_provider.failing', data });
}

/**
 * Notifies the organizations that received a report about a provider when the provider accepts the client
 * again or was removed. If a provider fails again, it's reported immediately.
 */
export async function endProviderProblemAcrossOrganizations(
  tx: Tx,
  providerId: string,
  resolution: 'recovered' | 'deleted',
): Promise<void> {
  const { rows } = await sql<{ organizationId: number; key: string }>`
    SELECT organization_id AS "organizationId", key FROM reported_troubles
    WHERE event_type = 'login_provider.failing' AND subject_kind = 'login_provider'
      AND key = ${`login-provider/${providerId}`}
    ORDER BY organization_id FOR UPDATE SKIP LOCKED`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    UPDATE organizations SET sign_on_failing_notified = sign_on_failing_notified - ${providerId}::text
    WHERE id = ANY(${rows.map(({ organizationId }) => organizationId)}::bigint[])`.execute(tx);
  for (const each of rows) await endProblem(tx, { ...each, resolution, changes: { reason: null } });
}

/** Ends the problems of providers that the installation no longer has. */
export async function endProblemsOfRemovedProvidersAcrossOrganizations(
  tx: Tx,
  providerIds: readonly string[],
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT data #>> '{provider,id}' AS id FROM reported_troubles
    WHERE event_type = 'login_provider.failing' AND subject_kind = 'login_provider'`.execute(tx);
  for (const { id } of rows)
    if (!providerIds.includes(id)) await endProviderProblemAcrossOrganizations(tx, id, 'deleted');
}
