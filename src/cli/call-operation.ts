import type { ApiClient, ApiOperationId } from '../client/api-client.ts';
import { type Item, isItem } from '../domain/json/json-item.ts';
import { CliError, exitCodes } from './cli-error.ts';

export { type Item, isItem };

export interface OperationInput {
  path?: Item;
  query?: Item;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Calls an operation whose ID comes from a table. The compiler can't check its input, but the server
 * validates it.
 */
export async function callOperation(
  api: ApiClient,
  operationId: ApiOperationId,
  input: OperationInput = {},
): Promise<unknown> {
  const call = api.call as (operationId: ApiOperationId, input: OperationInput) => Promise<unknown>;
  return call(operationId, input);
}

export interface Listed {
  items: Item[];
  /** Total number of items. The actual total can be higher if `totalIsExact` is false. */
  total: number;
  totalIsExact: boolean;
}

const pageSize = 200;

export interface ListOptions {
  query?: Item;
  /** Maximum number of items. Default: 50. */
  limit?: number;
  all?: boolean;
  hasPages: boolean;
  /** Filters items if the API has no such filter. This requires reading all pages. */
  matches?(item: Item): boolean;
}

/** Returns the first items of a list, or all items with `all`. Lists without pages are always complete. */
export async function listItems(
  api: ApiClient,
  operationId: ApiOperationId,
  options: ListOptions,
): Promise<Listed> {
  const { query = {}, matches } = options;
  if (!options.hasPages) {
    const items = itemsOf(await callOperation(api, operationId, { query }), operationId);
    return { items, total: items.length, totalIsExact: true };
  }
  const limit = options.limit ?? 50;
  const maxItems = options.all || matches ? Number.POSITIVE_INFINITY : limit;
  // A resource created between two requests shifts the later pages, so an item can be on two pages. Keying the items by
  // ID prevents duplicates.
  const found = new Map<unknown, Item>();
  for (let offset = 0; ; offset += pageSize) {
    const count = Math.min(pageSize, maxItems - offset);
    const page = await callOperation(api, operationId, { query: { ...query, limit: count, offset } });
    const items = itemsOf(page, operationId);
    for (const item of items) found.set(item['id'] ?? found.size, item);
    const isEnd = items.length < count;
    if (!isEnd && offset + count < maxItems) continue;
    const read = [...found.values()].filter((item) => matches?.(item) ?? true);
    if (maxItems === Number.POSITIVE_INFINITY) {
      const shown = options.all ? read : read.slice(0, limit);
      return { items: shown, total: read.length, totalIsExact: true };
    }
    const { total, total_is_exact } = isItem(page) ? page : {};
    return { items: read, total: Number(total), totalIsExact: total_is_exact !== false };
  }
}

function itemsOf(answer: unknown, operationId: ApiOperationId): Item[] {
  const items = isItem(answer) ? answer['items'] : answer;
  if (Array.isArray(items)) return items.filter(isItem);
  throw new CliError(
    `The response to ${operationId} isn't a list. A proxy or a login page may have responded; check the server URL.`,
    exitCodes.unreachable,
  );
}
