import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ApiAnswer, type ApiOperationId, api } from './session.ts';

export type InputOf<Id extends ApiOperationId> = NonNullable<Parameters<typeof api.call<Id>>[1]>;
export type AnswerOf<Id extends ApiOperationId> = ApiAnswer<Id>['body'];

/**
 * The query of an operation. Its key is the operation and the input.
 * @param before Prefix of the key, for queries that are cached separately.
 */
export function apiQuery<Id extends ApiOperationId>(
  operationId: Id,
  input?: InputOf<Id>,
  ...before: string[]
) {
  return queryOptions({
    queryKey: [...before, operationId, input ?? null],
    queryFn: ({ signal }): Promise<AnswerOf<Id>> => {
      // The client types what must be given; `input` has been checked against it above.
      const call = api.call as (id: Id, input: object) => Promise<AnswerOf<Id>>;
      return call(operationId, { ...input, signal });
    },
  });
}

/**
 * Reads an operation of the contract for a component, and reads it again when the server tells of a change.
 * @param options.enabled false: not yet. @param options.keepPrevious shows the last answer while another is read.
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
