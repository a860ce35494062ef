import type { ApiClient, ApiOperationId, UncheckedInput } from '../client/api-client.ts';
import { nextCursor } from '../client/next-cursor.ts';
import { type Item, isItem } from '../domain/json/json-item.ts';
import { CliError, exitCodes } from './cli-error.ts';

export { type Item, isItem };

/**
 * Calls an operation whose ID comes from a table. The compiler can't check its input, but the server
 * validates it.
 */
export async function callOperation(
  api: ApiClient,
  operationId: ApiOperationId,
  input: UncheckedInput = {},
): Promise<unknown> {
  return (await api.sendUnchecked(operationId, input)).body;
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
  const counts: Item = isItem(page) ? page : {};
  const { total, total_is_exact } = counts;
  return { items, total: Number(total), totalIsExact: total_is_exact !== false };
}

/**
 * Reads a list page by page with a cursor, so that no item is repeated or skipped when other resources are
 * created or deleted in the meantime.
 *
 * @returns The items, and the last page for its other fields.
 */
export function readPages(
  api: ApiClient,
  operationId: ApiOperationId,
  { query, ...input }: UncheckedInput,
  maxItems?: number,
): Promise<{ items: Item[]; page: unknown }> {
  return readPagesWith(
    operationId,
    (position) => api.sendUnchecked(operationId, { ...input, query: { ...query, ...position } }),
    (page) => itemsOf(page, operationId),
    maxItems,
  );
}

/**
 * Reads the pages of a list whose types are known, one after another.
 *
 * @returns The items of all pages, and the last page.
 */
export async function readPagesWith<Page, Listed>(
  operationId: ApiOperationId,
  read: (position: { limit: number; cursor?: string }) => Promise<{ headers: Headers; body: Page }>,
  itemsOfPage: (page: Page) => readonly Listed[],
  maxItems = Number.POSITIVE_INFINITY,
): Promise<{ items: Listed[]; page: Page }> {
  const items: Listed[] = [];
  for (let cursor: string | null = null; ; ) {
    const limit = Math.min(pageSize, maxItems - items.length);
    const position: { limit: number; cursor?: string } = cursor === null ? { limit } : { limit, cursor };
    const { headers, body } = await read(position);
    const found = itemsOfPage(body);
    if (!Array.isArray(found)) throw notAList(operationId);
    items.push(...found);
    cursor = nextCursor(headers);
    if (cursor === null || items.length >= maxItems) return { items, page: body };
  }
}

function itemsOf(answer: unknown, operationId: ApiOperationId): Item[] {
  const items = isItem(answer) ? answer['items'] : answer;
  if (Array.isArray(items)) return items.filter(isItem);
  throw notAList(operationId);
}

/**
 * Returns the error for a response that isn't a list. Bodies aren't validated, so a body can be any JSON if
 * another server responds.
 */
function notAList(operationId: ApiOperationId): CliError {
  return new CliError(
    `The response to ${operationId} isn't a list. A proxy or a login page may have responded; check the server URL.`,
    exitCodes.unreachable,
  );
}
