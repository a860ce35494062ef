import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiAnswer, type ApiOperationId, api } from './session.ts';

export type InputOf<Id extends ApiOperationId> = NonNullable<Parameters<typeof api.call<Id>>[1]>;
export type ResponseBodyOf<Id extends ApiOperationId> = ApiAnswer<Id>['body'];

/**
 * Returns the query of an operation. The key consists of the operation and the input.
 * @param before Prefix of the key, for queries that are cached separately.
 */
export function apiQuery<Id extends ApiOperationId>(
  operationId: Id,
  input?: InputOf<Id>,
  ...before: string[]
) {
  return queryOptions({
    queryKey: [...before, operationId, input ?? null],
    queryFn: ({ signal }): Promise<ResponseBodyOf<Id>> => {
      // The signature of `apiQuery` has already checked `input`, so the call is cast to accept any input.
      const call = api.call as (id: Id, input: object) => Promise<ResponseBodyOf<Id>>;
      return call(operationId, { ...input, signal });
    },
  });
}

/**
 * Reads an operation of the API for a component, and refetches it after change events.
 * @param options.enabled False to delay the request.
 * @param options.keepPrevious Shows the previous result while the next one loads.
 */
export function useApi<Id extends ApiOperationId>(
  operationId: Id,
  input?: InputOf<Id>,
  options: { enabled?: boolean; keepPrevious?: boolean; refetchMs?: number } = {},
) {
  return useQuery({
    ...apiQuery(operationId, input),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
    ...(options.refetchMs !== undefined && { refetchInterval: options.refetchMs }),
  });
}
