import type { ApiClient, ApiOperationId } from '../client/api-client.ts';
import { nextCursor } from '../client/next-cursor.ts';
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
  const { items: found, page } = await readPages(api, operationId, { query }, maxItems);
  const items = found.filter((item) => matches?.(item) ?? true);
  if (maxItems === Number.POSITIVE_INFINITY) {
    const shown = options.all ? items : items.slice(0, limit);
    return { items: shown, total: items.length, totalIsExact: true };
  }
  const { total, total_is_exact } = page;
  return { items, total: Number(total), totalIsExact: total_is_exact !== false };
}

/**
 * Reads a list page by page with a cursor, so that resources that are created or deleted in the meantime don't repeat
 * or hide others.
 *
 * @returns The items, and the last page for its other fields.
 */
export async function readPages(
  api: ApiClient,
  operationId: ApiOperationId,
  { query, ...input }: OperationInput,
  maxItems = Number.POSITIVE_INFINITY,
): Promise<{ items: Item[]; page: Item }> {
  const send = api.send as (
    operationId: ApiOperationId,
    input: OperationInput,
  ) => Promise<{ headers: Headers; body: unknown }>;
  const items: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    const limit = Math.min(pageSize, maxItems - items.length);
    const position: Item = cursor === null ? {} : { cursor };
    const { headers, body } = await send(operationId, { ...input, query: { ...query, limit, ...position } });
    items.push(...itemsOf(body, operationId));
    cursor = nextCursor(headers);
    if (cursor === null || items.length >= maxItems) return { items, page: isItem(body) ? body : {} };
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
