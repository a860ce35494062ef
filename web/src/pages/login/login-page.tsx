import { Alert, Button, Divider, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isSignOnErrorCode, signOnErrors } from '../../../../src/domain/sign-on/sign-on-errors.ts';
import { serverUrl } from '../../api/page-location.ts';
import { queryClient } from '../../api/query-client.ts';
import { ApiCallError, api, canHaveSession } from '../../api/session.ts';
import { type ResponseBodyOf, useApi } from '../../api/use-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { LoginLayout, tokenOf } from './entrance.tsx';
import { safeNext } from './safe-next.ts';

type LoginProvider = ResponseBodyOf<'listLoginProviders'>['providers'][number];

export function LoginPage() {
  const { next, sso, sso_error: code, logged_out: isLoggedOut } = useSearch({ from: '/login' });
  const providersQuery = useApi('listLoginProviders');
  const [token] = useState(() => tokenOf(location.hash));
  const [failure, setFailure] = useState<unknown>(null);
  const redirectToNext = () => {
    queryClient.clear();
    // A full page load is required, because some targets, such as the acknowledge page, aren't part of this
    // application.
    location.replace(safeNext(next, serverUrl()));
  };
  useEffect(() => {
    // A single sign-on login sets cookies that scripts can't read. The refresh returns the expiration time of
    // the session.
    if (sso === 'done') void api.call('refreshLogin').then(redirectToNext, setFailure);
    else if (token !== '')
      void api.call('useLoginLink', { body: { token } }).then(redirectToNext, setFailure);
    // Users who follow a link in a message can already be logged in. Check this with `getMe`, because the
    // page's first request doesn't require a session.
    else if (next !== undefined && code === undefined && canHaveSession())
      void api.call('getMe').then(redirectToNext, () => {});
  }, []);

  const isLoggingIn = failure === null && (sso === 'done' || token !== '');
  const only = findOnlyProvider(providersQuery.data);
  const shouldRedirect =
    only !== null && !isLoggingIn && failure === null && code === undefined && !isLoggedOut;
  useEffect(() => {
    if (shouldRedirect) location.replace(loginUrlOf(only, next));
  }, [shouldRedirect]);

  if (isLoggingIn || shouldRedirect || providersQuery.isPending) {
    return (
      <LoginLayout title="Log in to Pacekeeper">
        <Loader aria-label="Loading…" />
      </LoginLayout>
    );
  }
  const providers = providersQuery.data?.providers ?? [];
  const hasPassword = providersQuery.data?.password_login ?? true;
  return (
    <LoginLayout title="Log in to Pacekeeper">
      {code !== undefined && <SignOnProblem code={code} />}
      {failure !== null && <ErrorNotice error={failure} />}
      {providers.map((provider) => (
        <Button key={provider.id} component="a" href={loginUrlOf(provider, next)} variant="default" fullWidth>
          Log in with {provider.name}
        </Button>
      ))}
      {hasPassword && providers.length > 0 && <Divider label="or" />}
      {hasPassword && <PasswordLogin goOn={redirectToNext} hasFocus={providers.length === 0} />}
    </LoginLayout>
  );
}

/** Returns the login provider if it's the only way to log in. */
function findOnlyProvider(
  providersQuery: ResponseBodyOf<'listLoginProviders'> | undefined,
): LoginProvider | null {
  return providersQuery && !providersQuery.password_login && providersQuery.providers.length === 1
    ? providersQuery.providers[0]!
    : null;
}

function loginUrlOf({ login_url }: LoginProvider, next: string | undefined): string {
  return next === undefined ? login_url : `${login_url}?next=${encodeURIComponent(next)}`;
}

/** Shows the reason that a single sign-on login failed. */
export function SignOnProblem({ code }: { code: string }) {
  const { message, remedy } = signOnErrors[isSignOnErrorCode(code) ? code : 'internal'];
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm" fw={600}>
        {message}
      </Text>
      <Text size="sm">{remedy}</Text>
    </Alert>
  );
}

function isAboutCode(failure: unknown): boolean {
  return failure instanceof ApiCallError && failure.errors.some(({ field }) => field === 'code');
}

function PasswordLogin({ goOn, hasFocus }: { goOn: () => void; hasFocus: boolean }) {
  const form = useLoginForm();
  const [needsCode, setNeedsCode] = useState(false);
  const { onSubmit, error, isBusy } = useSubmit(form, async ({ code, ...values }) => {
    try {
      await api.call('login', { body: { ...values, ...(code !== '' && { code }) } });
    } catch (failure) {
      // The account determines if a code is required, and the server reports it only after the password is
      // correct. The field for the code appears then, without an error, because no code could be entered before.
      if (needsCode || !isAboutCode(failure)) throw failure;
      setNeedsCode(true);
      return;
    }
    goOn();
  });
  return (
    <>
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            required
            autoFocus={hasFocus}
            {...form.field('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.field('password')}
          />
          {needsCode && (
            <TextInput
              label="Code"
              description="From your authenticator app, or a recovery code"
              autoComplete="one-time-code"
              autoFocus
              {...form.field('code')}
              error={
                form.errors['code'] !== undefined && form.values.code.trim() === ''
                  ? 'Enter the code from your authenticator app.'
                  : form.errors['code']
              }
            />
          )}
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
    </>
  );
}

const noLogin = { email: '', password: '', code: '' };

/**
 * Minimal form state. This page is part of the initial bundle, and the form library would make it too large.
 */
function useLoginForm() {
  const [values, setValues] = useState(noLogin);
  const [errors, setErrors] = useState<FormErrors>({});
  return {
    values,
    errors,
    setErrors,
    onSubmit: (send: (values: typeof noLogin) => void) => (event?: React.SyntheticEvent) => {
      event?.preventDefault();
      setErrors({});
      send(values);
    },
    field: (name: keyof typeof noLogin) => ({
      value: values[name],
      error: errors[name],
      onChange: ({ currentTarget: { value } }: React.ChangeEvent<HTMLInputElement>) => {
        setValues((before) => ({ ...before, [name]: value }));
        setErrors((before) => ({ ...before, [name]: undefined }));
      },
    }),
  };
}
