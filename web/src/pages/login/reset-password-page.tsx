import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { LoginLayout, tokenOf } from './entrance.tsx';

export default function ResetPasswordPage() {
  const [isDone, setDone] = useState(false);
  const form = useForm({ initialValues: { new_password: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ new_password }) => {
    await api.call('resetPassword', { body: { token: tokenOf(location.hash), new_password } });
    setDone(true);
  });
  return (
    <LoginLayout title="Reset password">
      {isDone ? (
        <>
          <Text role="status">Password updated.</Text>
          <ButtonLink to="/login" fullWidth>
            Log in
          </ButtonLink>
        </>
      ) : (
        <form onSubmit={onSubmit}>
          <Stack gap="sm">
            <NewPasswordField label="New password" autoFocus {...form.getInputProps('new_password')} />
            {error !== null && <ErrorNotice error={error} />}
            <Button type="submit" loading={isBusy} fullWidth>
              Reset password
            </Button>
          </Stack>
        </form>
      )}
    </LoginLayout>
  );
}
