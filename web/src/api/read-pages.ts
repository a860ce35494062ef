/** Maximum number of items per request. */
const perRequest = 200;

/**
 * Reads a list page by page.
 * @param options.maxItems Limits the number of items, in multiples of 200.
 * @param options.isEnough Ends the read early if the items so far are enough.
 * @returns The items. `isCut` is true if `maxItems` ended the read, so that later items are unknown.
 */
export async function readPages<Item>(
  read: (page: { limit: number; offset: number }) => Promise<{ items: Item[] }>,
  { maxItems, isEnough = () => false }: { maxItems: number; isEnough?: (items: readonly Item[]) => boolean },
): Promise<{ items: Item[]; isCut: boolean }> {
  const items: Item[] = [];
  for (;;) {
    const page = await read({ limit: perRequest, offset: items.length });
    items.push(...page.items);
    if (page.items.length < perRequest || isEnough(items)) return { items, isCut: false };
    if (items.length >= maxItems) return { items, isCut: true };
  }
}
