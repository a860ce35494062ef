import { type Database, transaction } from '../../../platform/database/index.ts';
import { notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Sandbox } from '../../../platform/sandbox/index.ts';
import { checkLabelMatchers } from '../rules/notification-rule-edits.ts';
import { countMatchingAlerts } from './count-matching-alerts.ts';
import { silenceEdits, toSilence } from './silence-edits.ts';
import { findSilenceById, listSilences } from './silence-queries.ts';

type SilenceOperations =
  | 'listSilences'
  | 'createSilence'
  | 'previewSilence'
  | 'getSilence'
  | 'updateSilence'
  | 'deleteSilence';

export function silenceHandlers({
  db,
  sandbox,
}: {
  db: Database;
  sandbox: Pick<Sandbox, 'run'>;
}): Handlers<SilenceOperations> {
  return {
    async listSilences({ caller, query }) {
      const page = await listSilences(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toSilence) } };
    },

    async createSilence(request) {
      await checkLabelMatchers(request.body);
      const row = await transaction(db, (tx) => silenceEdits.create(tx, request, request.body));
      return { status: 201, body: toSilence(row) };
    },

    async previewSilence({ caller, body }) {
      await checkLabelMatchers(body);
      return { status: 200, body: await countMatchingAlerts({ db, sandbox }, caller.organizationId, body) };
    },

    async getSilence({ caller, path }) {
      const row = await findSilenceById(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toSilence(row) };
    },

    async updateSilence(request) {
      const { path, body } = request;
      await checkLabelMatchers(body);
      const row = await transaction(db, (tx) => silenceEdits.update(tx, request, path.id, body));
      return { status: 200, body: toSilence(row) };
    },

    async deleteSilence(request) {
      await transaction(db, (tx) => silenceEdits.delete(tx, request, request.path.id));
      return { status: 204 };
    },
  };
}
