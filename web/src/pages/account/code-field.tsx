import { TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';

/** For a code of two-factor authentication. */
export function CodeField(props: ReturnType<ReturnType<typeof useForm>['getInputProps']>) {
  return (
    <TextInput
      label="Code"
      description="The six digits that the app shows now, or a recovery code"
      autoComplete="one-time-code"
      required
      maw={280}
      {...props}
    />
  );
}
