import { randomBytes } from 'node:crypto';
import { claimsProblem } from '../../../domain/trusts/identifying-claims.ts';
import { patternProblem } from '../../../domain/trusts/trust-pattern.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import { type Database, type Tx, transaction } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound, runChecks } from '../../../platform/errors.ts';
import { type ApiRequest, assertIfMatch, type Caller, type Handlers } from '../../../platform/http/index.ts';
import { publishChanges, recordEdit } from '../../audit/index.ts';
import { isInFuture } from '../api-keys/api-key-queries.ts';
import { lockOrganizationAsManager } from '../people/lock-as-manager.ts';
import {
  countTrusts,
  deleteTrust,
  findTrust,
  insertTrust,
  listTrusts,
  lockTrust,
  setTrustSaver,
  type TrustRow,
  type TrustSaver,
  type TrustValues,
  updateTrust,
} from './trust-queries.ts';

type TrustOperations =
  | 'listDeploymentTrusts'
  | 'createDeploymentTrust'
  | 'getDeploymentTrust'
  | 'updateDeploymentTrust'
  | 'deleteDeploymentTrust';

const maxTrusts = 200;

export function deploymentTrustHandlers({ db }: { db: Database }): Handlers<TrustOperations> {
  return {
    async listDeploymentTrusts({ caller, query }) {
      const page = await listTrusts(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toTrust) } };
    },

    async createDeploymentTrust(request) {
      const { caller, body } = request;
      const values: TrustValues = { ...body, expires_at: toDate(body.expires_at) };
      checkTrust(values);
      const row = await transaction(db, async (tx) => {
        const saver = await lockAsSaver(tx, caller);
        await checkExpiry(tx, values.expires_at);
        if ((await countTrusts(tx, caller.organizationId)) >= maxTrusts)
          throw new ApiError(
            'conflict',
            `An organization can have at most ${maxTrusts} trusts. Delete one first.`,
          );
        // The code isn't a secret, but an unguessable code prevents strangers from triggering requests to
        // issuers.
        const code = randomBytes(16).toString('base64url');
        const id = await insertTrust(tx, caller.organizationId, code, values, saver);
        const created = (await findTrust(tx, caller.organizationId, id))!;
        await recordEdit(tx, request, 'deployment_trust', { after: toTrust(created) });
        publishChanges(tx, caller.organizationId, 'deployment_trust', [id], 'created');
        return created;
      });
      return { status: 201, body: toTrust(row) };
    },

    async getDeploymentTrust({ caller, path }) {
      const row = await findTrust(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toTrust(row) };
    },

    async updateDeploymentTrust(request) {
      const row = await transaction(db, (tx) => update(tx, request));
      return { status: 200, body: toTrust(row) };
    },

    async deleteDeploymentTrust(request) {
      const { organizationId } = request.caller;
      await transaction(db, async (tx) => {
        const row = await lockTrust(tx, organizationId, request.path.id);
        if (!row) throw notFound();
        assertIfMatch(request, row);
        await deleteTrust(tx, organizationId, row.id);
        await recordEdit(tx, request, 'deployment_trust', { before: toTrust(row) });
        publishChanges(tx, organizationId, 'deployment_trust', [row.id], 'deleted');
      });
      return { status: 204 };
    },
  };

  async function update(tx: Tx, request: ApiRequest<'updateDeploymentTrust'>): Promise<TrustRow> {
    const { caller, path, body } = request;
    const { organizationId } = caller;
    const saver = await lockAsSaver(tx, caller);
    const before = await lockTrust(tx, organizationId, path.id);
    if (!before) throw notFound();
    assertIfMatch(request, before);
    const { expires_at, ...fields } = body;
    const values: Partial<TrustValues> = {
      ...writable(fields),
      ...(expires_at !== undefined && { expires_at: toDate(expires_at) }),
    };
    checkTrust({ ...before, ...values });
    if (values.expires_at?.getTime() !== before.expires_at?.getTime())
      await checkExpiry(tx, values.expires_at ?? null);
    await updateTrust(tx, organizationId, before.id, values);
    const { revision } = (await findTrust(tx, organizationId, before.id))!;
    const isSaved = revision !== before.revision || before.status === 'orphaned';
    const isTakenOver = isSaved && before.saved_by_user_id !== saver.userId;
    if (isTakenOver) await setTrustSaver(tx, organizationId, before.id, saver);
    const after = (await findTrust(tx, organizationId, before.id))!;
    await recordEdit(tx, request, 'deployment_trust', {
      before: toTrust(before),
      after: toTrust(after),
      ...(isTakenOver && { detail: { saved_by: saver.name } }),
    });
    publishChanges(tx, organizationId, 'deployment_trust', [before.id], 'updated');
    return after;
  }
}

/**
 * Locks the organization and rereads the caller's role, because a trust ends when the person who saved it
 * loses the role.
 */
async function lockAsSaver(tx: Tx, caller: Caller): Promise<TrustSaver> {
  const { userId } = await lockOrganizationAsManager(tx, caller);
  return { userId, name: caller.actor.name };
}

/**
 * Returns only the writable fields of the body. The validation of requests already drops other fields, but
 * the type of the body doesn't exclude them.
 */
function writable({
  name,
  issuer,
  audience,
  claims,
  services,
  environments,
  is_active,
}: Omit<ApiRequest<'updateDeploymentTrust'>['body'], 'expires_at'>): Partial<TrustValues> {
  const given = { name, issuer, audience, claims, services, environments, is_active };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Checks constraints that the API contract can't express. */
function checkTrust({ issuer, claims, services, environments }: TrustValues): void {
  if (URL.parse(issuer) === null) throw invalidField('issuer', 'must be a valid URL');
  const problem = claimsProblem(issuer, claims);
  runChecks([
    ...Object.entries(claims).map(
      ([name, pattern]) =>
        () =>
          checkPattern(`claims.${name}`, pattern),
    ),
    ...services.map((pattern, index) => () => checkPattern(`services.${index}`, pattern)),
    ...environments.map((pattern, index) => () => checkPattern(`environments.${index}`, pattern)),
    () => {
      if (problem !== null) throw invalidField('claims', problem);
    },
  ]);
}

function checkPattern(field: string, pattern: string): void {
  const problem = patternProblem(pattern);
  if (problem !== null) throw invalidField(field, problem);
}

async function checkExpiry(tx: Tx, expiresAt: Date | null): Promise<void> {
  if (expiresAt !== null && !(await isInFuture(tx, expiresAt)))
    throw invalidField('expires_at', 'must be in the future');
}

function toDate(time: string | null): Date | null {
  return time === null ? null : new Date(time);
}

function toTrust({
  expires_at,
  last_used_at,
  saved_by_user_id,
  saved_by_name,
  created_at,
  updated_at,
  claims,
  ...row
}: TrustRow): Schemas['DeploymentTrust'] {
  return {
    ...row,
    claims: { ...claims },
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    saved_by: { type: 'user', id: saved_by_user_id, name: saved_by_name },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
