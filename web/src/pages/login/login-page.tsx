import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { api, mayBeLoggedIn } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { Entrance } from './entrance.tsx';
import { safeNext } from './safe-next.ts';

export function LoginPage() {
  const { next } = useSearch({ from: '/login' });
  const form = useForm({ initialValues: { email: '', password: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    await api.call('login', { body: values });
    queryClient.clear();
    // A whole new page: the acknowledge page, for one, is no part of this program.
    location.assign(safeNext(next, location.origin));
  });
  useEffect(() => {
    // Who comes from a link in a message is logged in already, which that first request could not tell.
    if (next !== undefined && mayBeLoggedIn())
      void api.call('getMe').then(
        () => location.replace(safeNext(next, location.origin)),
        () => {},
      );
  }, [next]);
  return (
    <Entrance title="Log in to Pacekeeper">
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            autoFocus
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          {error !== null && <ErrorNotice error={error} />}
          <Button type="submit" loading={isBusy} fullWidth>
            Log in
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="var(--text-muted)">
        Forgot your password? Ask an administrator of your organization for a reset link. First time here? The
        initial password is in the server's startup output.
      </Text>
    </Entrance>
  );
}
