import { type Database, transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { findAlias, listAliases } from '../../settings/index.ts';
import { aliasEdits, checkAlias, toAlias } from './alias-edits.ts';
import { listSuggestions } from './list-suggestions.ts';

type AliasOperations =
  | 'listArtifactAliases'
  | 'createArtifactAlias'
  | 'getArtifactAlias'
  | 'updateArtifactAlias'
  | 'deleteArtifactAlias'
  | 'listArtifactAliasSuggestions';

export function aliasHandlers({ db }: { db: Database }): Handlers<AliasOperations> {
  return {
    async listArtifactAliases({ caller, query }) {
      const page = await listAliases(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toAlias) } };
    },

    async createArtifactAlias(request) {
      const values = checkAlias(request.body);
      const [row] = await transaction(db, (tx) => aliasEdits.create(tx, request, [values]));
      return { status: 201, body: toAlias(row!) };
    },

    async getArtifactAlias({ caller, path }) {
      const row = await findAlias(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toAlias(row) };
    },

    async updateArtifactAlias(request) {
      const { path, body } = request;
      const row = await transaction(db, (tx) => aliasEdits.update(tx, request, path.id, body));
      return { status: 200, body: toAlias(row) };
    },

    async deleteArtifactAlias(request) {
      await transaction(db, (tx) => aliasEdits.delete(tx, request, request.path.id));
      return { status: 204 };
    },

    async listArtifactAliasSuggestions({ caller }) {
      return { status: 200, body: await listSuggestions(db, caller.organizationId) };
    },
  };
}
