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

/** Path parameters of a list within a resource. */
export type PathOfList = Readonly<Record<string, number | string>>;

interface PageInput {
  path?: PathOfList | undefined;
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
