import { type ApiOperationId, api } from '../../api/session.ts';
import type { InputOf, ResponseBodyOf } from '../../api/use-api.ts';

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

/** Query parameters of a list. */
export type QueryOf<Id extends ListOperationId> =
  InputOf<Id> extends { query?: infer Query } ? NonNullable<Query> : Record<never, never>;
/** Names of the query parameters that filter a list. */
export type FilterOf<Id extends ListOperationId> = Exclude<
  keyof QueryOf<Id> & string,
  'limit' | 'offset' | 'sort'
>;
export type SortOf<Id extends ListOperationId> =
  QueryOf<Id> extends { sort?: infer Sort } ? Extract<Sort, string> : never;

/** Path parameters of a list within a resource. */
export type PathOfList = Readonly<Record<string, number | string>>;

interface PageInput {
  path?: PathOfList | undefined;
  query: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}

/** Reads a page of a list. Search parameters are strings that the server validates, so the query is untyped. */
export async function readPage<Id extends ListOperationId>(
  operationId: Id,
  { path, query, signal }: PageInput,
): Promise<PageOf<ItemOf<Id>>> {
  const { body } = await api.sendUnchecked(operationId, { ...(path && { path }), query, signal });
  return body as PageOf<ItemOf<Id>>;
}
