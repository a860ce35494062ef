import { randomBytes } from 'node:crypto';
import type { Schemas } from '../../generated/client-api.ts';
import { type Database, transaction } from '../../platform/database/index.ts';
import { ApiError, notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { publishChanges, recordEdit } from '../audit/index.ts';
import { readLimit } from '../settings/index.ts';
import { countHooks, deleteHook, type HookRow, insertHook, listHooks, lockHook } from './hook-queries.ts';
import { secretContext } from './hook-secret.ts';

export interface HookHandlerDeps {
  db: Database;
  secretBox: SecretBox;
  baseUrl: string;
}

export function hookHandlers({
  db,
  secretBox,
  baseUrl,
}: HookHandlerDeps): Handlers<'listHooks' | 'createHook' | 'deleteHook'> {
  const toHook = ({
    public_id,
    last_received_at,
    created_at,
    updated_at,
    ...row
  }: HookRow): Schemas['Hook'] => ({
    ...row,
    url: `${baseUrl}/hooks/${public_id}`,
    last_received_at: last_received_at?.toISOString() ?? null,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  });
  return {
    async listHooks({ caller }) {
      const rows = await listHooks(db, caller.organizationId);
      return { status: 200, body: { items: rows.map(toHook) } };
    },

    async createHook(request) {
      const { caller, body } = request;
      const { organizationId } = caller;
      const secret = randomBytes(32).toString('base64url');
      const hook = await transaction(db, async (tx) => {
        const maxHooks = await readLimit(tx, 'limits.hooks');
        if ((await countHooks(tx, organizationId)) >= maxHooks)
          throw new ApiError(
            'conflict',
            `An organization can have at most ${maxHooks} hooks (limits.hooks). Delete one first.`,
          );
        // The public ID has 128 random bits.
        const values = { ...body, public_id: randomBytes(16).toString('base64url') };
        const row = await insertHook(tx, organizationId, values, (id) =>
          secretBox.seal(secret, secretContext(organizationId, id)),
        );
        await recordEdit(tx, request, 'hook', { after: toHook(row) });
        publishChanges(tx, organizationId, 'hook', [row.id], 'created');
        return toHook(row);
      });
      return { status: 201, body: { ...hook, secret } };
    },

    async deleteHook(request) {
      const { organizationId } = request.caller;
      await transaction(db, async (tx) => {
        const row = await lockHook(tx, organizationId, request.path.id);
        if (!row) throw notFound();
        await deleteHook(tx, organizationId, row.id);
        await recordEdit(tx, request, 'hook', { before: toHook(row) });
        publishChanges(tx, organizationId, 'hook', [row.id], 'deleted');
      });
      return { status: 204 };
    },
  };
}
