import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { describeError, isOutdated } from './describe-error.ts';
import { pauseRefetching } from './live-changes.ts';
import { queryClient } from './query-client.ts';
import { type ApiAnswer, type ApiOperationId, api } from './session.ts';

type InputOf<Id extends ApiOperationId> = NonNullable<Parameters<typeof api.call<Id>>[1]>;

/**
 * A button's work: calls an operation that changes something, then reads again what is shown. A failure is told in
 * words unless `quiet`, where a form shows it itself.
 * @param options.done what to tell when it has worked. @param options.leave goes elsewhere when it has worked, before
 * anything is read again: what was deleted would be asked for once more.
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
      // The resource still exists, or the page is out of date.
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
