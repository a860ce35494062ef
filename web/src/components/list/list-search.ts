import type { InputOf } from '../../api/use-api.ts';
import type { ListOperationId } from './read-page.ts';

type FilterOf<Id extends ListOperationId> = Id extends ListOperationId
  ? InputOf<Id> extends { query?: infer Query }
    ? Exclude<keyof NonNullable<Query>, 'limit' | 'offset'>
    : never
  : never;

/** Search parameters of a list page, which are the query parameters of its operation. */
export type ListSearch<Id extends ListOperationId> = { [Name in FilterOf<Id>]?: string };
