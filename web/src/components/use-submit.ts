import type { FormErrors } from '@mantine/form';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { InvalidFieldsError } from '../api/describe-error.ts';
import { ApiCallError } from '../api/session.ts';
import { useUnsaved } from '../ui/unsaved.ts';

/** What sending needs of a form. */
interface SubmittedForm<Values> {
  values: Values;
  setErrors(errors: FormErrors): void;
  isDirty?(): boolean;
  onSubmit(
    send: (values: Values, event?: React.FormEvent<HTMLFormElement>) => void,
  ): (event?: React.FormEvent<HTMLFormElement>) => void;
}

/**
 * Sends a form: what the server says of a field is shown at that field, anything else in `error`, which counts the fields
 * if there are several, and names those that no field shows.
 * @param send resolves when it has worked.
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
      const known = fields.filter(({ field }) => (field.split('.')[0] ?? '') in form.values);
      // Shown at once, so that the first field that is wrong can be focused.
      flushSync(() =>
        form.setErrors(
          Object.fromEntries(known.map(({ field, message }) => [shownAt(field, form.values), message])),
        ),
      );
      const invalid = shown.querySelector<HTMLElement>('[aria-invalid="true"]');
      const others = invalid === null ? fields : fields.filter((field) => !known.includes(field));
      if (fields.length === 0) setError(failure);
      else if (fields.length > 1 || others.length > 0)
        setError(new InvalidFieldsError(fields.length, others, failure as ApiCallError));
      // It may be out of sight.
      invalid?.focus();
    } finally {
      setBusy(false);
    }
  });
  return { onSubmit, error, isBusy };
}

/** What the server says of a part of a list that is written as one text stands at the text. */
function shownAt(field: string, values: Record<string, unknown>): string {
  const [first = ''] = field.split('.');
  return typeof values[first] === 'object' ? field : first;
}
