import { type Database, transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import { findCorrection, listCorrections } from '../model/correction-queries.ts';
import { checkCorrection, correctionEdits, toCorrection } from './correction-edits.ts';

type CorrectionOperations =
  | 'listArtifactCorrections'
  | 'createArtifactCorrection'
  | 'getArtifactCorrection'
  | 'updateArtifactCorrection'
  | 'deleteArtifactCorrection';

export function correctionHandlers({ db }: { db: Database }): Handlers<CorrectionOperations> {
  return {
    async listArtifactCorrections({ caller, query }) {
      const page = await listCorrections(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toCorrection) } };
    },

    async createArtifactCorrection(request) {
      const values = checkCorrection(request.body);
      const [row] = await transaction(db, (tx) => correctionEdits.create(tx, request, [values]));
      return { status: 201, body: toCorrection(row!) };
    },

    async getArtifactCorrection({ caller, path }) {
      const row = await findCorrection(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toCorrection(row) };
    },

    async updateArtifactCorrection(request) {
      const { path, body } = request;
      const row = await transaction(db, (tx) => correctionEdits.update(tx, request, path.id, body));
      return { status: 200, body: toCorrection(row) };
    },

    async deleteArtifactCorrection(request) {
      await transaction(db, (tx) => correctionEdits.delete(tx, request, request.path.id));
      return { status: 204 };
    },
  };
}
