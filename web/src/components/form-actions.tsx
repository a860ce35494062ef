import { Button, Group } from '@mantine/core';
import { ErrorNotice } from './error-notice.tsx';

/** The foot of a form: what went wrong, and its two buttons. */
export function FormActions({
  submit,
  isBusy,
  error,
  onCancel,
}: {
  /** The word on the button: "Create rule", "Save". */
  submit: string;
  isBusy: boolean;
  error: unknown;
  onCancel?: () => void;
}) {
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      <Group justify="flex-end" mt="md">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
        <Button type="submit" loading={isBusy}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
