import { Button, Group } from '@mantine/core';
import { ErrorNotice } from './error-notice.tsx';
import classes from './form-actions.module.css';

/** Footer of a form with the error and the buttons. */
export function FormActions({
  submit,
  isBusy,
  isDisabled = false,
  isDangerous = false,
  error,
  onCancel,
  form,
  children,
}: {
  /** Label of the submit button, such as "Create rule" or "Save changes". */
  submit: string;
  isBusy: boolean;
  /** True to disable the submit button, for example if nothing has changed. */
  isDisabled?: boolean;
  /** True if the form deletes something that can't be restored. */
  isDangerous?: boolean;
  error: unknown;
  onCancel?: () => void;
  /** ID of the form. Required if the footer is outside of the form. */
  form?: string;
  /** Additional buttons. */
  children?: React.ReactNode;
}) {
  return (
    <div className={classes.footer}>
      {error !== null && <ErrorNotice error={error} />}
      <Group justify="flex-end">
        {children}
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button
          type="submit"
          form={form}
          color={isDangerous ? 'red.9' : undefined}
          loading={isBusy}
          disabled={isDisabled}
        >
          {submit}
        </Button>
      </Group>
    </div>
  );
}
