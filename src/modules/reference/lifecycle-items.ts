import type { LifecycleProduct } from '../../domain/support/read-lifecycles.ts';
import type { Schemas } from '../../generated/agent-api.ts';

/** Reads the products of a submitted or a waiting load. */
export async function collectProducts(
  parts: AsyncIterable<readonly Schemas['LifecycleResultItem'][]>,
): Promise<LifecycleProduct[]> {
  const products: LifecycleProduct[] = [];
  for await (const items of parts) for (const item of items) products.push(toProduct(item));
  return products;
}

function toProduct({ product, label, purls, lines }: Schemas['LifecycleResultItem']): LifecycleProduct {
  return {
    name: product,
    label,
    purls,
    lines: lines.map(({ name, is_lts, released_on, latest_version, ...ends }) => ({
      name,
      isLts: is_lts,
      releasedOn: released_on,
      latest: latest_version,
      ends,
    })),
  };
}
