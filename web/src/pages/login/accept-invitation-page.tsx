import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { basePath, withBasePath } from '../../api/page-location.ts';
import { queryClient } from '../../api/query-client.ts';
import { api, canHaveSession } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { useSubmit } from '../../components/use-submit.ts';
import { TextLink } from '../../ui/links.tsx';
import { LoginLayout, tokenOf } from './entrance.tsx';

const tokenKey = withBasePath('pacekeeper-invitation');

/**
 * Returns the invitation token. The token is stored in this tab so that it survives a login. In the login
 * URL, it would appear in the server log.
 */
function storedToken(): string {
  const token = tokenOf(location.hash) || (sessionStorage.getItem(tokenKey) ?? '');
  sessionStorage.setItem(tokenKey, token);
  return token;
}

/**
 * Accepts an invitation. A user with an account must be logged in. A new user enters a name and a password. A
 * user who is logged in with the wrong account can log out here.
 */
export default function AcceptInvitationPage() {
  const [hasAccount, setHasAccount] = useState(canHaveSession);
  const [token] = useState(storedToken);
  const form = useForm({ initialValues: { name: '', password: '' } });
  const { onSubmit, error, isBusy } = useSubmit(form, async (values) => {
    // Refresh the access token first, because with an expired one, the server would treat the user as logged
    // out. Ignore errors: if the session has ended, the next response reports that. Don't run the listener
    // for ended sessions here, because the URL of this page contains the invitation token.
    if (hasAccount) await api.call('refreshLogin').catch(() => undefined);
    await api.call('acceptInvitation', { body: { token, ...(hasAccount ? {} : values) } });
    sessionStorage.removeItem(tokenKey);
    queryClient.clear();
    location.assign(`${basePath}/`);
  });
  const leaveAccount = async () => {
    await api.call('logout');
    queryClient.clear();
    setHasAccount(false);
  };
  return (
    <LoginLayout title="Join an organization">
      <form onSubmit={onSubmit}>
        <Stack gap="sm">
          {!hasAccount && (
            <>
              <TextInput
                label="Your name"
                autoComplete="name"
                required
                autoFocus
                {...form.getInputProps('name')}
              />
              <NewPasswordField label="Password" {...form.getInputProps('password')} />
            </>
          )}
          {error !== null && <ErrorNotice error={error} />}
          <Button type="submit" loading={isBusy} fullWidth>
            {hasAccount ? 'Join organization' : 'Create account and join'}
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="var(--text-muted)">
        {hasAccount ? (
          <>
            Is the invitation for another email address?{' '}
            <Anchor
              component="button"
              type="button"
              inherit
              underline="always"
              onClick={() => void leaveAccount().catch(showError)}
            >
              Log out and use another account
            </Anchor>
          </>
        ) : (
          <>
            Already have an account?{' '}
            <TextLink inherit underline="always" to="/login" search={{ next: '/invitations/accept' }}>
              Log in
            </TextLink>
          </>
        )}
      </Text>
    </LoginLayout>
  );
}
