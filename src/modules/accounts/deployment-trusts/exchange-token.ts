import type { FastifyRequest } from 'fastify';
import { claimsRejection, type TokenClaims } from '../../../domain/trusts/check-claims.ts';
import { transaction } from '../../../platform/database/index.ts';
import { ApiError } from '../../../platform/errors.ts';
import {
  clientNetwork,
  createConcurrencyLimit,
  createRateLimit,
  type Handlers,
} from '../../../platform/http/index.ts';
import { hasRecentEntry, writeAuditLog } from '../../audit/index.ts';
import { deploymentTokenSeconds } from '../sessions/deployment-tokens.ts';
import type { LoginParts } from '../sessions/login-parts.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import {
  consumeIdentityToken,
  findTrustAcrossOrganizations,
  lockTrust,
  recordTrustUse,
  type TrustRow,
  type TrustStatus,
} from './trust-queries.ts';
import { cleanTokenValue, type VerifiedToken, verifyIdentityToken } from './verify-identity-token.ts';

/**
 * Maximum number of exchanges per minute. The limit for an address is high, because the runners of a company
 * often share one. Only valid tokens count toward the limit of a trust, so that strangers can't exhaust it.
 * These limits can't be disabled, as for logins.
 */
const perAddressAndMinute = 300;
const perTrustAndMinute = 300;
/** Maximum number of exchanges of an organization that wait at the same time, for example for a slow issuer. */
const maxAtOnce = 20;

const problems: Readonly<Record<Exclude<TrustStatus, 'active'>, string>> = {
  inactive: 'The trust is disabled. Ask an administrator to enable it.',
  expired: 'The trust has expired. Ask an administrator to extend it.',
  orphaned:
    'The trust ended because the person who saved it last is no longer an administrator. Ask an administrator to save it again.',
};

type ExchangeParts = Pick<LoginParts, 'db' | 'baseUrl' | 'guessing' | 'deploymentTokens' | 'outbound'>;

/** Exchanges the ID token of a CI job for a token that can report the deployments of a trust. */
export function exchangeHandlers({
  db,
  baseUrl,
  guessing,
  deploymentTokens,
  outbound,
}: ExchangeParts): Handlers<'exchangeDeploymentToken'> {
  const keys = createIssuerKeys(outbound);
  const addresses = createRateLimit(perAddressAndMinute);
  const trusts = createRateLimit(perTrustAndMinute);
  const atOnce = createConcurrencyLimit('concurrent exchanges of ID tokens');

  return {
    async exchangeDeploymentToken({ body, http, requestId }) {
      take(addresses, clientNetwork(http.request.ip));
      return countInvalid(http.request, async () => {
        const trust = await findTrustAcrossOrganizations(db, body.trust);
        if (!trust)
          throw new ApiError('unauthenticated', 'Unknown trust. Check its code; it may have been deleted.');
        assertActive(trust);
        const { organization_id: organizationId, issuer, now } = trust;
        const end = atOnce.open(String(organizationId), maxAtOnce);
        let token: VerifiedToken;
        try {
          const audience = trust.audience ?? baseUrl;
          token = await verifyIdentityToken(keys, body.id_token, { issuer, audience, now });
        } finally {
          end();
        }
        const rejection = claimsRejection(trust.claims, token.claims);
        if (rejection !== null) throw new ApiError('forbidden', cleanTokenValue(rejection));
        take(trusts, `${organizationId}/${trust.id}`);
        await use(organizationId, trust, token, requestId);
        const { id: trustId, revision, services, environments } = trust;
        return {
          status: 200,
          body: {
            access_token: await deploymentTokens.issue({ organizationId, trustId, revision }, now),
            token_type: 'Bearer',
            expires_in: deploymentTokenSeconds,
            services,
            environments,
          },
        };
      });
    },
  };

  /** Uses up the ID token, unless the trust has changed since it was read. */
  async function use(
    organizationId: number,
    trust: TrustRow,
    token: VerifiedToken,
    requestId: string,
  ): Promise<void> {
    const entry = {
      action: 'deployment_trust.used',
      actor: { type: 'deployment_trust', id: trust.id, name: trust.name },
      detail: { subject: subjectOf(token.claims) },
    } as const;
    // Only the first exchange of a subject is recorded, because pipelines run all the time.
    const isKnown = await hasRecentEntry(db, organizationId, entry);
    await transaction(db, async (tx) => {
      const current = await lockTrust(tx, organizationId, trust.id);
      if (current?.revision !== trust.revision)
        throw new ApiError('unauthenticated', 'The trust was changed or deleted. Retry with a new ID token.');
      assertActive(current);
      if (!(await consumeIdentityToken(tx, token)))
        throw new ApiError(
          'unauthenticated',
          'The ID token was rejected. It was already exchanged, and works only once. Request a new one for each exchange.',
        );
      await recordTrustUse(tx, organizationId, trust.id);
      if (!isKnown)
        await writeAuditLog(tx, organizationId, {
          ...entry,
          resourceId: trust.id,
          resourceName: trust.name,
          requestId,
        });
    });
  }

  /** Counts rejected tokens like other invalid credentials. */
  async function countInvalid<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ApiError && (error.code === 'unauthenticated' || error.code === 'forbidden'))
        guessing.countInvalid(request);
      throw error;
    }
  }
}

function assertActive({ status }: Pick<TrustRow, 'status'>): void {
  if (status !== 'active') throw new ApiError('unauthenticated', problems[status]);
}

function take(limit: ReturnType<typeof createRateLimit>, name: string): void {
  const { retryAfterSeconds } = limit.take(name);
  if (retryAfterSeconds > 0)
    throw new ApiError('rate_limited', 'Too many exchanges of ID tokens. Try again in a minute.', {
      retryAfterSeconds,
    });
}

function subjectOf({ sub }: TokenClaims): string | null {
  return typeof sub === 'string' ? cleanTokenValue(sub) : null;
}
