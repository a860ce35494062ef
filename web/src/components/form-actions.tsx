import { Button, Group } from '@mantine/core';
import { ErrorNotice } from './error-notice.tsx';

/** The foot of a form: what went wrong, and its two buttons. */
export function FormActions({
  submit,
  isBusy,
  isDisabled = false,
  error,
  onCancel,
  form,
  children,
}: {
  /** The word on the button: "Create rule", "Save". */
  submit: string;
  isBusy: boolean;
  /** For example, because nothing would change. */
  isDisabled?: boolean;
  error: unknown;
  onCancel?: () => void;
  /** The ID of the form, if this isn't in it. */
  form?: string;
  /** Other buttons. */
  children?: React.ReactNode;
}) {
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <Group justify="flex-end" mt="md">
        {children}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" form={form} loading={isBusy} disabled={isDisabled}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
