import { TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';

/** Field for a two-factor authentication code. */
export function CodeField(props: ReturnType<ReturnType<typeof useForm>['getInputProps']>) {
  return (
    <TextInput
      label="Code"
      description="The current six-digit code from your app, or a recovery code"
      autoComplete="one-time-code"
      required
      maw={280}
      {...props}
    />
  );
}
