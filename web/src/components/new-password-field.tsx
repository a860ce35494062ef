import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password to be set. The server has the same minimum. */
export function NewPasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput description="At least 8 characters" autoComplete="new-password" required {...props} />
  );
}
