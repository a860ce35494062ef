import type { Schemas } from '../../../generated/client-api.ts';
import { basePaths } from '../../../generated/operations.ts';
import { changeTopic, type Database, transaction, wake } from '../../../platform/database/index.ts';
import { ApiError, invalidField, notFound } from '../../../platform/errors.ts';
import {
  type ApiRequest,
  assertIfMatch,
  etagOf,
  type Handlers,
  type KeyRole,
  type Role,
} from '../../../platform/http/index.ts';
import { recordEdit, writeAuditLog } from '../../audit/index.ts';
import { lockOrganizationAsManager, type Manager } from '../people/lock-as-manager.ts';
import { announceRightsChange } from '../people/rights-changes.ts';
import { isAtMost } from '../people/roles.ts';
import {
  type ApiKeyRow,
  deactivateApiKey,
  findApiKey,
  findCallerNames,
  hasReachedApiKeyLimit,
  insertApiKey,
  isInFuture,
  listApiKeys,
  lockApiKey,
  maxApiKeys,
  updateApiKey,
} from './api-key-queries.ts';

type ApiKeyOperations =
  | 'listAPIKeys'
  | 'createAPIKey'
  | 'getAPIKey'
  | 'updateAPIKey'
  | 'toggleAPIKey'
  | 'deactivateAPIKey'
  | 'getCaller';

export function apiKeyHandlers({ db }: { db: Database }): Handlers<ApiKeyOperations> {
  return {
    async listAPIKeys({ caller, query }) {
      const page = await listApiKeys(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toApiKey) } };
    },

    async createAPIKey(request) {
      const { caller, body } = request;
      const expiresAt = body.expires_at == null ? null : new Date(body.expires_at);
      const { key, row } = await transaction(db, async (tx) => {
        const manager = await lockOrganizationAsManager(tx, caller);
        const role = roleOfNewKey(manager, body.role);
        for (const limit of ['agent_capabilities', 'agent_credential_names'] as const)
          if (body[limit] !== null && role !== 'agent')
            throw invalidField(limit, 'is only for keys with the agent role');
        if (expiresAt && !(await isInFuture(tx, expiresAt)))
          throw invalidField('expires_at', 'must be in the future');
        if (await hasReachedApiKeyLimit(tx, caller.organizationId)) {
          throw new ApiError(
            'conflict',
            `An organization can have at most ${maxApiKeys} API keys. Revoke keys you no longer need.`,
          );
        }
        const { id, key } = await insertApiKey(tx, caller.organizationId, {
          name: body.name,
          description: body.description,
          role,
          agentCapabilities: body.agent_capabilities,
          agentCredentialNames: body.agent_credential_names,
          expiresAt,
          createdBy: caller.actor,
        });
        const created = (await findApiKey(tx, caller.organizationId, id))!;
        await recordEdit(tx, request, 'api_key', {
          after: toApiKey(created),
          detail: { role, expires_at: expiresAt?.toISOString() ?? null },
        });
        wake(tx, changeTopic(caller.organizationId, 'api_key', id, 'created'));
        return { key, row: created };
      });
      return {
        status: 201,
        headers: { location: `${basePaths.client}/api-keys/${row.id}`, etag: etagOf(row) },
        body: { api_key: toApiKey(row), key },
      };
    },

    async getCaller({ caller }) {
      const { organizationId, apiKeyId, role } = caller;
      const names = await findCallerNames(db, organizationId, apiKeyId);
      if (!names) throw new ApiError('unauthenticated');
      return {
        status: 200,
        body: {
          credential: apiKeyId === null ? 'login' : 'api_key',
          role,
          organization: { id: organizationId, name: names.organization },
          api_key: apiKeyId === null || names.api_key === null ? null : { id: apiKeyId, name: names.api_key },
        },
      };
    },

    async getAPIKey({ caller, path }) {
      const row = await findApiKey(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toApiKey(row) };
    },

    async updateAPIKey(request) {
      const { body } = request;
      const row = await changeKey(request, () => ({
        ...(body.name !== undefined && { name: body.name }),
        ...(body.description !== undefined && { description: body.description ?? '' }),
      }));
      return { status: 200, body: toApiKey(row) };
    },

    async toggleAPIKey(request) {
      const row = await changeKey(request, (before) => {
        if (before.deactivated_at)
          throw new ApiError('conflict', "This API key is revoked and can't be enabled again.");
        // Enabling a key restores its permissions, so it requires the same role as creating the key.
        if (!before.is_active && !isAtMost(before.role, request.caller.role))
          throw new ApiError('forbidden', `This requires the ${before.role} role.`);
        return { is_active: !before.is_active };
      });
      return { status: 200, body: toApiKey(row) };
    },

    async deactivateAPIKey({ caller, path, requestId }) {
      await transaction(db, async (tx) => {
        const row = await lockApiKey(tx, caller.organizationId, path.id);
        if (!row) throw notFound();
        if (row.deactivated_at) return;
        await deactivateApiKey(tx, caller.organizationId, row.id);
        await writeAuditLog(tx, caller.organizationId, {
          action: 'api_key.deactivated',
          resourceId: row.id,
          resourceName: row.name,
          actor: caller.actor,
          requestId,
        });
        wake(tx, changeTopic(caller.organizationId, 'api_key', row.id));
        announceRightsChange(tx, { apiKeyId: row.id });
      });
      return { status: 204 };
    },
  };

  async function changeKey(
    request: ApiRequest<'updateAPIKey' | 'toggleAPIKey'>,
    change: (before: ApiKeyRow) => Partial<Pick<ApiKeyRow, 'name' | 'description' | 'is_active'>>,
  ): Promise<ApiKeyRow> {
    const { caller, path } = request;
    return transaction(db, async (tx) => {
      const before = await lockApiKey(tx, caller.organizationId, path.id);
      if (!before) throw notFound();
      const values = change(before);
      assertIfMatch(request, before);
      await updateApiKey(tx, caller.organizationId, before.id, values);
      const after = (await findApiKey(tx, caller.organizationId, before.id))!;
      await recordEdit(tx, request, 'api_key', {
        before: toApiKey(before),
        after: toApiKey(after),
        ...(values.is_active !== undefined && { detail: { is_active: values.is_active } }),
      });
      wake(tx, changeTopic(caller.organizationId, 'api_key', before.id));
      if (values.is_active === false) announceRightsChange(tx, { apiKeyId: before.id });
      return after;
    });
  }
}

/**
 * Returns the role of a new key, which can't exceed the role of its creator. A key gets the owner role only
 * if the request specifies it.
 */
function roleOfNewKey({ role: own }: Manager, wanted: Role | KeyRole | undefined): Role | KeyRole {
  if (wanted === undefined) return isAtMost(own, 'admin') ? own : 'admin';
  if (!isAtMost(wanted, own)) throw new ApiError('forbidden', `You can create keys with roles up to ${own}.`);
  return wanted;
}

function toApiKey(row: ApiKeyRow): Schemas['APIKey'] {
  const {
    expires_at,
    deactivated_at,
    last_used_at,
    created_by_user_id,
    created_by_name,
    created_at,
    updated_at,
    ...rest
  } = row;
  return {
    ...rest,
    expires_at: expires_at?.toISOString() ?? null,
    deactivated_at: deactivated_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    created_by: { type: 'user', id: created_by_user_id, name: created_by_name },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
