import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** Field for a new password. The server enforces the same minimum length. */
export function NewPasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput description="At least 8 characters" autoComplete="new-password" required {...props} />
  );
}
