import type { FormErrors } from '@mantine/form';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { InvalidFieldsError } from '../api/describe-error.ts';
import { ApiCallError } from '../api/session.ts';
import { useUnsaved } from '../ui/unsaved.ts';

/** Form methods that `useSubmit` requires. */
interface SubmittedForm<Values> {
  values: Values;
  setErrors(errors: FormErrors): void;
  isDirty?(): boolean;
  onSubmit(
    send: (values: Values, event?: React.FormEvent<HTMLFormElement>) => void,
  ): (event?: React.FormEvent<HTMLFormElement>) => void;
}

/**
 * Returns a handler that submits a form, and its state. The server's error for a field appears at that field.
 * `error` contains any other error, the number of invalid fields if there are several, and the errors of
 * fields that the form doesn't show.
 * @param send Sends the values and resolves after success.
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: SubmittedForm<Values>,
  send: (values: Values) => Promise<unknown>,
) {
  useUnsaved(() => form.isDirty?.() ?? false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const onSubmit = form.onSubmit(async (values: Values, event) => {
    const shown = event?.currentTarget ?? document;
    setBusy(true);
    setError(null);
    try {
      await send(values);
    } catch (failure) {
      const fields = failure instanceof ApiCallError ? failure.errors : [];
      const known = fields.filter(({ field }) => Object.hasOwn(form.values, field.split('.')[0] ?? ''));
      // Render the errors synchronously, so that the first invalid field can receive focus.
      flushSync(() =>
        form.setErrors(
          Object.fromEntries(known.map(({ field, message }) => [displayField(field, form.values), message])),
        ),
      );
      const invalid = shown.querySelector<HTMLElement>('[aria-invalid="true"]');
      const others = invalid === null ? fields : fields.filter((field) => !known.includes(field));
      if (fields.length === 0) setError(failure);
      else if (fields.length > 1 || others.length > 0)
        setError(new InvalidFieldsError(fields.length, others, failure as ApiCallError));
      // Focusing the field also scrolls it into view.
      invalid?.focus();
    } finally {
      setBusy(false);
    }
  });
  return { onSubmit, error, isBusy };
}

/**
 * Returns the form field that shows an error. The error of a list item is shown at the whole list if a single
 * text field contains the list.
 */
function displayField(field: string, values: Record<string, unknown>): string {
  const [first = ''] = field.split('.');
  return typeof values[first] === 'object' ? field : first;
}
