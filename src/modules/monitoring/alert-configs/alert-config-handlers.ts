import { arrangeVulnerabilities } from '../../../domain/vulnerabilities/arrange-vulnerabilities.ts';
import type { Schemas } from '../../../generated/client-api.ts';
import {
  type Database,
  hasSqlState,
  pageOfItems,
  type Tx,
  transaction,
} from '../../../platform/database/index.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { Handlers } from '../../../platform/http/index.ts';
import type { ReleaseCache } from '../evaluation/release-cache.ts';
import { toUnconfirmedVersion } from '../unconfirmed-version.ts';
import { alertConfigEdits, checkAlertConfig, toAlertConfig } from './alert-config-edits.ts';
import {
  findAlertConfig,
  findExplanation,
  listAlertConfigs,
  type StoredExplanationRow,
} from './alert-config-queries.ts';
import { findConfigVulnerabilities, readExploitDataTimes } from './config-vulnerabilities.ts';

type AlertConfigOperations =
  | 'listAlertConfigs'
  | 'createAlertConfig'
  | 'getAlertConfig'
  | 'updateAlertConfig'
  | 'deleteAlertConfig'
  | 'toggleAlertConfig'
  | 'getAlertConfigExplanation'
  | 'listAlertConfigVulnerabilities';

type StoredExplanation = Schemas['AlertConfigExplanation']['explanation'];

/** Adds the age of the data that the explanation is based on. */
function withDataAge(explanation: StoredExplanation, found: StoredExplanationRow): StoredExplanation {
  if (explanation === null) return null;
  const { lifecycle, vulnerabilities } = explanation;
  const fetchedAt = (asOf: Date | null) => ({ fetched_at: asOf?.toISOString() ?? null });
  return {
    ...explanation,
    ...(lifecycle != null && { lifecycle: { ...lifecycle, ...fetchedAt(found.lifecycles_as_of) } }),
    ...(vulnerabilities != null && {
      vulnerabilities: { ...vulnerabilities, ...fetchedAt(found.vulnerabilities_as_of) },
    }),
  };
}

export function alertConfigHandlers({
  db,
  releaseCache,
}: {
  db: Database;
  releaseCache: ReleaseCache;
}): Handlers<AlertConfigOperations> {
  return {
    async listAlertConfigs({ caller, query }) {
      const page = await listAlertConfigs(db, caller.organizationId, query, query);
      return { status: 200, body: { ...page, items: page.items.map(toAlertConfig) } };
    },

    async createAlertConfig(request) {
      const { body } = request;
      checkAlertConfig(body);
      const [row] = await distinctly((tx) => alertConfigEdits.create(tx, request, [body]));
      return { status: 201, body: toAlertConfig(row!) };
    },

    async getAlertConfig({ caller, path }) {
      const row = await findAlertConfig(db, caller.organizationId, path.id);
      if (!row) throw notFound();
      return { status: 200, body: toAlertConfig(row) };
    },

    async updateAlertConfig(request) {
      const { path, body } = request;
      checkAlertConfig(body);
      const row = await distinctly((tx) => alertConfigEdits.update(tx, request, path.id, body));
      return { status: 200, body: toAlertConfig(row) };
    },

    async toggleAlertConfig(request) {
      const row = await distinctly((tx) => alertConfigEdits.toggle(tx, request, request.path.id));
      return { status: 200, body: toAlertConfig(row) };
    },

    async deleteAlertConfig(request) {
      await transaction(db, (tx) => alertConfigEdits.delete(tx, request, request.path.id));
      return { status: 204 };
    },

    async getAlertConfigExplanation({ caller, path }) {
      const found = await findExplanation(db, caller.organizationId, path.id);
      if (!found) throw notFound();
      const explanation = found.explanation as Schemas['AlertConfigExplanation']['explanation'] | undefined;
      const body = {
        alert_config_id: path.id,
        evaluated_at: found.last_evaluated_at?.toISOString() ?? null,
        deployed_unconfirmed: toUnconfirmedVersion(found),
        explanation: withDataAge(explanation ?? null, found),
      };
      return { status: 200, body };
    },

    async listAlertConfigVulnerabilities({ caller, path, query }) {
      const found = await findConfigVulnerabilities({ db, releaseCache }, caller.organizationId, path.id);
      if (found === null) throw notFound();
      const items = arrangeVulnerabilities(found.items, query);
      const { limit, offset } = query;
      const page = pageOfItems(items, query, ({ id }) => id);
      const ages = await readExploitDataTimes(db);
      return {
        status: 200,
        body: {
          items: page,
          total: items.length,
          total_is_exact: true,
          limit,
          offset,
          is_known: found.isKnown,
          ...ages,
        },
      };
    },
  };

  /**
   * Retries a transaction once if another one stores the same comparison first. The retry finds and reports
   * the other configuration.
   */
  async function distinctly<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await transaction(db, work);
    } catch (error) {
      if (!hasSqlState(error, '23505')) throw error;
    }
    try {
      return await transaction(db, work);
    } catch (error) {
      if (hasSqlState(error, '23505')) throw new ApiError('conflict', undefined, { cause: error });
      throw error;
    }
  }
}
