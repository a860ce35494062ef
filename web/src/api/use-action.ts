import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { describeError, isOutdated } from './describe-error.ts';
import { pauseRefetching } from './live-changes.ts';
import { queryClient } from './query-client.ts';
import { type ApiAnswer, type ApiOperationId, api } from './session.ts';

type InputOf<Id extends ApiOperationId> = NonNullable<Parameters<typeof api.call<Id>>[1]>;

/**
 * Returns a mutation that calls an operation, then refetches all visible data. Errors appear as a
 * notification unless `quiet` is set, for forms that show errors themselves.
 * @param options.done Success notification.
 * @param options.leave Navigates away after success, before any refetch. Otherwise, the page would request
 * the deleted resource again.
 */
export function useAction<Id extends ApiOperationId>(
  operationId: Id,
  options: {
    done?: string | ((body: ApiAnswer<Id>['body']) => string);
    quiet?: boolean;
    leave?: () => Promise<unknown>;
  } = {},
) {
  return useMutation({
    onMutate: () => (options.leave ? pauseRefetching() : null),
    mutationFn: (input: InputOf<Id>): Promise<ApiAnswer<Id>['body']> => {
      const call = api.call as (id: Id, input: object) => Promise<ApiAnswer<Id>['body']>;
      return call(operationId, input);
    },
    onSuccess: async (body) => {
      await options.leave?.();
      const message = typeof options.done === 'function' ? options.done(body) : options.done;
      if (message) notifications.show({ message, color: 'teal' });
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      if (!options.quiet) showError(error);
      // Refetch if a deletion failed, because the resource still exists, or if the page is outdated.
      if (options.leave || (!options.quiet && isOutdated(error))) void queryClient.invalidateQueries();
    },
    onSettled: (_body, _error, _input, release) => release?.(),
  });
}

export function showError(error: unknown): void {
  const { title, detail, requestId } = describeError(error);
  notifications.show({
    title,
    message: requestId === null ? detail : `${detail} (request ${requestId})`,
    color: 'red',
    autoClose: 12_000,
  });
}
