import { type ApiOperationId, api } from '../../api/session.ts';
import type { ResponseBodyOf } from '../../api/use-api.ts';

export interface PageOf<Item> {
  items: Item[];
  total: number;
  total_is_exact: boolean;
}

/** IDs of the operations that return pages. */
export type ListOperationId = {
  [Id in ApiOperationId]: ResponseBodyOf<Id> extends PageOf<unknown> ? Id : never;
}[ApiOperationId];
export type ItemOf<Id extends ListOperationId> = ResponseBodyOf<Id> extends PageOf<infer Item> ? Item : never;

interface PageInput {
  path?: { id: number } | undefined;
  query: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}

/** Reads a page of a list. Search parameters are strings that the server validates, so the query is untyped. */
export function readPage<Id extends ListOperationId>(
  operationId: Id,
  { path, query, signal }: PageInput,
): Promise<PageOf<ItemOf<Id>>> {
  const call = api.call as unknown as (id: Id, input: object) => Promise<PageOf<ItemOf<Id>>>;
  return call(operationId, { ...(path && { path }), query, signal });
}
