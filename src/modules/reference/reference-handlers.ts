import { normalizePurl } from '../../domain/artifacts/purl.ts';
import { endOfDay } from '../../domain/support/support-phases.ts';
import type { Schemas } from '../../generated/client-api.ts';
import type { Database } from '../../platform/database/index.ts';
import { invalidField, notFound } from '../../platform/errors.ts';
import type { Handlers } from '../../platform/http/index.ts';
import {
  findProduct,
  type LineRow,
  listLines,
  listProducts,
  listSources,
  type ProductRow,
} from './lifecycle-queries.ts';
import { toReferenceSource } from './reference-sources.ts';

type ReferenceOperations = 'listReferenceSources' | 'listLifecycleProducts' | 'getLifecycleProduct';

export function referenceHandlers({ db }: { db: Database }): Handlers<ReferenceOperations> {
  return {
    async listReferenceSources({ caller }) {
      const items = (await listSources(db, caller.organizationId)).map(toReferenceSource);
      return { status: 200, body: { items } };
    },

    async listLifecycleProducts({ query }) {
      const purl = query.purl === undefined ? undefined : normalizePurl(query.purl);
      if (purl === null) throw invalidField('purl', "it isn't a package URL; use pkg:type/namespace/name");
      const page = await listProducts(db, { q: query.q, purl }, query);
      return { status: 200, body: { ...page, items: page.items.map(toProduct) } };
    },

    async getLifecycleProduct({ caller, path }) {
      const product = await findProduct(db, path.name);
      if (!product) throw notFound();
      const [lines, [source]] = await Promise.all([
        listLines(db, product.name),
        listSources(db, caller.organizationId),
      ]);
      const nowMs = source!.now.getTime();
      return {
        status: 200,
        body: { ...toProduct(product), releases: lines.map((line) => toRelease(line, nowMs)) },
      };
    },
  };
}

function toProduct(row: ProductRow): Schemas['LifecycleProduct'] {
  return { ...row, url: `https://endoflife.date/${encodeURIComponent(row.name)}` };
}

function toRelease(row: LineRow, nowMs: number): Schemas['LifecycleRelease'] {
  return {
    ...row,
    active_support: toPhase(row.active_support, nowMs),
    end_of_life: toPhase(row.end_of_life, nowMs),
    extended_support: toPhase(row.extended_support, nowMs),
  };
}

function toPhase(end: string | null, nowMs: number): Schemas['LifecyclePhase'] {
  if (end === 'true' || end === 'false') return { ends_on: null, has_ended: end === 'true' };
  const endsAtMs = end === null ? null : endOfDay(end);
  if (endsAtMs === null) return { ends_on: null, has_ended: null };
  return { ends_on: end, has_ended: endsAtMs <= nowMs };
}
